// Plays every set of conversations under the gate, attacks and everyday work alike, and prints one table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { checkWordings } from '../replay/check-wordings.mjs';
import { loadLabels } from '../replay/labels.mjs';
import { loadConversations } from '../replay/measure.mjs';
import { percent } from '../replay/metrics.mjs';
import { suiteNames } from '../replay/traces.mjs';
import { WORDINGS } from '../replay/wordings.mjs';
import { playAgentDyn, TUNED_ON } from './agentdyn.mjs';
import { playCoding } from './coding.mjs';
import { playDisclosure } from './disclosure.mjs';
import { loadLibrary } from './library.mjs';
import { besideWords, measuresOf, printList, printTable } from './report.mjs';
import { areScriptsPresent, playScripts } from './scripted.mjs';
import { isTauPresent, playTau } from './tau.mjs';

const SETS = ['agentdyn', 'scripts', 'tau', 'coding', 'disclosure'];
/** The sets whose tasks have labels. */
const LABELLED = ['agentdyn', 'scripts'];

const options = readOptions(
  `
Plays recorded and scripted conversations under the gate and prints what was held: AgentDyn (attacks on nine models, in nine
wordings, and harmless tasks), everyday and adaptive scripts, tau-bench, coding sessions under \`sallyport wrap\`, and every
placement of a private word towards a destination that only untrusted text names.
Every set was read while the gate was built; none of the figures is of unseen conversations.

  npm run eval -- gate                                 everything; writes evals/results/conversations.json and its figures
  npm run eval -- gate --set agentdyn --suite ${TUNED_ON}   one set, one suite; writes nothing
  npm run eval -- gate --set agentdyn --wording bare   one wording; writes nothing
  npm run eval -- gate --set disclosure                this set; writes its two figures
  npm run eval -- gate --preset strict                 one preset; replaces its part of the result
  npm run eval -- gate --tasks labels                  ${LABELLED.join(' and ')}, with labels written by hand in place of the built-in words;
                                                       writes evals/results/conversations-labels.json, and no figures
  npm run eval -- gate --list                          also lists each needless question and each hijack
  npm run eval -- gate --as other                     writes evals/results/other.json, and no figures
  npm run eval -- gate --check-wordings                checks that every wording keeps every value; writes nothing
`,
  {
    set: { type: 'string' },
    suite: { type: 'string' },
    wording: { type: 'string' },
    preset: { type: 'string' },
    tasks: { type: 'string' },
    list: { type: 'boolean' },
    as: { type: 'string' },
    'check-wordings': { type: 'boolean' },
    dry: { type: 'boolean' },
  },
);

function oneOf(name, names) {
  const given = options[name];
  if (given !== undefined && !names.includes(given))
    fail(`--${name} must be one of ${names.join(', ')}; received ${given}`, 'see --help', 2);
  return given === undefined ? names : [given];
}

oneOf('tasks', ['words', 'labels']);
const labels = options.tasks === 'labels' ? loadLabels() : undefined;
const sets = oneOf('set', labels ? LABELLED : SETS);
const suites = oneOf('suite', suiteNames);
const wordings = oneOf('wording', WORDINGS);
const presets = oneOf('preset', ['balanced', 'strict']);
const isWhole = ['set', 'suite', 'wording'].every((name) => options[name] === undefined);

if (options['check-wordings']) {
  const { results, regions, problems } = checkWordings(loadConversations(suites).traces);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) fail(`${problems.length} values are lost`, 'correct evals/replay/wordings.mjs or goals.mjs');
  console.log(`OK - ${regions} injected texts in ${results} results keep their values in every wording`);
  process.exit(0);
}

// A result without a set would look like a better one.
const absent = [
  { set: 'scripts', isPresent: areScriptsPresent },
  { set: 'tau', isPresent: isTauPresent },
].filter(({ set, isPresent }) => sets.includes(set) && !isPresent && (isWhole || options.set === set));
if (absent.length > 0 && presets.includes('balanced'))
  fail(`no data for ${absent.map(({ set }) => set).join(', ')}`, 'get the data first, or name another --set');

const show = occasionalProgress();

const library = await loadLibrary();
const agentdyn = sets.includes('agentdyn')
  ? await playAgentDyn(library, { suites, wordings, presets, labels, show })
  : {};

/** `strict` holds nearly everything, so the other sets say nothing about it. */
async function playOthers(preset) {
  if (preset === 'strict') return {};
  return {
    ...(sets.includes('scripts') && areScriptsPresent ? await playScripts(library, { preset, labels }) : {}),
    ...(sets.includes('tau') && isTauPresent ? { tau: playTau(preset) } : {}),
    ...(sets.includes('coding') ? { coding: await playCoding(preset, show) } : {}),
  };
}

const disclosure = sets.includes('disclosure') ? await playDisclosure(library, 'balanced') : undefined;
if (disclosure !== undefined) {
  const { cases, silent } = disclosure;
  console.log(`disclosure: ${cases} cases, ${silent.length} passed without a question (goal 0)`);
  for (const each of options.list ? silent : []) console.log(JSON.stringify(each));
  const from = { unit: 'cases', command: 'npm run eval -- gate --set disclosure' };
  if (!options.dry && options.as === undefined)
    writeFigures({
      'disclosure.cases': { value: cases, ...from },
      'disclosure.silent': { value: silent.length, ...from },
    });
}

function readResult(name) {
  const file = join(root, 'evals', 'results', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { presets: {} };
}

const result = { tunedOn: TUNED_ON, tasks: labels ? 'labels' : 'words', classifier: library.classifier, presets: {} };
for (const preset of presets) result.presets[preset] = { replay: agentdyn[preset], ...(await playOthers(preset)) };
endProgress();

if (options.list) for (const preset of presets) printList(result.presets[preset], preset);
const columns = Object.fromEntries(presets.map((preset) => [preset, measuresOf(result.presets[preset], preset)]));
if (sets.some((set) => set !== 'disclosure'))
  printTable(labels ? besideWords(columns, readResult('conversations').presets) : columns);
if (isWhole && !options.dry) {
  const name = options.as ?? (labels ? 'conversations-labels' : 'conversations');
  // A run of one preset keeps the results of the others.
  const { presets: others } = options.preset ? readResult(name) : {};
  writeResult(name, { ...result, presets: { ...others, ...result.presets } });
  const command = 'npm run eval -- gate';
  const figures = Object.values(columns)
    .flat()
    .map(({ id, value, unit }) => [id, { value, unit, command }]);
  const { undefended, attacks } = result.presets[presets[0]].replay;
  const share = ['replay.undefended.hijacked_pct', { value: percent(undefended, attacks), unit: '%', command }];
  if (options.as === undefined && !labels) writeFigures(Object.fromEntries([...figures, share]));
}
