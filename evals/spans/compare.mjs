// Writes tables from the committed results: other detectors next to ours, and ours by source and by format.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../../tools/command.mjs';

const options = readOptions(
  `
Writes the tables of evals/spans/README.md, docs/classifier.md and docs/peers.md from evals/results/peers.json and spans.json.

  npm run eval -- compare
  npm run eval -- compare --check  write nothing; exit 1 when they are stale
`,
  { check: { type: 'boolean' } },
);

const SOURCES = ['agentdojo', 'agentdyn', 'injecagent', 'agentdojo_ja', 'cyberseceval', 'redteamcua'];
const HEADER = [
  'detector',
  'benign',
  'NotInject',
  'AgentDojo',
  'AgentDyn',
  'InjecAgent',
  'in Japanese',
  'CyberSecEval',
  'RedTeamCUA',
];
// The document model of the linear baseline, as in its own report; it is not run here.
const BASELINE = [
  'n-gram regression, trained on `train` (reported)',
  '1.0',
  '31.3',
  '31.1',
  '66.0',
  '46.3',
  '2.4',
  '2.9',
  '0.0',
];

const read = (name) => JSON.parse(readFileSync(join(root, 'evals', 'results', `${name}.json`), 'utf8'));
const percent = (share) => (100 * share).toFixed(1);
const shareOf = (tally) => (tally === undefined || tally.total === 0 ? '-' : percent(tally.flagged / tally.total));

function rowsOfPeers() {
  return read('peers').peers.flatMap(({ package: name, version, configurations }) =>
    configurations
      .filter(({ injectionBySource }) => injectionBySource !== undefined)
      .map((each) => [
        `\`${name}\` ${version}, ${each.name}${each.sampled ? ` (${each.n} records)` : ''}`,
        shareOf(each.benign),
        shareOf(each.notinject),
        ...SOURCES.map((source) => shareOf(each.injectionBySource[source])),
      ]),
  );
}

function rowsOfOurs() {
  const { benign, benign_by_source: by, sources } = read('spans');
  const row = (title, rate, recall) => [
    title,
    percent(benign[rate]),
    percent(by.notinject[rate]),
    ...SOURCES.map((source) => percent(sources[source][recall])),
  ];
  return [
    row('**sallyport**, `medium` or above, as shipped', 'shipped', 'recall_shipped'),
    row('**sallyport**, where 1 % of benign documents are flagged', 'fpr1', 'recall_fpr1'),
    row('**sallyport**, where 5 % are', 'fpr5', 'recall_fpr5'),
  ];
}

const line = (cells) => `| ${cells.join(' | ')} |`;
const table = [
  line(HEADER),
  `|---|${'--:|'.repeat(HEADER.length - 1)}`,
  ...[...rowsOfOurs(), BASELINE, ...rowsOfPeers()].map(line),
].join('\n');

const range = ([from, to]) => `${percent(from)} to ${percent(to)}`;

const NAMES = {
  pooled: 'all of the first five',
  agentdojo: 'AgentDojo',
  agentdyn: 'AgentDyn',
  injecagent: 'InjecAgent',
  agentdojo_ja: 'AgentDojo in Japanese',
  fresh: 'fresh texts',
  cyberseceval: 'CyberSecEval',
};
const measured = read('spans');
const addresses = [
  line(['attacks that address the model', 'documents', 'found at 1 %', '95 % interval', 'at `medium`']),
  '|---|--:|--:|--:|--:|',
  ...Object.entries(NAMES)
    .filter(([name]) => measured.addresses[name] !== undefined)
    .map(([name, title]) => {
      const { records, recall_fpr1, interval, recall_shipped } = measured.addresses[name];
      return line([title, records, percent(recall_fpr1), range(interval), percent(recall_shipped)]);
    }),
].join('\n');
const formats = [
  line(['written as', 'found at 1 %', 'overlap of found spans', 'payload found']),
  '|---|--:|--:|--:|',
  ...Object.entries(measured.formats).map(([name, { recall_fpr1, iou_found, payload_recall }]) =>
    line([name, percent(recall_fpr1), percent(iou_found), percent(payload_recall)]),
  ),
].join('\n');

// A few of them with few columns, for docs/peers.md.
const FEW = [
  '**sallyport**, where 1 %',
  '`agent-threat-rules` 4.0.0, lane hunt',
  '`@presidio-dev/hai-guardrails` 1.12.0, pattern',
  '`llm-guard` 0.1.9, all guards',
  '`llm-prompt-guard` 2.2.1, detect',
  '`@andersmyrmel/vard` 1.2.0, moderate',
];
const isFew = ([title]) => FEW.some((start) => title.startsWith(start));
const shortRow = (cells) => line([cells[0], cells[1], ...cells.slice(3, 6)]);
const short = [
  shortRow(HEADER),
  `|---|${'--:|'.repeat(4)}`,
  ...[...rowsOfOurs(), ...rowsOfPeers()].filter(isFew).map(shortRow),
].join('\n');

const TABLES = {
  'evals/spans/README.md': { comparison: table, formats },
  'docs/classifier.md': { addresses },
  'docs/peers.md': { comparison: short },
};

function put(file, into, name, content) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [into.indexOf(open), into.indexOf(close)];
  if (from < 0 || to < from) fail(`${file} has no ${open} ... ${close}`, 'restore the two marks');
  return `${into.slice(0, from + open.length)}\n${content}\n${into.slice(to)}`;
}

for (const [file, tables] of Object.entries(TABLES)) {
  const text = readFileSync(join(root, file), 'utf8');
  const updated = Object.entries(tables).reduce((into, [name, content]) => put(file, into, name, content), text);
  if (options.check && updated !== text) fail(`the tables of ${file} are stale`, 'run npm run eval -- compare');
  if (!options.check) writeFileSync(join(root, file), updated);
}
console.log('OK - the tables of the span classifier match the results');
