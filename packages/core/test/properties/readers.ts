import { CONFUSABLES } from '@sallyport/decode';
import { decodeHTML, decodeHTMLStrict } from 'entities';
import fc from 'fast-check';
import { RESERVED } from '../../src/text/reserved-names.ts';
import { SECTIONS } from './hostile.ts';

// Control characters except white space, which separates words.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;

/** What a tokeniser, a scanner or another reader may do to a text before reading it. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  nfkc: (text) => text.normalize('NFKC'),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  invisible: (text) => text.replace(INVISIBLE, ''),
  confusable: (text) =>
    Array.from(text, (character) => CONFUSABLES.get(character.codePointAt(0) as number) ?? character).join(''),
  entities: decodeHTML,
  strictEntities: decodeHTMLStrict,
};

export const readings: fc.Arbitrary<readonly string[]> = fc.array(fc.constantFrom(...Object.keys(READERS)), {
  maxLength: 6,
});

export function read(text: string, names: readonly string[]): string {
  return names.reduce((current, name) => (READERS[name] as (text: string) => string)(current), text);
}

const escapeName = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const alternatives = (names: readonly string[]): string => names.map(escapeName).join('|');

// The oracle: written from the lists alone, without the scanner.
const PATTERNS = [
  new RegExp(`<[\\s/|\\\\]*(?:${alternatives(RESERVED.prefix)})`, 'i'),
  new RegExp(`<[\\s/|\\\\]*(?:${alternatives([...RESERVED.angle, ...SECTIONS])})(?![a-z0-9_-])`, 'i'),
  new RegExp(`<[\\s/\\\\]*\\|[\\s/|\\\\]*(?:${alternatives(RESERVED.bar)})(?![a-z0-9_-])`, 'i'),
  /<\|[a-z]/i,
  new RegExp(`\\[[\\s/|\\\\]*(?:${alternatives(RESERVED.square)})(?![a-z0-9_-])`, 'i'),
  new RegExp(`\\[[\\s/|\\\\]*(?:${alternatives(RESERVED.squarePrefix)})`, 'i'),
  /\[\|[a-z]/i,
  new RegExp(`(?:^|[\\n\\r])[ \\t]*(?:${alternatives(RESERVED.turn)})[ \\t]*:`, 'i'),
];

/** Reserved vocabulary in a text, or undefined. */
export function reservedIn(text: string): string | undefined {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  return undefined;
}
