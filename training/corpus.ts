// Reads the texts under training/corpus: records that begin with a line `%% word word ...`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Item {
  readonly kind: 'injection' | 'wrapper' | 'planted' | 'benign' | 'mention';
  /** The file name without extension: one brief, one writer. */
  readonly brief: string;
  readonly words: readonly string[];
  readonly lang: string;
  readonly text: string;
}

const FOLDERS = {
  injections: 'injection',
  wrappers: 'wrapper',
  planted: 'planted',
  benign: 'benign',
  mentions: 'mention',
} as const;

// A code with `latn` is the language in Latin letters.
const LANGUAGES =
  'ar-latn hi-latn ja-latn ru-latn en ja zh ko es pt it fr de nl sv da pl cs ru uk tr ar he fa ur hi bn vi id th tl el fi hu ro'.split(
    ' ',
  );

/** The file name of a brief in another language begins with the language's code. */
function langOf(brief: string): string {
  return LANGUAGES.find((code) => brief === code || brief.startsWith(`${code}-`)) ?? 'en';
}

function* readItems(folder: keyof typeof FOLDERS, brief: string, content: string): Generator<Item> {
  for (const chunk of content.split(/^%% /m).slice(1)) {
    const end = chunk.indexOf('\n');
    const text = chunk.slice(end + 1).replace(/\s+$/, '');
    if (end < 0 || text === '') continue;
    const words = chunk.slice(0, end).trim().split(/\s+/);
    yield { kind: FOLDERS[folder], brief: `${folder}/${brief}`, words, lang: langOf(brief), text };
  }
}

/** Every text of the corpus, in the order of file names; a repeated text counts once. */
export function readCorpus(directory: string): Item[] {
  const seen = new Set<string>();
  const items: Item[] = [];
  for (const folder of Object.keys(FOLDERS) as (keyof typeof FOLDERS)[])
    for (const name of readdirSync(join(directory, folder)).sort())
      for (const item of readItems(
        folder,
        name.replace(/\.txt$/, ''),
        readFileSync(join(directory, folder, name), 'utf8'),
      )) {
        const key = `${item.kind} ${item.text.toLowerCase().replace(/\s+/g, ' ')}`;
        if (seen.has(key)) continue;
        seen.add(key);
        items.push(item);
      }
  return items;
}
