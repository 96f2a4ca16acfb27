import { type JSONVisitor, visit } from 'jsonc-parser';

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
  /** Where it stands in the file, with its quotation marks. */
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

/** A JSON pointer. Its parts are cut, and it itself at its beginning: whoever writes the file chooses how long both are. */
export function pointerTo(place: Place): string {
  const parts: string[] = [];
  let at = place;
  for (; at.parent !== undefined && parts.length < MAX_PARTS; at = at.parent) parts.push(part(at.key));
  return `${at.parent === undefined ? '' : '/...'}${parts.reverse().join('')}`;
}

/** Where a visitor is. */
class Walk {
  readonly #holders: { readonly place: Place; readonly isArray: boolean; key: string | number }[] = [];
  readonly #root: Place;

  constructor(root: Place) {
    this.#root = root;
  }

  get place(): Place {
    const holder = this.#holders.at(-1);
    return holder === undefined ? this.#root : { parent: holder.place, key: holder.key };
  }

  enter(isArray: boolean): void {
    this.#holders.push({ place: this.place, isArray, key: isArray ? 0 : '' });
  }

  leave(): void {
    this.#holders.pop();
  }

  name(key: string): void {
    const holder = this.#holders.at(-1);
    if (holder !== undefined) holder.key = key;
  }

  next(): void {
    const holder = this.#holders.at(-1);
    if (holder?.isArray) holder.key = (holder.key as number) + 1;
  }
}

/** Whether it is one JSON value, that can be read. */
function isJson(json: string): boolean {
  let isBroken = false;
  const onError = (): void => {
    isBroken = true;
  };
  try {
    visit(json, { onError }, { disallowComments: true });
  } catch {
    // Nested deeper than anybody can read.
    return false;
  }
  return !isBroken;
}

/** Gives the strings of one JSON value, and the names in it, in their order. */
function eachString(json: string, base: number, root: Place, take: Take): void {
  const walk = new Walk(root);
  const give = (text: string, offset: number, length: number, isName: boolean): void =>
    take({ text, place: walk.place, isName, start: base + offset, end: base + offset + length });
  const visitor: JSONVisitor = {
    onObjectBegin: () => walk.enter(false),
    onArrayBegin: () => walk.enter(true),
    onObjectEnd: () => walk.leave(),
    onArrayEnd: () => walk.leave(),
    onSeparator: (character) => {
      if (character === ',') walk.next();
    },
    onObjectProperty: (name, offset, length) => {
      walk.name(name);
      give(name, offset, length, true);
    },
    onLiteralValue: (value, offset, length) => {
      if (typeof value === 'string') give(value, offset, length, false);
    },
  };
  visit(json, visitor, { disallowComments: true });
}

/** Each line that is not empty, until somebody has enough of them. */
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
