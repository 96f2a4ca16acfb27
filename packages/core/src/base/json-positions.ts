// The one reader of JSON with positions. Every function expects text that JSON.parse accepts; on other text the result
// is meaningless, but each function still ends. Time is linear in the text, and nothing here recurses: the author of a
// text chooses how deeply it nests. `jsonc-parser` stays in the CLI's configuration editor, because such files hold
// comments.

/** A range of JSON text. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/** A value in JSON text and its position. The members of an array have no names. */
export interface JsonNode extends JsonRange {
  readonly type: 'object' | 'array' | 'string' | 'other';
  end: number;
  readonly members: JsonMember[];
}

/** A member of an object or an item of an array. */
export interface JsonMember {
  readonly name: string | undefined;
  /** The position of the name, or of the value if there is no name. */
  readonly start: number;
  readonly value: JsonNode;
}

/** JSON text and the positions of its values. */
export interface JsonText {
  readonly text: string;
  readonly root: JsonNode;
}

const NO_MEMBERS: JsonMember[] = [];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Between two values: white space, comma, colon. */
function isGap(code: number): boolean {
  return code === 0x20 || code === 0x2c || code === 0x3a || code === 0x0a || code === 0x0d || code === 0x09;
}

function afterGap(text: string, position: number): number {
  let at = position;
  while (isGap(text.charCodeAt(at))) at++;
  return at;
}

/**
 * The end of the string whose opening quotation mark is at `start`. Linear: a run of backslashes precedes at most one
 * quotation mark, so it is counted once.
 *
 * @example
 * ```ts
 * endOfString('["a", 1]', 1); // 4
 * ```
 */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The end of a number, `true`, `false` or `null`. */
function endOfBare(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isGap(code) || code === CLOSE_OBJECT || code === CLOSE_ARRAY) break;
  }
  return at;
}

const BRACKETS = /["{}[\]]/g;

/** The end of the object or array at `start`. */
function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    BRACKETS.lastIndex = at;
    at = BRACKETS.exec(text)?.index ?? text.length;
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else {
      depth += code === OPEN_OBJECT || code === OPEN_ARRAY ? 1 : -1;
      at++;
    }
  } while (depth > 0);
  return at;
}

function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  return code === OPEN_OBJECT || code === OPEN_ARRAY ? endOfContainer(text, start) : endOfBare(text, start);
}

/**
 * The string at a range of JSON text, decoded.
 *
 * @example
 * ```ts
 * stringAt('["a\\u0062"]', { start: 1, end: 10 }); // 'ab'
 * ```
 */
export function stringAt(text: string, { start, end }: JsonRange): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/**
 * The position of the outermost value.
 *
 * @example
 * ```ts
 * startOfJson(' {} '); // 1
 * ```
 */
export function startOfJson(text: string): number {
  return afterGap(text, 0);
}

/**
 * The members of the object at `start`, one by one, with the range of each value. Values are skipped and not read, so
 * this costs less than `readJson` if you need one member of a large message. Yields nothing if the value is not an
 * object.
 *
 * @example
 * ```ts
 * for (const { name, value } of membersAt(text, startOfJson(text)))
 *   if (name === 'id') return text.slice(value.start, value.end);
 * ```
 */
export function* membersAt(
  text: string,
  start: number,
): Generator<{ readonly name: string; readonly value: JsonRange }> {
  if (text.charCodeAt(start) !== OPEN_OBJECT) return;
  let at = afterGap(text, start + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = endOfString(text, at);
    const name = stringAt(text, { start: at, end: nameEnd });
    const valueStart = afterGap(text, nameEnd);
    const value = { start: valueStart, end: endOfValue(text, valueStart) };
    yield { name, value };
    at = afterGap(text, value.end);
  }
}

/** Builds the tree with its own stack, because the author of a text chooses how deeply it nests. */
class Reader {
  readonly #text: string;
  readonly #open: JsonNode[] = [];
  #name: { readonly text: string; readonly start: number } | undefined;
  root: JsonNode | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    const text = this.#text;
    for (let at = afterGap(text, 0); at < text.length; at = afterGap(text, at)) at = this.#readAt(at);
  }

  /** Reads the token at a position, and returns where it ends. */
  #readAt(at: number): number {
    switch (this.#text.charCodeAt(at)) {
      case OPEN_OBJECT:
        return this.#enter({ type: 'object', start: at, end: at, members: [] });
      case OPEN_ARRAY:
        return this.#enter({ type: 'array', start: at, end: at, members: [] });
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        return this.#leave(at + 1);
      case QUOTE:
        return this.#string(at, endOfString(this.#text, at));
      default:
        return this.#add({ type: 'other', start: at, end: endOfBare(this.#text, at), members: NO_MEMBERS });
    }
  }

  #string(start: number, end: number): number {
    const isName = this.#name === undefined && this.#open.at(-1)?.type === 'object';
    if (!isName) return this.#add({ type: 'string', start, end, members: NO_MEMBERS });
    this.#name = { text: stringAt(this.#text, { start, end }), start };
    return end;
  }

  #add(node: JsonNode): number {
    this.root ??= node;
    const name = this.#name;
    this.#open.at(-1)?.members.push({ name: name?.text, start: name?.start ?? node.start, value: node });
    this.#name = undefined;
    return node.end;
  }

  #enter(node: JsonNode): number {
    this.#add(node);
    this.#open.push(node);
    return node.start + 1;
  }

  #leave(end: number): number {
    const node = this.#open.pop();
    if (node !== undefined) node.end = end;
    return end;
  }
}

/**
 * Reads the position of every value in JSON text. Call JSON.parse first if the text may not be JSON.
 *
 * @example
 * ```ts
 * const { root } = readJson('{"to": "ann@example.com"}');
 * const to = memberOf(root, 'to'); // { type: 'string', start: 7, end: 24, members: [] }
 * ```
 */
export function readJson(text: string): JsonText {
  const reader = new Reader(text);
  reader.read();
  return { text, root: reader.root ?? { type: 'other', start: 0, end: 0, members: NO_MEMBERS } };
}

/**
 * The first member of an object with this name.
 *
 * @example
 * ```ts
 * const member = memberNamed(json.root, 'params');
 * ```
 */
export function memberNamed(node: JsonNode | undefined, name: string): JsonMember | undefined {
  return node?.type === 'object' ? node.members.find((member) => member.name === name) : undefined;
}

/**
 * The value of the first member of an object with this name.
 *
 * @example
 * ```ts
 * const method = memberOf(json.root, 'method');
 * ```
 */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return memberNamed(node, name)?.value;
}

/**
 * A node and every node in it, in the order of the text.
 *
 * @example
 * ```ts
 * for (const node of within(json.root)) if (node.type === 'string') check(stringAt(json.text, node));
 * ```
 */
export function* within(node: JsonNode): Generator<JsonNode> {
  const left = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    for (let index = next.members.length - 1; index >= 0; index--) left.push((next.members[index] as JsonMember).value);
  }
}

/**
 * Finds an object at or below the node that names a member twice. Readers differ in which of the two values they take.
 *
 * @example
 * ```ts
 * hasDuplicateNames(readJson('{"to": "a", "to": "b"}').root); // true
 * ```
 */
export function hasDuplicateNames(node: JsonNode): boolean {
  for (const { type, members } of within(node)) {
    if (type !== 'object' || members.length < 2) continue;
    if (new Set(members.map(({ name }) => name)).size < members.length) return true;
  }
  return false;
}
