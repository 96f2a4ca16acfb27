// The word classes of training/lexicon, hashed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLASSES, hashWord, type WordClass } from '../../packages/classifier/src/language/lexicon.ts';

export function readLexicon(directory: string): (readonly [number, number])[] {
  const classes = new Map<number, number>();
  for (const name of readdirSync(directory)
    .filter((each) => each.endsWith('.txt'))
    .sort())
    for (const line of readFileSync(join(directory, name), 'utf8').split('\n')) {
      const colon = line.indexOf(':');
      if (colon < 0) continue;
      const index = CLASSES.indexOf(line.slice(0, colon).trim() as WordClass);
      if (index < 0) throw new Error(`${name}: ${line.slice(0, colon)} is not a word class`);
      for (const word of line
        .slice(colon + 1)
        .trim()
        .split(/\s+/)) {
        const hash = hashWord(word.toLowerCase().normalize('NFKC'));
        classes.set(hash, (classes.get(hash) ?? 0) | (1 << index));
      }
    }
  return [...classes].sort(([one], [other]) => one - other);
}
