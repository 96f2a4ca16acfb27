/** A value in JSON text, at its place. An array's members have no names. */
export interface JsonNode {
  readonly type: 'object' | 'array' | 'string' | 'other';
  readonly start: number;
  end: number;
  readonly members: JsonMember[];
}

export interface JsonMember {
  readonly name: string | undefined;
  /** Where its name begins, or the value itself where it has none. */
  readonly start: number;
  readonly value: JsonNode;
}

export interface JsonText {
  readonly text: string;
  readonly root: JsonNode;
  /** Two members of one object have one name: readers differ in which of them they take. */
  readonly isAmbiguous: boolean;
}

const NONE: JsonMember[] = [];
const STRUCTURE = /[^\s,:]/g;
const BARE_END = /[\s,\]}]|$/g;

/** The end of the string that begins at `at`. Linear, since no backslash is counted for two quotation marks. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

function indexFrom(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}

/** The string that stands at a node. */
export function stringAt(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/** It has a stack of its own: a stranger says how deep a text goes. */
class Reader {
  readonly #text: string;
  readonly #open: JsonNode[] = [];
  #name: { readonly text: string; readonly start: number } | undefined;
  root: JsonNode | undefined;
  isAmbiguous = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    const text = this.#text;
    for (let at = indexFrom(STRUCTURE, text, 0); at < text.length; at = indexFrom(STRUCTURE, text, at))
      at = this.#take(text[at] as string, at);
  }

  /** Takes what begins here, and says where it ends. */
  #take(character: string, at: number): number {
    switch (character) {
      case '{':
      case '[':
        this.#enter({ type: character === '{' ? 'object' : 'array', start: at, end: at, members: [] });
        return at + 1;
      case '}':
      case ']':
        this.#leave(at + 1);
        return at + 1;
      case '"':
        return this.#string({ start: at, end: endOfString(this.#text, at) });
      default: {
        const end = indexFrom(BARE_END, this.#text, at);
        this.#add({ type: 'other', start: at, end, members: NONE });
        return end;
      }
    }
  }

  #string(place: { readonly start: number; readonly end: number }): number {
    const isName = this.#open.at(-1)?.type === 'object' && this.#name === undefined;
    if (isName) this.#name = { text: stringAt(this.#text, place), start: place.start };
    else this.#add({ type: 'string', ...place, members: NONE });
    return place.end;
  }

  #add(node: JsonNode): void {
    this.root ??= node;
    const name = this.#name;
    this.#open.at(-1)?.members.push({ name: name?.text, start: name?.start ?? node.start, value: node });
    this.#name = undefined;
  }

  #enter(node: JsonNode): void {
    this.#add(node);
    this.#open.push(node);
  }

  #leave(end: number): void {
    const node = this.#open.pop() as JsonNode;
    node.end = end;
    if (node.type === 'object' && node.members.length > 1)
      this.isAmbiguous ||= new Set(node.members.map(({ name }) => name)).size < node.members.length;
  }
}

/** Reads where everything stands in a text that JSON.parse takes. */
export function readJson(text: string): JsonText {
  const reader = new Reader(text);
  reader.read();
  return { text, root: reader.root as JsonNode, isAmbiguous: reader.isAmbiguous };
}

/** The member of a name, in an object. */
export function memberNamed(node: JsonNode | undefined, name: string): JsonMember | undefined {
  return node?.type === 'object' ? node.members.find((member) => member.name === name) : undefined;
}

/** The value of the member of a name. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return memberNamed(node, name)?.value;
}

/** A node and all below it, in the order of the text. */
export function* within(node: JsonNode): Generator<JsonNode> {
  const left = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    for (const { value } of next.members.toReversed()) left.push(value);
  }
}

/** What a number is written by where JavaScript would round it: ids and accounts have more digits than it counts. */
const LONG = /\d{16}|\d[eE][+-]?\d{2}/;

/** The value of a node in which long numbers are texts, so that two that differ in their last digit are two. */
export function readExactly(text: string, node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (!LONG.test(text)) return readValue(text, node);
  const pieces: string[] = [];
  let from = node.start;
  for (const next of within(node)) {
    const number = next.type === 'other' ? text.slice(next.start, next.end) : '';
    if (!LONG.test(number.replace('.', ''))) continue;
    pieces.push(text.slice(from, next.start), JSON.stringify(number));
    from = next.end;
  }
  return JSON.parse(pieces.join('') + text.slice(from, node.end));
}

/** What a node holds as a value; undefined where there is none. */
export function readValue(text: string, node: JsonNode | undefined): unknown {
  return node === undefined ? undefined : JSON.parse(text.slice(node.start, node.end));
}
