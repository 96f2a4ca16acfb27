import { endOfString, type JsonMember, type JsonRange, parseJson, readJson, stringAt } from '@sallyport/core/json';

/** A place in a JSON value: a key, and the place of what holds it. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** A text in a file: the whole of it, or a string of its JSON. */
export interface FoundText {
  readonly text: string;
  /** Undefined where the file is plain text. */
  readonly place: Place | undefined;
  /** It is the name of a property. */
  readonly isName: boolean;
  /** Its position in the file, including the quotation marks. */
  readonly start: number;
  readonly end: number;
}

type Take = (found: FoundText) => void;

const ROOT: Place = { parent: undefined, key: '' };
const MAX_PART_LENGTH = 80;
const MAX_PARTS = 64;

function part(key: string | number): string {
  const name = String(key);
  const cut = name.length > MAX_PART_LENGTH ? `${name.slice(0, MAX_PART_LENGTH).toWellFormed()}...` : name;
  return `/${cut.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A JSON pointer. Its parts are shortened, and so is its beginning: the author of the file chooses how long both are. */
export function pointerTo(place: Place): string {
  const parts: string[] = [];
  let at = place;
  for (; at.parent !== undefined && parts.length < MAX_PARTS; at = at.parent) parts.push(part(at.key));
  return `${at.parent === undefined ? '' : '/...'}${parts.reverse().join('')}`;
}

function isJson(json: string): boolean {
  try {
    parseJson(json);
    return true;
  } catch {
    // Not an error: the file is read as plain text.
    return false;
  }
}

/** Gives the strings of one JSON value, and the names in it, in their order. No recursion: the text may nest to any depth. */
function eachString(json: string, base: number, root: Place, take: Take): void {
  const give = (range: JsonRange, place: Place, isName: boolean): void =>
    take({ text: stringAt(json, range), place, isName, start: base + range.start, end: base + range.end });
  const left: { readonly member: JsonMember; readonly place: Place }[] = [];
  const { root: value } = readJson(json);
  left.push({ member: { name: undefined, start: value.start, value }, place: root });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { member, place } = next;
    const { type, members } = member.value;
    if (member.name !== undefined) give({ start: member.start, end: endOfString(json, member.start) }, place, true);
    if (type === 'string') give(member.value, place, false);
    for (let index = members.length - 1; index >= 0; index--) {
      const inner = members[index] as JsonMember;
      left.push({ member: inner, place: { parent: place, key: inner.name ?? index } });
    }
  }
}

/** Calls `accept` with each line that is not empty, until it returns false. */
function everyLine(content: string, accept: (line: string, start: number, index: number) => boolean): boolean {
  for (let start = 0, index = 0; start <= content.length; index++) {
    const found = content.indexOf('\n', start);
    const end = found < 0 ? content.length : found;
    const line = content.slice(start, end);
    if (line.trim() !== '' && !accept(line, start, index)) return false;
    start = end + 1;
  }
  return true;
}

/** Gives the texts of a file: strings of JSON or of lines of JSON one by one, as an agent reads them; anything else as it is. */
export function eachText(content: string, take: Take): void {
  const isLikeJson = /^\s*[[{"]/.test(content);
  // Looked at before anything is given: what turns out to be no JSON is one text.
  if (isLikeJson && isJson(content)) eachString(content, 0, ROOT, take);
  else if (isLikeJson && everyLine(content, isJson))
    everyLine(content, (line, start, index) => {
      eachString(line, start, { parent: ROOT, key: index }, take);
      return true;
    });
  else take({ text: content, place: undefined, isName: false, start: 0, end: content.length });
}
