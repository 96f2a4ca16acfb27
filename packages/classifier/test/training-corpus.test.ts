import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCorpus } from '../../../training/corpus.ts';
import { readSplit } from '../../../training/document.ts';
import { Random } from '../../../training/random.ts';

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

function writeCorpus(files: Readonly<Record<string, string>>): void {
  for (const folder of ['injections', 'wrappers', 'benign', 'mentions']) mkdirSync(join(directory, folder));
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

  it('counts a text once that differs in blanks and case, within its kind only', () => {
    writeCorpus({
      'benign/a.txt': '%% x y\nThe Same text\n%% x y\nthe same\ntext\n',
      'mentions/a.txt': '%% x y\nthe same text\n',
    });
    expect(readCorpus(directory).map(({ kind }) => kind)).toEqual(['benign', 'mention']);
  });

  it('leaves out text before the first header, and records without text', () => {
    writeCorpus({ 'benign/a.txt': 'a note\n%% x y\n\n%% x z\ntext %% not a header\n' });
    expect(readCorpus(directory).map(({ words, text }) => [words, text])).toEqual([
      [['x', 'z'], 'text %% not a header'],
    ]);
  });

  it('refuses a directory without the four folders: a corpus of nothing must not train', () => {
    expect(() => readCorpus(directory)).toThrow(/ENOENT/);
  });

  it('reads our own corpus: every wrapper and mention has exactly one place for a goal', () => {
    const items = readCorpus(fileURLToPath(new URL('../../../training/corpus', import.meta.url)));
    const framed = items.filter(({ kind }) => kind === 'wrapper' || kind === 'mention');
    expect(items.length).toBeGreaterThan(1000);
    expect(framed.length).toBeGreaterThan(50);
    expect(framed.filter(({ text }) => text.split('{goal}').length !== 2)).toEqual([]);
    expect(items.filter(({ text, words }) => text === '' || words.length === 0)).toEqual([]);
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
      },
    ]);
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
