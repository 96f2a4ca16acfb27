// Checks the prose of the site's pages: how much there is, how long its sentences are, how each page begins, and which words
// and sentences it must not have. Counts its code blocks, and those that CI runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contents } from '../../site/contents.mjs';
import { fail, readOptions, root } from '../command.mjs';
import { sentencesIn } from '../docs/sentences.mjs';
import { writeFigures } from '../figures.mjs';
import { findHits } from './language.mjs';
import { readViews } from './prose.mjs';

const MAX_WORDS_OF_PAGE = 1500;
const MAX_WORDS_OF_SITE = 25_000;
const MAX_WORDS_OF_START = 60;
const LONG_SENTENCE = 30;
const MAX_WORDS_OF_SENTENCE = 40;

const options = readOptions(
  `
Checks the pages that site/contents.mjs lists, and the home page:

  words       at most ${MAX_WORDS_OF_PAGE} on a page and ${MAX_WORDS_OF_SITE} on the site. Code blocks, comments and addresses are not counted; a
              code span is one word. Not counted is what readers only look things up in: the reference and the changelog,
              which are generated, and the table of the original design
  sentences   more than ${LONG_SENTENCE} words is a warning, more than ${MAX_WORDS_OF_SENTENCE} an error. Guides to plain English ask for 15 to 20 words on
              average and 25 at most; a sentence of this site may list names of options, which are read faster. Each cell of
              a table and each item of a list ends a sentence
  start       the first paragraph comes before any heading, list, table or code, has at most ${MAX_WORDS_OF_START} words, and says to the
              reader what they can do: it has "you" or "your", or begins with a verb such as "Use" or "Put"
  language    tools/check/language.json, as in tools/check/language.mjs
  quotes      no sentence of tools/check/unclear-sentences.json
  snippets    counts code blocks in TypeScript, JavaScript and shell. CI runs one that is a region of a program or of a
              source, and one under <!-- run: path/to/file.test.ts -->, whose test reads it from the page. Each other block
              must be in tools/check/not-run.json, with the reason why CI cannot run it

  node tools/check/words.mjs           prints problems and the words of each page
  node tools/check/words.mjs --long    prints warnings about long sentences as well
  node tools/check/words.mjs --write   writes docs.words, docs.pages_over_1500_words, docs.snippets and docs.snippets_run
  node tools/check/words.mjs --check   exit 1 even if only evals/figures.json has other values
`,
  { long: { type: 'boolean' }, write: { type: 'boolean' }, check: { type: 'boolean' } },
);

const COMMAND = 'npm run check -- words';
const GENERATED = new Set(['CHANGELOG.md']);
const LOOKED_UP = new Set(['docs/original-design.md']);
const VERBS =
  'Add|Answer|Approve|Ask|Build|Call|Check|Choose|Combine|Compare|Configure|Connect|Decide|Declare|Deploy|Find|Follow|Give|Handle|Install|Judge|Keep|Learn|Let|Limit|Log|Look|Make|Mark|Measure|Move|Paste|Pick|Predict|Protect|Put|Read|Replay|Report|Run|Say|See|Send|Set|Show|Start|Stop|Tag|Test|Trace|Try|Turn|Understand|Upgrade|Use|Watch|Wire|Wrap|Write';
const TO_THE_READER = new RegExp(`\\byour?\\b|^(?:${VERBS})\\b`, 'i');
const TAG = /<\/?[a-z][^>]*>/gi;
const FENCE = /^( *)(```+|~~~+)([^\n]*)\n([\s\S]*?)^\1\2/gm;
const SHOWN_LANGUAGE = /^(?:tsx?|jsx?|mjs|cjs|typescript|javascript|sh|bash|shell|console)\b/;

const wordsIn = (text) => text.match(/[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;
const plain = (text) =>
  text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(FENCE, '\n```\n```\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/(`+)[^`\n]+?\1(?!`)/g, ' code ')
    .replace(/\]\([^)\s]*\)/g, ']')
    .replace(TAG, '');

/** The prose of a page, paragraph by paragraph. */
const proseOf = (text) => readViews('page.md', plain(text)).prose.replace(/\0+/g, '\n\n');

function* problemsOfStart(text) {
  const [block = ''] = plain(text)
    .replace(/^\s*# .*\n/m, '')
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isParagraph = !/^(?:#|[-*] |\d+\. |\||`{3}|!\[|:::)/.test(block);
  const first = block.replace(/\s+/g, ' ').replace(/[*_[\]]/g, '');
  if (!isParagraph) yield `begins with ${JSON.stringify(first.slice(0, 30))}, not with a paragraph`;
  else if (wordsIn(first) > MAX_WORDS_OF_START)
    yield `begins with a paragraph of ${wordsIn(first)} words; the maximum is ${MAX_WORDS_OF_START}`;
  else if (!TO_THE_READER.test(first))
    yield `does not say in its first paragraph what the reader can do: ${JSON.stringify(first.slice(0, 60))}`;
}

const longSentences = (text) =>
  sentencesIn(text.replace(FENCE, '\n\n').replace(TAG, '\n\n'))
    .flatMap((sentence) => sentence.split(' | '))
    .map((sentence) => ({ sentence, length: wordsIn(sentence.replace(/(`+)[^`]+?\1/g, 'code')) }))
    .filter(({ length }) => length > LONG_SENTENCE);

const QUOTES = JSON.parse(readFileSync(new URL('unclear-sentences.json', import.meta.url), 'utf8'));
const squeezed = (text) => text.replace(/[*_]/g, '').replace(/\s+/g, ' ');
const quotesIn = (text) => QUOTES.filter(({ quote }) => squeezed(text).includes(squeezed(quote)));

/** What runs blocks of pages: tests, and the program that installs the packages. */
const RUNS_BLOCKS = /\.test\.tsx?$|^tools\/release\/consumers-docs\.mjs$/;

/** Whether CI runs a code block, from the comment above it. */
function isRunBlock(page, before, problems) {
  const [, snippet] = /<!-- snippet: (\S+?)#\S+ -->\n$/.exec(before) ?? [];
  if (snippet !== undefined) return true; // tools/check/docs.mjs compares it with the source
  const [, file] = /<!-- run: (\S+) -->\n$/.exec(before) ?? [];
  if (file === undefined) return false;
  const source = existsSync(join(root, file)) && RUNS_BLOCKS.test(file) ? readFileSync(join(root, file), 'utf8') : '';
  const isRun = source.includes(`'${page}'`);
  if (!isRun) problems.push(`says that ${file} runs a block, which does not read this page`);
  return isRun;
}

const NOT_RUN = JSON.parse(readFileSync(new URL('not-run.json', import.meta.url), 'utf8'));
const excused = new Set();

/** Whether CI cannot run a block, for a reason on the list. */
function isExcused(page, code) {
  const found = NOT_RUN.find((each) => each.page === page && code.startsWith(`${each.starts}`));
  if (found) excused.add(found);
  return found !== undefined;
}

function snippetsIn(page, text, problems) {
  const blocks = [...text.matchAll(FENCE)].filter(([, , , language]) => SHOWN_LANGUAGE.test(language.trim()));
  const run = blocks.filter(({ index }) => isRunBlock(page, text.slice(0, index), problems));
  for (const block of blocks)
    if (!run.includes(block) && !isExcused(page, block[4]))
      problems.push(`has a block that CI does not run: ${JSON.stringify(block[4].split('\n')[0])}`);
  return { all: blocks.length, run: run.length };
}

const files = ['site/home.md', ...contents.flatMap(({ pages }) => pages.map(([, , file]) => file))];
const problems = files.filter((file) => !existsSync(join(root, file))).map((file) => `${file} does not exist`);
const warnings = [];
const read = files.filter((file) => existsSync(join(root, file)));
const written = read.filter((file) => !GENERATED.has(file));
const snippets = { all: 0, run: 0 };
const counts = [];
for (const file of written) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...problemsOfStart(text)];
  counts.push({ file, words: wordsIn(proseOf(text)) });
  for (const { sentence, length } of longSentences(text)) {
    const line = `has a sentence of ${length} words: "${sentence.slice(0, 70)}..."`;
    (length > MAX_WORDS_OF_SENTENCE ? found : warnings).push(length > MAX_WORDS_OF_SENTENCE ? line : `${file} ${line}`);
  }
  for (const { quote } of quotesIn(text)) found.push(`still has: "${quote}"`);
  const { all, run } = snippetsIn(file, text, found);
  snippets.all += all;
  snippets.run += run;
  problems.push(...found.map((problem) => `${file} ${problem}`));
}
for (const entry of NOT_RUN)
  if (!excused.has(entry)) problems.push(`tools/check/not-run.json: ${entry.page} has no block "${entry.starts}" left`);
const counted = counts.filter(({ file }) => !LOOKED_UP.has(file));
const total = counted.reduce((sum, { words }) => sum + words, 0);
const large = counted.filter(({ words }) => words > MAX_WORDS_OF_PAGE);
for (const { file, words } of large) problems.push(`${file} has ${words} words; the maximum is ${MAX_WORDS_OF_PAGE}`);
if (total > MAX_WORDS_OF_SITE) problems.push(`the site has ${total} words; the maximum is ${MAX_WORDS_OF_SITE}`);
for (const { file, line, word, rule } of findHits({ files: written }).hits)
  problems.push(`${file}:${line} has "${word.trim()}" -> ${rule.replacement}`);
if (written.length === 0 || total === 0) fail('no page was read', 'check site/contents.mjs', 2);

const figures = {
  'docs.words': { value: total, unit: 'words' },
  'docs.pages_over_1500_words': { value: large.length, unit: 'pages' },
  'docs.snippets': { value: snippets.all, unit: 'code blocks' },
  'docs.snippets_run': { value: snippets.run, unit: 'code blocks' },
};
for (const { file, words } of counts.sort((one, other) => other.words - one.words))
  console.log(`${String(words).padStart(6)}  ${file}${LOOKED_UP.has(file) ? ' (not counted)' : ''}`);
for (const [id, { value, unit }] of Object.entries(figures)) console.log(`${id.padEnd(28)}${value} ${unit}`);
console.log(`${excused.size} code blocks cannot run in CI: tools/check/not-run.json says why`);
if (options.long) for (const warning of warnings) console.log(`warning: ${warning}`);
else console.log(`${warnings.length} sentences have more than ${LONG_SENTENCE} words; --long prints them`);
if (options.write)
  writeFigures(Object.fromEntries(Object.entries(figures).map(([id, each]) => [id, { ...each, command: COMMAND }])));
if (options.check) {
  const committed = JSON.parse(readFileSync(join(root, 'evals', 'figures.json'), 'utf8'));
  for (const [id, { value }] of Object.entries(figures))
    if (committed[id]?.value !== value)
      problems.push(
        `${id} is ${value}; evals/figures.json has ${committed[id]?.value ?? 'no value'}: run ${COMMAND} --write`,
      );
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems in ${written.length} pages`, 'shorten or reword the pages');
console.log(`OK - ${written.length} pages`);
