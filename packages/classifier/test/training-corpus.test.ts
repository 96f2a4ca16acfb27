import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCorpus } from '../../../training/corpus.ts';
import { readSplit } from '../../../training/document.ts';
import { Random } from '../../../training/random.ts';
import { TAGS } from '../src/tag.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sallyport-corpus-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

const FOLDERS = ['injections', 'wrappers', 'planted', 'benign', 'mentions'];

function writeCorpus(files: Readonly<Record<string, string>>): void {
  for (const folder of FOLDERS) mkdirSync(join(directory, folder));
  for (const [path, content] of Object.entries(files)) write(path, content);
}

describe('a seeded generator', () => {
  it('gives these numbers first: other numbers make another model of the same data', () => {
    const random = new Random(42);
    expect(Array.from({ length: 5 }, () => random.next())).toEqual([
      0.6011037519201636, 0.44829055899754167, 0.8524657934904099, 0.6697340414393693, 0.17481389874592423,
    ]);
  });

  it('gives the same again from the same seed, and others from another', () => {
    const five = (seed: number): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(five(7)).toEqual(five(7));
    expect(five(7)).not.toEqual(five(8));
    expect(five(-1)).toEqual(five(2 ** 32 - 1));
  });

  it('stays in its range, picks what is there and loses nothing in a shuffle', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer(), { minLength: 1, maxLength: 40 }), (seed, items) => {
        const random = new Random(seed);
        const next = random.next();
        expect(next >= 0 && next < 1).toBe(true);
        expect(items).toContain(random.pick(items));
        const below = random.below(items.length);
        expect(Number.isInteger(below) && below >= 0 && below < items.length).toBe(true);
        const copy = [...items];
        expect(random.shuffle(items).sort()).toEqual([...items].sort());
        expect(items).toEqual(copy);
        expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
      }),
    );
  });

  it('is even enough', () => {
    const random = new Random(3);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const bin = random.below(10);
      counts[bin] = (counts[bin] as number) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1150);
  });
});

describe('the reader of the corpus', () => {
  it('reads the words of a header and the text below it', () => {
    writeCorpus({
      'injections/en-mail.txt': '%% mail bare exfiltration\nSend it.\nNow.\n\n%% web fake-system\nObey.\n',
      'planted/fr-wide.txt':
        '%% mail invoice authority exfiltration office-order\nBonjour,\n\n\u27e6Envoie-la.\u27e7\n\nMerci\n',
      'benign/de.txt': '%% note web\nEin Text.\n',
    });
    expect(readCorpus(directory)).toEqual([
      {
        kind: 'injection',
        brief: 'injections/en-mail',
        words: ['mail', 'bare', 'exfiltration'],
        lang: 'en',
        text: 'Send it.\nNow.',
      },
      { kind: 'injection', brief: 'injections/en-mail', words: ['web', 'fake-system'], lang: 'en', text: 'Obey.' },
      {
        kind: 'planted',
        brief: 'planted/fr-wide',
        words: ['mail', 'invoice', 'authority', 'exfiltration', 'office-order'],
        lang: 'fr',
        text: 'Bonjour,\n\n\u27e6Envoie-la.\u27e7\n\nMerci',
      },
      { kind: 'benign', brief: 'benign/de', words: ['note', 'web'], lang: 'de', text: 'Ein Text.' },
    ]);
  });

  it('has the language of a brief that begins with its code, and English else', () => {
    writeCorpus({
      'benign/ja-mail.txt': '%% a b\none\n',
      'benign/pages.txt': '%% a b\ntwo\n',
      'benign/deals.txt': '%% a b\nthree\n',
    });
    expect(readCorpus(directory).map(({ brief, lang }) => [brief, lang])).toEqual([
      ['benign/deals', 'en'],
      ['benign/ja-mail', 'ja'],
      ['benign/pages', 'en'],
    ]);
  });

  it.each([
    ...['en', 'ja', 'zh', 'ko', 'es', 'pt', 'it', 'fr', 'de', 'nl', 'sv', 'da', 'pl', 'cs', 'ru', 'uk', 'tr', 'ar'],
    ...['he', 'fa', 'ur', 'hi', 'bn', 'vi', 'id', 'th', 'tl', 'el', 'fi', 'hu', 'ro'],
    ...['ar-latn', 'hi-latn', 'ja-latn', 'ru-latn'],
  ])('knows the language %s', (code) => {
    writeCorpus({
      [`planted/${code}-wide.txt`]: '%% a b c d e\none\n',
      [`benign/${code}.txt`]: '%% a b\ntwo\n',
      [`benign/${code.replaceAll('-', '')}x-mail.txt`]: '%% a b\nthree\n',
    });
    const langs = new Map(readCorpus(directory).map(({ text, lang }) => [text, lang]));
    expect(langs).toEqual(
      new Map([
        ['one', code],
        ['two', code],
        ['three', 'en'],
      ]),
    );
  });

  it('reads a language in Latin letters as another one than in its own', () => {
    writeCorpus({ 'benign/ru-latn-hard.txt': '%% a b\none\n', 'benign/ru-late.txt': '%% a b\ntwo\n' });
    expect(readCorpus(directory).map(({ lang }) => lang)).toEqual(['ru', 'ru-latn']);
  });

  it('counts a text once that differs in blanks and case, within its kind only', () => {
    writeCorpus({
      'benign/a.txt': '%% x y\nThe Same text\n%% x y\nthe same\ntext\n',
      'mentions/a.txt': '%% x y\nthe same text\n',
      'planted/a.txt': '%% x y\nthe same text\n%% x z\nThe same  text\n',
    });
    expect(readCorpus(directory).map(({ kind }) => kind)).toEqual(['planted', 'benign', 'mention']);
  });

  it('leaves out text before the first header, and records without text', () => {
    writeCorpus({ 'benign/a.txt': 'a note\n%% x y\n\n%% x z\ntext %% not a header\n' });
    expect(readCorpus(directory).map(({ words, text }) => [words, text])).toEqual([
      [['x', 'z'], 'text %% not a header'],
    ]);
  });

  it('refuses a directory without the five folders: a corpus of nothing must not train', () => {
    expect(() => readCorpus(directory)).toThrow(/ENOENT/);
  });

  it.each(FOLDERS)('refuses a directory without the folder %s', (folder) => {
    writeCorpus({});
    expect(readCorpus(directory)).toEqual([]);
    rmSync(join(directory, folder), { recursive: true });
    expect(() => readCorpus(directory)).toThrow(/ENOENT/);
  });
});

describe('our own corpus', () => {
  const items = readCorpus(fileURLToPath(new URL('../../../training/corpus', import.meta.url)));

  it('has exactly one place for a goal in every wrapper and mention', () => {
    const framed = items.filter(({ kind }) => kind === 'wrapper' || kind === 'mention');
    expect(items.length).toBeGreaterThan(1000);
    expect(framed.length).toBeGreaterThan(50);
    expect(framed.filter(({ text }) => text.split('{goal}').length !== 2)).toEqual([]);
    expect(items.filter(({ text, words }) => text === '' || words.length === 0)).toEqual([]);
  });

  it('has exactly one planted part in every planted text, and none elsewhere', () => {
    const planted = items.filter(({ kind }) => kind === 'planted');
    const others = items.filter(({ kind }) => kind !== 'planted');
    expect(planted.length).toBeGreaterThan(3000);
    const isMarked = (text: string) => /^[^\u27e6\u27e7]*\u27e6[^\u27e6\u27e7]+\u27e7[^\u27e6\u27e7]*$/.test(text);
    expect(planted.filter(({ text }) => !isMarked(text))).toEqual([]);
    expect(others.filter(({ text }) => /[\u27e6\u27e7]/.test(text))).toEqual([]);
    expect(items.filter(({ text }) => /[\ue000\ue001]/.test(text))).toEqual([]);
  });

  it('names placement, goal, style, tag and family of every planted text', () => {
    const planted = items.filter(({ kind }) => kind === 'planted');
    expect(planted.filter(({ words }) => words.length !== 5)).toEqual([]);
    const tags: readonly string[] = TAGS;
    expect(planted.filter(({ words }) => !tags.includes(words[3] as string))).toEqual([]);
  });

  it('has planted and benign texts of every new language', () => {
    for (const kind of ['planted', 'benign']) {
      const langs = new Set(items.filter((item) => item.kind === kind).map(({ lang }) => lang));
      for (const lang of ['da', 'el', 'fi', 'he', 'hu', 'ro', 'ur', 'fa', 'ar-latn', 'hi-latn', 'ja-latn', 'ru-latn'])
        expect(langs).toContain(lang);
    }
  });
});

describe('the reader of labelled records', () => {
  const row = { id: 'r1', source: 's', split: 'dev', text: 'abc', label: 'injection', lang: 'en', channel: 'mail' };
  /** As the shared files are written: a blank after each colon. */
  const line = (given: object): string => JSON.stringify(given).replaceAll('":', '": ');

  it('reads the records of a split, with their spans', () => {
    const spans = [
      { start: 0, end: 2, kind: 'instruction' },
      { start: 2, end: 3, kind: 'payload-code' },
    ];
    write('a.jsonl', `${line({ ...row, spans, attack: 'x' })}\n${line({ ...row, split: 'train', spans: [] })}\n`);
    write('b.txt', line({ ...row, spans: [] }));
    expect(readSplit(directory, 'dev')).toEqual([
      {
        id: 'r1',
        source: 's',
        text: 'abc',
        injected: true,
        spans: [
          { start: 0, end: 2, ignored: false },
          { start: 2, end: 3, ignored: true },
        ],
        lang: 'en',
        channel: 'mail',
        attack: 'x',
        claim: 'addresses',
      },
    ]);
  });

  it.each([
    { attack: 'bipia:Task Automation', claim: 'asks' },
    { attack: 'asb:raw-instruction', claim: 'asks' },
    { attack: 'piarena:direct:access_denial', claim: 'asks' },
    { attack: 'piarena:ignore:access_denial', claim: 'addresses' },
    { attack: 'tasktracker:plain-task', claim: 'asks' },
    { attack: 'tasktracker:translated-task', claim: 'asks' },
    { attack: 'tasktracker:trigger+task', claim: 'addresses' },
    { attack: 'ours_ml:bare', claim: 'asks' },
    { attack: 'ours_ml:wrapped', claim: 'addresses' },
    { attack: 'spikee:no-jailbreak', claim: 'asks' },
    { attack: 'spikee:dan', claim: 'addresses' },
    { attack: 'spikee:bipia:', claim: 'addresses' },
    { attack: undefined, claim: 'addresses' },
  ])('claims that the attack $attack $claim', ({ attack, claim }) => {
    write('a.jsonl', line({ ...row, spans: [], attack }));
    expect(readSplit(directory, 'dev').map((document) => document.claim)).toEqual([claim]);
  });

  it('does not take a record whose text names the split', () => {
    write('a.jsonl', line({ ...row, split: 'test', text: 'a', note: { split: 'dev' }, spans: [] }));
    expect(readSplit(directory, 'dev')).toEqual([]);
  });

  it('reads a benign record as such', () => {
    write('a.jsonl', line({ ...row, label: 'benign', spans: [] }));
    expect(readSplit(directory, 'dev').map(({ injected }) => injected)).toEqual([false]);
  });

  it('is empty without a directory', () => {
    expect(readSplit(join(directory, 'none'), 'dev')).toEqual([]);
  });
});
