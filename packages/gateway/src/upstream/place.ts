import { caseless } from '@sallyport/mcp-proxy';

/** Where a value stands in a JSON text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const BLANKS = /[\s,:]*/y;
const BARE_END = /[\s,\]}]|$/g;
const BRACKETS = /["{}[\]]/g;

function afterBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.exec(text);
  return BLANKS.lastIndex;
}

/** The end of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

/** The end of the object or array that begins at `at`. No recursion: a stranger says how deep a text goes. */
function endOfHolder(text: string, at: number): number {
  let depth = 0;
  let place = at;
  do {
    BRACKETS.lastIndex = place;
    place = BRACKETS.exec(text)?.index ?? text.length;
    const bracket = text[place];
    if (bracket === '"') place = endOfString(text, place);
    else {
      depth += bracket === '{' || bracket === '[' ? 1 : -1;
      place++;
    }
  } while (depth > 0);
  return place;
}

function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first === '{' || first === '[') return endOfHolder(text, at);
  BARE_END.lastIndex = at;
  return BARE_END.exec(text)?.index ?? text.length;
}

/**
 * The member of a name in the object at `at`. Throws where two have it, or one that differs only in capitals: of two
 * readers one takes the first and one the last, or does not look at capitals, and a number of ours would not be the id.
 */
function memberAt(text: string, at: number, name: string): Place | undefined {
  if (text[at] !== '{') return undefined;
  let found: Place | undefined;
  let place = afterBlanks(text, at + 1);
  while (text[place] === '"') {
    const nameEnd = endOfString(text, place);
    const start = afterBlanks(text, nameEnd);
    const end = endOfValue(text, start);
    const written = JSON.parse(text.slice(place, nameEnd)) as string;
    if (caseless(written) === caseless(name)) {
      if (found !== undefined || written !== name) throw new TypeError(`More than one member is called ${name}.`);
      found = { start, end };
    }
    place = afterBlanks(text, end);
  }
  return found;
}

/** Where the value at a path of names stands, in a text that JSON.parse takes. */
export function placeAt(text: string, ...path: readonly string[]): Place | undefined {
  const start = afterBlanks(text, 0);
  let place: Place | undefined = { start, end: text.length };
  for (const name of path) place = place === undefined ? undefined : memberAt(text, place.start, name);
  return place;
}

/** The JSON at a path of names; undefined where there is none. */
export function jsonAt(text: string, ...path: readonly string[]): string | undefined {
  const place = placeAt(text, ...path);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

/** Puts JSON in the place of the value at a path, where there is one. All else stays, byte for byte. */
export function replacedAt(text: string, json: string, ...path: readonly string[]): string {
  const place = placeAt(text, ...path);
  return place === undefined ? text : text.slice(0, place.start) + json + text.slice(place.end);
}
