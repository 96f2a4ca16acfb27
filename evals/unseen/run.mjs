// Plays the unseen rounds and the known sets through the library: with the recorded judge, with some of its answers flipped, and without.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { playJudged, playSet } from './judged.mjs';
import { loadLibrary } from './library.mjs';
import { lineOf, meanOf, reportOf } from './report.mjs';
import { loadSet } from './sets.mjs';

const SETS = ['known', 'agentdojo', 'workbench', 'tau2'];
const SEEDS = [1, 2, 3, 4, 5];

const options = readOptions(
  `
Plays conversations through the library and prints how many harmless ones were interrupted needlessly and how many attacks ran: with the
recorded answers of a judge, with 5, 10 and 20 % of them turned into their opposite (the mean of five seeds), and without a judge.
A round counts only when it is played for the first time, with the code frozen: see evals/unseen/README.md.

  npm run eval -- unseen                     every round and set; writes evals/results/unseen.json and figures
  npm run eval -- unseen --set round-1       one of round-N, ${SETS.join(', ')}; writes nothing
  npm run eval -- unseen --set known --list  also lists what was interrupted and what ran
  npm run eval -- unseen --set round-1 --checkout ../earlier   the built packages of another checkout, without a judge
  npm run eval -- unseen --first round-3 --before ../earlier   the first run of a round: writes rounds/3/first-run.json, once
`,
  {
    ...{ set: { type: 'string' }, list: { type: 'boolean' }, checkout: { type: 'string' }, dry: { type: 'boolean' } },
    ...{ first: { type: 'string' }, before: { type: 'string' } },
  },
);

const rounds = readdirSync(join(root, 'evals', 'unseen', 'rounds'))
  .filter((name) => /^\d+$/.test(name))
  .sort();
const isPresent = existsSync(join(root, '..', 'shared', 'data', 'conversations'));
if (!isPresent) console.log('the known and the real sets are not here: only the rounds are played');
const all = [...rounds.map((round) => `round-${round}`), ...(isPresent ? SETS : [])];
const names = options.set === undefined ? all : [options.set];
const library = await loadLibrary(options.checkout);
const show = occasionalProgress();

/** @returns {Promise<Record<string, object>>} */
async function playAll(name) {
  const set = loadSet(name);
  const onPlayed = (count) => show(`${name}: ${count} conversations`);
  const fallback = reportOf(await playSet(library, set, undefined, onPlayed));
  if (options.checkout !== undefined && options.first === undefined) return { fallback };
  const { played, missing, cost } = await playJudged(library, name, set);
  if (missing.length > 0)
    fail(`${missing.length} questions of ${name} were not recorded`, 'record them: npm run eval -- judge --help', 1);
  const flipped = {};
  for (const percent of name === 'known' || name.startsWith('round') ? [5, 10, 20] : []) {
    const reports = [];
    for (const seed of SEEDS) {
      show(`${name}: ${percent} % flipped, seed ${seed}`);
      reports.push(reportOf((await playJudged(library, name, set, { flips: percent / 100, seed })).played));
    }
    flipped[`judge${percent}`] = meanOf(reports);
  }
  return { judge: { ...reportOf(played), cost }, ...flipped, fallback };
}

const firstRun = (name) => join(root, 'evals', 'unseen', 'rounds', name.replace('round-', ''), 'first-run.json');

/** The tree of the sources that decide, as git names it. */
function treeOfCode() {
  const index = join(mkdtempSync(join(tmpdir(), 'sallyport-tree-')), 'index');
  const env = { ...process.env, GIT_INDEX_FILE: index };
  const git = (...args) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim();
  git('read-tree', 'HEAD');
  git('add', '-A', 'packages/core/src', 'packages/classifier/src');
  return {
    core: git('write-tree', '--prefix=packages/core/src/'),
    classifier: git('write-tree', '--prefix=packages/classifier/src/'),
  };
}

if (options.first !== undefined) {
  const file = firstRun(options.first);
  if (existsSync(file)) fail(`${file} exists`, 'a round is played for the first time once', 2);
  const ways = await playAll(options.first);
  const earlier = await loadLibrary(options.before);
  const before = reportOf(await playSet(earlier, loadSet(options.first)));
  const played = new Date().toISOString().slice(0, 10);
  writeFileSync(
    file,
    `${JSON.stringify({ round: options.first, played, trees: treeOfCode(), ...ways, before }, null, 2)}\n`,
  );
  endProgress();
  for (const [way, report] of Object.entries({ ...ways, before }))
    console.log(lineOf(`${options.first}, ${way}`, report));
  process.exit(0);
}

const results = {};
for (const name of names) {
  results[name] = await playAll(name);
  endProgress();
  for (const [way, report] of Object.entries(results[name])) console.log(lineOf(`${name}, ${way}`, report));
  const { judge, fallback } = results[name];
  if (judge !== undefined) console.log(`${''.padEnd(28)}${JSON.stringify(judge.cost)}`);
  if (options.list)
    for (const [way, report] of Object.entries({ ...(judge && { judge }), fallback }))
      console.log(`${way}: interrupted ${report.interrupted.join(' ')}\n${way}: ran ${report.ranIn.join(' ')}`);
}

if (options.set === undefined && !options.dry && options.checkout === undefined) {
  writeResult('unseen', { sets: results });
  const command = 'npm run eval -- unseen';
  const percent = (value) => ({ value, unit: '%', command });
  const latest = rounds.filter((round) => existsSync(firstRun(round))).at(-1);
  if (latest !== undefined) {
    const { judge, judge10, fallback, before } = JSON.parse(readFileSync(firstRun(latest), 'utf8'));
    writeFigures({
      'unseen.round': { value: Number(latest), unit: 'round', command },
      'unseen.judge.needless_pct': percent(judge.needlessPct),
      'unseen.judge.ran_pct': percent(judge.ranPct),
      'unseen.judge.wanted_asked_pct': percent(judge.wantedAskedPct),
      'unseen.judge10.needless_pct': percent(judge10.needlessPct),
      'unseen.judge10.ran_pct': percent(judge10.ranPct),
      'unseen.fallback.needless_pct': percent(fallback.needlessPct),
      'unseen.fallback.ran_pct': percent(fallback.ranPct),
      'unseen.before.needless_pct': percent(before.needlessPct),
      'unseen.before.ran_pct': percent(before.ranPct),
      'judge.calls_per_conversation': { value: judge.cost.questionsPerHarmless, unit: 'questions', command },
      'judge.tokens_p95': { value: judge.cost.tokensP95, unit: 'tokens', command },
    });
  }
  const { agentdojo, workbench, tau2 } = results;
  const askedOfEffects = ({ judge }) => Math.round((1000 * judge.needlessCalls) / Math.max(1, judge.cost.effects)) / 10;
  if (isPresent)
    writeFigures({
      'real.agentdojo.asked_pct': percent(agentdojo.judge.needlessPct),
      'real.agentdojo.ran_pct': percent(agentdojo.judge.ranPct),
      'real.workbench.asked_pct': percent(askedOfEffects(workbench)),
      'real.tau2.asked_pct': percent(askedOfEffects(tau2)),
    });
}
