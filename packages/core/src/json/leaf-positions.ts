import { fitsShape, type Shape } from './shape.ts';

/** A string or number in JSON text, with its position. */
export interface JsonLeaf {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The name of the property that holds it, directly or in an array. */
  readonly name: string | undefined;
  /** The number of objects around it. */
  readonly depth: number;
}

/** An object in JSON text, with its direct values. */
interface JsonObject {
  readonly start: number;
  end: number;
  readonly leaves: JsonLeaf[];
  readonly around: JsonObject | undefined;
  /** The number of objects around it, including itself. */
  readonly depth: number;
  hasObjects: boolean;
}

// Canonical JSON: no blanks, and a colon directly after a name.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]|true|false|null/y;

interface Open {
  /** The object that contains the following tokens, directly or in an array. */
  readonly object: JsonObject | undefined;
  readonly isList: boolean;
  readonly name: string | undefined;
}

/** Reads JSON text token by token. Uses its own stack, since an untrusted author chooses how deep the text is nested. */
class Reader {
  readonly leaves: JsonLeaf[] = [];
  readonly objects: JsonObject[] = [];
  readonly #open: Open[] = [];
  #name: string | undefined;

  read(text: string): void {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      const [token] = match;
      const end = TOKEN.lastIndex;
      if (token.startsWith('"') && text[end] === ':') this.#name = JSON.parse(token) as string;
      else if (/^["\d-]/.test(token)) this.#leaf(token, match.index, end);
      else this.#structure(token, match.index, end);
    }
  }

  #leaf(token: string, start: number, end: number): void {
    const text = token.startsWith('"') ? (JSON.parse(token) as string) : token;
    const around = this.#open.at(-1);
    const leaf = { start, end, text, name: this.#name, depth: around?.object?.depth ?? 0 };
    this.leaves.push(leaf);
    if (around?.isList === false) around.object?.leaves.push(leaf);
  }

  #structure(token: string, start: number, end: number): void {
    if (token === '{') this.#enter(start, end);
    else if (token === '[') this.#open.push({ object: this.#open.at(-1)?.object, isList: true, name: this.#name });
    else if (token === ']' || token === '}') this.#leave(end);
    else if (token === ',') this.#next();
  }

  #enter(start: number, end: number): void {
    const around = this.#open.at(-1)?.object;
    if (around !== undefined) around.hasObjects = true;
    const object = { start, end, leaves: [], around, depth: (around?.depth ?? 0) + 1, hasObjects: false };
    this.objects.push(object);
    this.#open.push({ object, isList: false, name: undefined });
    this.#name = undefined;
  }

  #leave(end: number): void {
    const closed = this.#open.pop();
    if (closed?.isList === false && closed.object !== undefined) closed.object.end = end;
    this.#next();
  }

  /** Sets the name of the next value: an array's items have its name, and a property sets its own. */
  #next(): void {
    this.#name = this.#open.at(-1)?.name;
  }
}

function readJson(text: string): Reader {
  const reader = new Reader();
  reader.read(text);
  return reader;
}

// A record, or a record in an array or a table of records. Deeper text may be a review that a visitor wrote as JSON.
const MAX_FIELD_DEPTH = 2;

/** The values of canonical JSON text whose name is listed and that fit the shape listed for it. */
export function findFields(text: string, fields: ReadonlyMap<string, Shape>): JsonLeaf[] {
  return readJson(text).leaves.filter((leaf) => {
    if (leaf.depth > MAX_FIELD_DEPTH) return false;
    const shape = leaf.name === undefined ? undefined : fields.get(leaf.name);
    return shape !== undefined && fitsShape(leaf.text, shape);
  });
}

const AUTHOR = /^(?:from|sender|author|by|created_?by|creator|owner|user|user_?name|login|organi[sz]er|poster)$/i;
const MAX_AUTHOR_LENGTH = 120;
const MAX_NAMES = 3;

/** The words of an author's name. Of a mail address only the local part: many people share a host. */
function wordsOfAuthor({ name, text }: JsonLeaf): readonly string[] {
  if (name === undefined || !AUTHOR.test(name) || text.length > MAX_AUTHOR_LENGTH) return [];
  return (
    text
      .replace(/@\S*/g, ' ')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  );
}

/** The words of the author that an object states; none if it does not. */
function authorOf({ leaves }: JsonObject): readonly string[] {
  return leaves.map(wordsOfAuthor).find(({ length }) => length > 0) ?? [];
}

/** The objects of canonical JSON text whose author has one of these names, such as the mails of one sender. */
export function findWrittenBy(text: string, names: ReadonlySet<string>): { start: number; end: number }[] {
  const within = new Set<JsonObject>();
  const written: JsonObject[] = [];
  // Outer objects come first: an object inside one with an author belongs to that author, whatever name it states.
  for (const object of readJson(text).objects) {
    const author = authorOf(object);
    const hasOuterAuthor = object.around !== undefined && within.has(object.around);
    if (hasOuterAuthor || author.length > 0) within.add(object);
    // A name with too many words may be a list of guesses.
    const isNamed = author.length <= MAX_NAMES && names.has(author[0] ?? '');
    if (isNamed && !hasOuterAuthor && !object.hasObjects) written.push(object);
  }
  return written.map(({ start, end }) => ({ start, end }));
}
