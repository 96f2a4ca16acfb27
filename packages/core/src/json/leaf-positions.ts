import { fitsShape, type Shape } from './shape.ts';

/** A string or number in JSON text, at its place. */
export interface JsonLeaf {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The name it stands under: in its object, or of the list that such a name holds. */
  readonly name: string | undefined;
  /** How many objects it stands in. */
  readonly depth: number;
}

/** An object in JSON text, with what stands in it directly. */
interface JsonObject {
  readonly start: number;
  end: number;
  readonly leaves: JsonLeaf[];
  readonly around: JsonObject | undefined;
  /** How many objects it stands in, itself among them. */
  readonly depth: number;
  hasObjects: boolean;
}

// Canonical JSON: no blanks, and a colon right behind a name.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]|true|false|null/y;

interface Open {
  /** The object that what follows stands in, directly or in a list. */
  readonly object: JsonObject | undefined;
  readonly isList: boolean;
  readonly name: string | undefined;
}

/** Reads JSON text token by token; a stack of its own, since a stranger says how deep it goes. */
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

  /** A list goes on under its own name, an object waits for one. */
  #next(): void {
    this.#name = this.#open.at(-1)?.name;
  }
}

function readJson(text: string): Reader {
  const reader = new Reader();
  reader.read(text);
  return reader;
}

// A record, or a record in a list or a table of records. What lies deeper may be a review that somebody wrote as JSON.
const DEEPEST_FIELD = 2;

/** The values of canonical JSON text whose name is listed and whose form is the one listed for it. */
export function findFields(text: string, fields: ReadonlyMap<string, Shape>): JsonLeaf[] {
  return readJson(text).leaves.filter((leaf) => {
    if (leaf.depth > DEEPEST_FIELD) return false;
    const shape = leaf.name === undefined ? undefined : fields.get(leaf.name);
    return shape !== undefined && fitsShape(leaf.text, shape);
  });
}

const AUTHOR = /^(?:from|sender|author|by|created_?by|creator|owner|user|user_?name|login|organi[sz]er|poster)$/i;
const MAX_AUTHOR_LENGTH = 120;
const MAX_NAMES = 3;

/** The words of who wrote something. Of a mail address only what names the person: everybody has the same host. */
function wordsOfAuthor({ name, text }: JsonLeaf): readonly string[] {
  if (name === undefined || !AUTHOR.test(name) || text.length > MAX_AUTHOR_LENGTH) return [];
  return (
    text
      .replace(/@\S*/g, ' ')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  );
}

/** Who wrote an object, if it says so. */
function authorOf({ leaves }: JsonObject): readonly string[] {
  return leaves.map(wordsOfAuthor).find(({ length }) => length > 0) ?? [];
}

/** The objects of canonical JSON text that somebody of these names wrote, such as the mails of one sender. */
export function findWrittenBy(text: string, names: ReadonlySet<string>): { start: number; end: number }[] {
  const within = new Set<JsonObject>();
  const written: JsonObject[] = [];
  // Outer objects come first: what stands in something that has an author is his, whoever it names.
  for (const object of readJson(text).objects) {
    const author = authorOf(object);
    const isAnothers = object.around !== undefined && within.has(object.around);
    if (isAnothers || author.length > 0) within.add(object);
    // A name of more words than names have is a list of guesses.
    const isNamed = author.length <= MAX_NAMES && names.has(author[0] ?? '');
    if (isNamed && !isAnothers && !object.hasObjects) written.push(object);
  }
  return written.map(({ start, end }) => ({ start, end }));
}
