// Counts the attacks on the gateway that its tests try, and those that come through: none may. Other tests are not counted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Runs the tests that attack the gateway, against a real PostgreSQL and Redis, and counts them by file: another workspace's
things on every table and route, keys and tokens that do not count, approvals that were forged, replayed or meant for another
call, addresses inside, headers and bodies that break out, SQL in every identifier, texts that make scanners slow, edits of
the audit. Only tests that attack are counted, by their titles. An attack that a test does not hold is through.

  npm run check -- attacks        writes evals/results/gateway-attacks.json and its figures
  npm run check -- attacks --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

/** The attacks among the tests of a file: all but those whose titles match. */
const ALL_BUT = (pattern) => (title) => !pattern.test(title);
/** The attacks among the tests of a file: those whose titles, with the groups they are in, match. */
const ONLY = (pattern) => (title) => pattern.test(title);

const FILES = {
  'api/attacks': ALL_BUT(/^an approval applies once/),
  'launcher/launcher': ONLY(/none of which can read|believes no other|refuses|starts nothing/),
  'launcher/launcher-config': ONLY(/refuses to know|never run as one user/),
  'login/login': ONLY(/^a login is refused|no others$|does not count/),
  'login/session': ONLY(/a new secret|of no other$|nothing of another|calls no tools|does not count|changes nothing/),
  'store/isolation': ALL_BUT(/^each table has forced/),
  'store/approvals': ONLY(/does not apply to another|expires with its term|answered only by the caller/),
  'store/secrets': ONLY(/flipped bit|same binding|of another|look-alike|is unknown|\brefuses?d?\b/),
  'store/verify': ONLY(/^detects|is not whole$|valid only for its workspace/),
  'store/forgeries': ALL_BUT(/what remains/),
  'store/anchors': ONLY(/was set back|was not signed|that the gateway did not sign/),
  'serve/body': ONLY(/^refused|times out|endless/),
  'serve/children': ONLY(/other one/),
  'serve/connections': ONLY(
    /not made|counts once|for the principal|is refused|are not taken|sealed|are refused|framed/,
  ),
  'serve/conversations': ONLY(/belongs to the principal/),
  'serve/groups': ONLY(/members alone|neither listed nor called|not reached by another/),
  'serve/held': ONLY(/is not sent/),
  'serve/key-lookups': ONLY(/flood/),
  'serve/mcp': ONLY(/cannot|does not reach|is refused|: refused|not found|cannot use|is ignored/),
  'serve/second-person': ONLY(/second person/),
  'serve/session': ONLY(/^not opened/),
  'serve/threads': ONLY(/hold up|exceeds the limit|than the replica may keep/),
  'serve/token': ONLY(/^refused|is refused$|only from allowed addresses/),
  'serve/token-types': ONLY(/is refused$/),
  'serve/units': ONLY(/./),
  'upstream/address': ONLY(/^refused|is refused/),
  'upstream/fetch': ONLY(
    /not allowed|resolves elsewhere|second lookup|redirect|cannot be sent|are checked|one too many/,
  ),
};
const path = (name) => `apps/gateway/test/${name}.test.ts`;

const folder = mkdtempSync(join(tmpdir(), 'sallyport-attacks-'));
const report = join(folder, 'report.json');
await runNode('node_modules/vitest/vitest.mjs', [
  'run',
  ...Object.keys(FILES).map(path),
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
let results;
try {
  ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')));
} catch {
  fail('the tests did not run', 'run npx vitest run apps/gateway', 2);
}
rmSync(folder, { recursive: true, force: true });

const files = Object.entries(FILES).map(([name, isAttack]) => {
  const { assertionResults } = results.find(({ name: file }) => file.endsWith(path(name))) ?? { assertionResults: [] };
  const attacks = assertionResults.filter(({ ancestorTitles, title }) =>
    isAttack([...ancestorTitles, title].join(' ')),
  );
  const through = attacks.filter(({ status }) => status !== 'passed').length;
  return { file: path(name), tried: attacks.length, through };
});
for (const { file, tried, through } of files)
  console.log(`${String(tried).padStart(5)} tried, ${through} through: ${file}`);
const sum = (what) => files.reduce((total, each) => total + each[what], 0);
const [tried, through] = [sum('tried'), sum('through')];
const empty = files.filter((each) => each.tried === 0).map(({ file }) => file);
if (empty.length > 0)
  fail(`no attack was found in ${empty.join(', ')}`, 'correct the patterns in this file, by the titles of the tests');
if (options.dry !== true) {
  const command = 'npm run check -- attacks';
  writeResult('gateway-attacks', { command, files });
  writeFigures({
    'attacks.tried': { value: tried, unit: 'attacks', command },
    'attacks.through': { value: through, unit: 'attacks', command },
  });
}
console.log(`${through === 0 ? 'OK' : 'error'} - ${tried} attacks, ${through} through`);
process.exit(through === 0 ? 0 : 1);
