// The table of docs/classifier.md that puts other detectors beside ours, from the committed results.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../../tools/command.mjs';

const options = readOptions(
  `
Writes the comparison in docs/classifier.md from evals/results/peers.json and evals/results/spans.json.

  npm run eval:compare
  npm run eval:compare -- --check     write nothing; exit 1 when the table is stale
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
// The linear baseline's document model, as its own report gives it; it is not run again here.
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

const [OPEN, CLOSE] = ['<!-- comparison -->', '<!-- end of comparison -->'];
const file = join(root, 'docs', 'classifier.md');
const text = readFileSync(file, 'utf8');
const [from, to] = [text.indexOf(OPEN), text.indexOf(CLOSE)];
if (from < 0 || to < from) fail(`docs/classifier.md has no ${OPEN} ... ${CLOSE}`, 'put the two marks back');
const fresh = `${text.slice(0, from + OPEN.length)}\n${table}\n${text.slice(to)}`;
if (options.check && fresh !== text) fail('the comparison in docs/classifier.md is stale', 'run npm run eval:compare');
if (!options.check) writeFileSync(file, fresh);
console.log('OK - the comparison in docs/classifier.md is that of the results');
