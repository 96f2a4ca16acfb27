// Measures what the boundary would have done in recorded conversations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { checkWordings } from './check-wordings.mjs';
import { decisiveTools, ownCalls } from './decisive.mjs';
import { replay } from './replay.mjs';
import { percent, printTable, writeReplayFigures } from './report.mjs';
import { count, emptyTally, sum } from './tally.mjs';
import { TOOLS } from './tools.mjs';
import { loadTraces, suiteNames } from './traces.mjs';
import { WORDINGS } from './wordings.mjs';

const TUNED_ON = 'shopping';

const options = readOptions(
  `
Replays recorded conversations of nine models through boundary and gate, under the presets balanced and strict, and with the
attackers' texts in eight wordings; the recorded calls do not change. All choices were made on the suite ${TUNED_ON}; github and
dailylife are held out.

  npm run eval -- replay                        everything; writes evals/results/replay.json and its figures
  npm run eval -- replay --suite ${TUNED_ON}    the suite for development; writes nothing
  npm run eval -- replay --check-wordings       check that every wording keeps every value; writes nothing
  npm run eval -- replay --wording bare --list  list the conversations that escaped or were touched; writes nothing
`,
  {
    suite: { type: 'string' },
    wording: { type: 'string' },
    list: { type: 'boolean' },
    'check-wordings': { type: 'boolean' },
    dry: { type: 'boolean' },
  },
);

if (options.suite !== undefined && !suiteNames.includes(options.suite))
  fail(`--suite must be a suite; received ${options.suite}`, `use one of: ${suiteNames.join(', ')}`, 2);
if (options.wording !== undefined && !WORDINGS.includes(options.wording))
  fail(`--wording must be a wording; received ${options.wording}`, `use one of: ${WORDINGS.join(', ')}`, 2);

const core = await import('../../packages/core/dist/index.js').catch((error) =>
  fail(`the build of core cannot be loaded: ${error.message}`, 'run npm run build', 2),
);
const { memoryVerdictCache } = await import('../../packages/core/dist/stages.js');
const { spanClassifier } = await import('../../packages/classifier/dist/index.js');

const suites = options.suite === undefined ? suiteNames : [options.suite];
const traces = loadTraces({ suites });
if (options['check-wordings']) {
  const { results, regions, problems } = checkWordings(traces);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) fail(`${problems.length} values are lost`, 'correct evals/replay/wordings.mjs or goals.mjs');
  console.log(`OK - ${regions} injected texts in ${results} results keep their values in every wording`);
  process.exit(0);
}
const conversations = traces.filter(
  ({ task, attack }) => task.startsWith('user_task') && (attack === null || attack === 'important_instructions'),
);
const own = ownCalls(traces.filter(({ task }) => task.startsWith('user_task')));
const reads = Object.fromEntries(
  suites.map((suite) => [
    suite,
    new Set(TOOLS[suite].filter(({ effect }) => effect === 'read').map(({ name }) => name)),
  ]),
);
const goals = new Map(
  suites.flatMap((suite) => [
    ...decisiveTools(
      traces.filter((trace) => trace.suite === suite),
      reads[suite],
    ),
  ]),
);
// Verdicts do not depend on preset or fields, so no text is classified twice.
const cache = memoryVerdictCache(200_000);

function boundariesOf(preset, hasFields) {
  return Object.fromEntries(
    suites.map((suite) => {
      const tools = TOOLS[suite].map((tool) => core.defineTool(hasFields ? tool : { ...tool, serviceFields: {} }));
      return [suite, core.createBoundary({ tools, classifier: spanClassifier, cache, gate: { preset } })];
    }),
  );
}

let shown = 0;
function show(what, done, all) {
  if (Date.now() - shown < (process.stdout.isTTY ? 200 : 20_000)) return;
  shown = Date.now();
  const bar = '#'.repeat(Math.floor((done / all) * 30)).padEnd(30, '.');
  progress(`[${bar}] ${what}: ${done} of ${all} conversations`);
}

function describe(kind, trace, calls) {
  const held = calls.find(({ decision }) => decision.outcome !== 'allow')?.decision;
  const why =
    held === undefined ? [] : [held.outcome, held.rule, held.call.tool, ...held.evidence.map(({ path }) => path)];
  return { kind, id: trace.id, attack: trace.attack !== null, why: why.join(' ') };
}

/** Replays conversations; a re-worded attack matters only where the attacker succeeded. */
async function measure(preset, wording, hasFields = true) {
  const boundaries = boundariesOf(preset, hasFields);
  const chosen = conversations.filter(({ hijacked }) => wording === 'original' || hijacked);
  const tallies = {};
  const listed = [];
  for (const [index, trace] of chosen.entries()) {
    const { suite, model, injection } = trace;
    const calls = await replay(trace, { boundary: boundaries[suite], source: core.source }, wording);
    tallies[suite] ??= {};
    tallies[suite][model] ??= emptyTally();
    const tools = goals.get(`${suite}/${injection?.task}`) ?? new Set();
    const kind = count(tallies[suite][model], trace, calls, { reads: reads[suite], tools, own: own(trace) });
    if (kind !== '') listed.push(describe(kind, trace, calls));
    show(`${preset}, ${wording}${hasFields ? '' : ', without fields'}`, index + 1, chosen.length);
  }
  endProgress();
  return { tallies, listed };
}

const attacks = Object.fromEntries(
  suites.map((suite) => [
    suite,
    conversations.filter((trace) => trace.suite === suite && trace.attack !== null).length,
  ]),
);

function hijackedShare(tallies, of) {
  const total = sum(of.flatMap((suite) => Object.values(tallies[suite] ?? {})));
  return percent(
    total.hijacked,
    of.reduce((all, suite) => all + attacks[suite], 0),
  );
}

const heldOut = suites.filter((suite) => suite !== TUNED_ON);
const wordings = options.wording === undefined ? WORDINGS : [options.wording];
const result = { tunedOn: TUNED_ON, heldOut, classifier: spanClassifier.id, presets: {}, wordings: {} };
for (const preset of ['balanced', 'strict']) {
  for (const wording of wordings) {
    const { tallies, listed } = await measure(preset, wording);
    if (wording === 'original') result.presets[preset] = { tallies, listed };
    result.wordings[wording] ??= {};
    result.wordings[wording][preset] = Object.fromEntries(
      [['heldOut', heldOut], ...suites.map((suite) => [suite, [suite]])]
        .filter(([, of]) => of.length > 0)
        .map(([name, of]) => [name, hijackedShare(tallies, of)]),
    );
    if (options.list) for (const each of listed) console.log(preset, wording, each.kind, each.id, each.why);
  }
}
if (wordings.includes('original')) {
  const { tallies } = await measure('strict', 'original', false);
  result.presets.strict.heldWithoutFields = Object.fromEntries(
    suites.map((suite) => [suite, sum(Object.values(tallies[suite])).benignEffects]),
  );
}
const defences = join(root, '..', 'shared', 'data', 'agentdyn-defences.json');
result.published = JSON.parse(readFileSync(defences, 'utf8'));
printTable(result, attacks);
if (options.suite === undefined && options.wording === undefined && !options.dry) {
  writeResult('replay', result);
  writeReplayFigures(result);
}
