import { readWords } from '../../text/words.ts';
import type { Provenance } from '../trace.ts';

/** A copy of this many consecutive words is not a coincidence. */
const MIN_REPEATED_WORDS = 8;

/** The ids of the untrusted records of which a text copies a run of words. */
export function repeatedIn(text: string, trace: (text: string) => Provenance): readonly string[] {
  const isLong = (part: string): boolean => readWords(part).count >= MIN_REPEATED_WORDS;
  if (!isLong(text)) return [];
  const copied = trace(text).pieces.filter(
    ({ start, end, trust }) => trust !== 'vouched' && trust !== 'own' && isLong(text.slice(start, end)),
  );
  return [...new Set(copied.flatMap(({ occurrences }) => occurrences.map(({ recordId }) => recordId)))];
}
