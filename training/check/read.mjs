// Reads training/corpus strictly: what training/corpus.ts would silently skip is a problem here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FOLDERS = {
  injections: 'injection',
  wrappers: 'wrapper',
  planted: 'planted',
  benign: 'benign',
  mentions: 'mention',
};

const GOALS =
  'mail money files code calendar browser tickets memory cloud chat social shopping records home answer other'.split(
    ' ',
  );
const STYLES =
  'bare authority polite conditional continuation delayed roleplay fake-system fake-tool fake-result'.split(' ');
const TAGS =
  'imperative role-override system-prompt-shaped tool-invocation-shaped exfiltration concealment answer-steering'.split(
    ' ',
  );
// Styles of planted texts, whose writers needed more words for what they do.
const PLANTED_STYLES = [...STYLES, 'override', 'workflow', 'story', 'third-person', 'fake-user', 'disguise', 'urgent'];
const CHANNELS = 'text mail chat markdown json html yaml pdf log code csv'.split(' ');
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The words after `%%`, in order: a name, and the allowed words. */
export const HEADERS = {
  injection: [
    ['goal', GOALS],
    ['style', STYLES],
    ['tag', TAGS],
  ],
  wrapper: [
    ['style', STYLES],
    ['tag', TAGS],
  ],
  planted: [
    ['placement', NAME],
    ['goal', NAME],
    ['style', PLANTED_STYLES],
    ['tag', TAGS],
    ['family', NAME],
  ],
  benign: [
    ['genre', NAME],
    ['channel', NAME],
  ],
  mention: [
    ['genre', ['mention']],
    ['channel', CHANNELS],
  ],
};

/** The key by which training/corpus.ts recognises a repeated text. */
export function keyOf(text) {
  return text.toLowerCase().replace(/\s+/g, ' ');
}

/**
 * The header word with this name, such as the `tag` of an injection.
 * @param {{ kind: string, words: readonly string[] }} item
 * @param {string} name
 */
export function wordOf(item, name) {
  return item.words[HEADERS[item.kind].findIndex(([each]) => each === name)];
}

function* headerProblems(kind, words) {
  const expected = HEADERS[kind];
  if (words.length !== expected.length)
    yield `must have ${expected.length} header words, but has ${words.length} (${expected.map(([name]) => name).join(' ')})`;
  for (const [index, [name, allowed]] of expected.entries()) {
    const word = words[index] ?? '';
    if (allowed instanceof RegExp ? !allowed.test(word) : !allowed.includes(word))
      yield `has "${word}", which is not a valid ${name}`;
  }
}

function* textProblems(kind, text) {
  const goals = text.split('{goal}').length - 1;
  const wanted = kind === 'wrapper' || kind === 'mention' ? 1 : 0;
  if (text === '') yield 'has no text';
  else if (goals !== wanted)
    yield `must contain {goal} ${wanted === 1 ? 'once' : 'nowhere'}, but has it ${goals} times`;
  const marks = text.replace(/[^\u27e6\u27e7]/g, '');
  if (marks !== (kind === 'planted' ? '\u27e6\u27e7' : ''))
    yield `must have ${kind === 'planted' ? 'one planted part between U+27E6 and U+27E7' : 'no U+27E6 and U+27E7'}`;
  if (text.includes('\ufffd')) yield 'is not UTF-8, or contains a replacement character';
  if (/[\ue000\ue001]/.test(text)) yield 'contains a mark that composing uses (U+E000 or U+E001)';
  if (/^\s*%%/m.test(text)) yield 'contains a line with %% that is not a header';
}

/**
 * Every record of the corpus with its position, including repeated ones, and the problems of their format.
 * @param {string} directory
 */
export function readRecords(directory) {
  const items = [];
  const problems = [];
  for (const [folder, kind] of Object.entries(FOLDERS))
    for (const name of readdirSync(join(directory, folder)).sort()) {
      const brief = `${folder}/${name.replace(/\.txt$/, '')}`;
      const [before, ...chunks] = readFileSync(join(directory, folder, name), 'utf8').split(/^%% /m);
      if (!name.endsWith('.txt')) problems.push(`${folder}/${name} is not a .txt file`);
      if (before.trim() !== '') problems.push(`${brief}:1 has text before the first header`);
      if (chunks.length === 0) problems.push(`${brief} has no record`);
      let line = before.split('\n').length;
      for (const chunk of chunks) {
        const [header, ...rest] = chunk.split('\n');
        const text = rest.join('\n').replace(/\s+$/, '');
        const words = header.trim().split(/\s+/);
        const place = `${brief}:${line}`;
        for (const problem of [...headerProblems(kind, words), ...textProblems(kind, text)])
          problems.push(`${place} ${problem}`);
        if (text !== '') items.push({ kind, brief, place, words, text });
        line += rest.length;
      }
    }
  return { items, problems };
}
