// Plays the known sets of conversations under the gate, without a judge, and prints one table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { loadConversations } from '../replay/measure.mjs';
import { suiteNames } from '../replay/traces.mjs';
import { WORDINGS } from '../replay/wordings.mjs';
import { playAgentDyn } from './agentdyn.mjs';
import { playCoding } from './coding.mjs';
import { loadLibrary } from './library.mjs';
import { measuresOf, printList, printTable } from './report.mjs';
import { areScriptsPresent, playScripts } from './scripted.mjs';
import { isTauPresent, playTau } from './tau.mjs';

const SETS = ['agentdyn', 'scripts', 'tau', 'coding'];

const options = readOptions(
  `
Plays recorded and scripted conversations under the gate without a judge, and prints what was held: AgentDyn (harmless ones, and
hijacked ones in their wording and in bare words), everyday and adaptive scripts, tau-bench, and coding sessions under
\`sallyport wrap\`. All of them are known: a change shows that something broke, and nothing else. \`npm run eval -- unseen\` plays
conversations that nobody had read.

  npm run eval -- gate                                   everything; writes evals/results/conversations.json and its figures
  npm run eval -- gate --set agentdyn --suite dailylife  one set, one suite; writes nothing
  npm run eval -- gate --set agentdyn --wording bare     one wording; writes nothing
  npm run eval -- gate --preset strict                   one preset; replaces its part of the result
  npm run eval -- gate --list                            also lists each needless question and each attack that ran
`,
  {
    set: { type: 'string' },
    suite: { type: 'string' },
    wording: { type: 'string' },
    preset: { type: 'string' },
    list: { type: 'boolean' },
    dry: { type: 'boolean' },
  },
);

function oneOf(name, names) {
  const given = options[name];
  if (given !== undefined && !names.includes(given))
    fail(`--${name} must be one of ${names.join(', ')}; received ${given}`, 'see --help', 2);
  return given === undefined ? names : [given];
}

const sets = oneOf('set', SETS);
const suites = oneOf('suite', suiteNames);
const wordings = oneOf('wording', WORDINGS);
const presets = oneOf('preset', ['balanced', 'strict']);
const isWhole = ['set', 'suite', 'wording'].every((name) => options[name] === undefined);

// A result without a set would look like a better one.
const absent = [
  { set: 'scripts', isPresent: areScriptsPresent },
  { set: 'tau', isPresent: isTauPresent },
].filter(({ set, isPresent }) => sets.includes(set) && !isPresent);
if (absent.length > 0 && presets.includes('balanced'))
  fail(`no data for ${absent.map(({ set }) => set).join(', ')}`, 'get the data first, or name another --set');

const show = occasionalProgress();
const library = await loadLibrary();
const loaded = sets.includes('agentdyn') ? loadConversations(suites) : undefined;

async function play(preset) {
  const agentdyn = loaded && (await playAgentDyn(library, loaded, { preset, wordings, show }));
  // `strict` holds nearly everything, so the other sets say nothing about it.
  if (preset === 'strict') return { agentdyn };
  return {
    agentdyn,
    ...(sets.includes('scripts') ? await playScripts(library, preset) : {}),
    ...(sets.includes('tau') ? { tau: playTau(preset) } : {}),
    ...(sets.includes('coding') ? { coding: await playCoding(preset, show) } : {}),
  };
}

const results = {};
for (const preset of presets) results[preset] = await play(preset);
endProgress();

if (options.list) for (const preset of presets) printList(results[preset], preset);
const columns = Object.fromEntries(presets.map((preset) => [preset, measuresOf(results[preset], preset)]));
printTable(columns);
if (isWhole && !options.dry) {
  const file = join(root, 'evals', 'results', 'conversations.json');
  // A run of one preset keeps the results of the others.
  const others = options.preset && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).presets : {};
  writeResult('conversations', { classifier: library.classifier, presets: { ...others, ...results } });
  const command = 'npm run eval -- gate';
  const figures = Object.values(columns)
    .flat()
    .map(({ id, value, unit }) => [id, { value, unit, command }]);
  const undefended = { value: results[presets[0]].agentdyn.undefendedPct, unit: '%', command };
  writeFigures({ ...Object.fromEntries(figures), 'replay.undefended.hijacked_pct': undefended });
}
