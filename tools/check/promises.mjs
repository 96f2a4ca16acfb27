// Checks that every sentence of SECURITY.md is in the register of promises, with a test or as a limit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { keyedSentences } from '../docs/sentences.mjs';
import { problemOfTest } from './test-titles.mjs';

const options = readOptions(
  `
Compares SECURITY.md with tools/check/promises.json, which has an entry for each sentence, by its beginning and a part of its
digest:

  ["packages/core/test/gate/x.test.ts > title"]   what the sentence promises is tested there; a beginning of the title is enough
  ["npm run bench -- linear"]                     or by that program
  "limit"                                         it says what is not promised
  "explains"                                      it promises nothing: a definition, a reason, an example, what you should do

A sentence that is not in the register, an entry whose sentence is gone, and a test that does not exist are errors.

  node tools/check/promises.mjs           exit 1 when something is missing
  node tools/check/promises.mjs --write   adds new sentences as "todo" and removes what is gone; replace each "todo" by hand.
                                          A changed sentence keeps its tests, after a "todo"
`,
  { write: { type: 'boolean' } },
);

const DOCUMENT = 'SECURITY.md';
const REGISTER = 'tools/check/promises.json';
const WIDTH = 120;

// Shorter than in a key: a short sentence changes at its end too.
const beginningOf = (key) => key.replace(/ #[0-9a-f]{6}$/, '').slice(0, 30);

/** The entries for the sentences of a document, in its order. What is known about a changed sentence is kept. */
function updated(known, sentences) {
  const gone = Object.entries(known).filter(([key]) => !sentences.has(key));
  const former = new Map(gone.map(([key, value]) => [beginningOf(key), value]));
  return Object.fromEntries(
    [...sentences.keys()].map((key) => {
      const before = former.get(beginningOf(key));
      return [
        key,
        known[key] ?? (Array.isArray(before) ? ['todo', ...before.filter((each) => each !== 'todo')] : 'todo'),
      ];
    }),
  );
}

function printed(key, value, comma) {
  const line = `  ${JSON.stringify(key)}: ${JSON.stringify(value).replaceAll('","', '", "')}${comma}`;
  if (!Array.isArray(value) || line.length <= WIDTH) return line;
  return `  ${JSON.stringify(key)}: [\n${value.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]${comma}`;
}

/** JSON as Biome formats it. */
function print(register) {
  const all = Object.entries(register);
  const lines = all.map(([key, value], index) => printed(key, value, index < all.length - 1 ? ',' : ''));
  return `{\n${lines.join('\n')}\n}\n`;
}

function* problemsOfEntry(key, value) {
  if (value === 'limit' || value === 'explains') return;
  if (!Array.isArray(value) || value.length === 0) {
    yield `"${key}" is ${JSON.stringify(value)}; name its tests, or say "limit" or "explains"`;
    return;
  }
  for (const reference of value) {
    const problem =
      reference === 'todo' ? 'the sentence changed: see that its tests still show it' : problemOfTest(reference);
    if (problem !== undefined) yield `"${key}": ${problem}`;
  }
}

function* problemsOf(known, sentences) {
  for (const [key, sentence] of sentences)
    if (!Object.hasOwn(known, key)) yield `${DOCUMENT} has a new sentence: ${sentence}`;
  for (const [key, value] of Object.entries(known)) {
    if (!sentences.has(key)) yield `${DOCUMENT} no longer has "${key}"`;
    else yield* problemsOfEntry(key, value);
  }
}

const path = join(root, REGISTER);
let register = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
const sentences = keyedSentences(readFileSync(join(root, DOCUMENT), 'utf8'));
if (options.write) {
  register = updated(register, sentences);
  writeFileSync(path, print(register));
}
const problems = [...problemsOf(register, sentences)];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(
    `${problems.length} problems with promises`,
    `run node tools/check/promises.mjs --write, then fill in ${REGISTER}`,
  );
const entries = Object.values(register);
const count = (value) => entries.filter((each) => each === value).length;
console.log(
  `OK - ${entries.length} sentences: ${entries.filter(Array.isArray).length} with tests, ${count('limit')} limits, ${count('explains')} explain`,
);
