// The facts and the decision of every call of the recorded sets, without a judge: a change of the code that should change nothing leaves them as they are.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { playSet } from './judged.mjs';
import { loadLibrary } from './library.mjs';
import { loadSet } from './sets.mjs';

const options = readOptions(
  `
Compares the facts and the decision of every recorded call with evals/results/golden.json.

  npm run eval -- golden            prints each call that is decided differently; exits 1 if there is one
  npm run eval -- golden --write    writes evals/results/golden.json
`,
  { write: { type: 'boolean' } },
);

const file = join(root, 'evals', 'results', 'golden.json');
const isPresent = existsSync(join(root, '..', 'shared', 'data', 'conversations'));
const names = ['round-1', ...(isPresent ? ['known', 'agentdojo', 'workbench', 'tau2'] : [])];
if (!isPresent) console.log('the known and the real sets are not here: only round 1 is compared');

const digest = (facts) => createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 10);
const library = await loadLibrary();
const sets = {};
for (const name of names) {
  const played = await playSet(library, loadSet(name));
  sets[name] = Object.fromEntries(
    played.map(({ id, calls }) => [
      id,
      calls.map(({ call, outcome, rule, cell = '', facts }) => `${call} ${outcome} ${rule} ${cell} ${digest(facts)}`),
    ]),
  );
}

if (options.write) {
  writeResult('golden', { sets });
  console.log('wrote evals/results/golden.json');
} else {
  if (!existsSync(file)) fail('evals/results/golden.json is missing', 'write it: npm run eval -- golden --write');
  const golden = JSON.parse(readFileSync(file, 'utf8')).sets;
  let [compared, different] = [0, 0];
  for (const name of names)
    for (const [id, calls] of Object.entries(sets[name]))
      calls.forEach((line, index) => {
        compared++;
        const before = golden[name]?.[id]?.[index];
        if (line === before) return;
        different++;
        console.log(`${name} ${id}\n  before ${before}\n  now    ${line}`);
      });
  if (different > 0) fail(`${different} of ${compared} calls differ`, 'explain each by its cause, then --write');
  console.log(`OK - ${compared} calls are decided as before, from the same facts`);
}
