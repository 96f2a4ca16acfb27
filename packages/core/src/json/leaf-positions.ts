import { type JsonMember, type JsonNode, type JsonRange, readJson, stringAt } from '../base/json-positions.ts';
import { fitsShape, type Shape } from './shape.ts';

/** A string or number in JSON text and its position. */
export interface JsonLeaf extends JsonRange {
  readonly text: string;
}

/** A value and what encloses it. */
interface Enclosed {
  readonly node: JsonNode;
  /** The name of the member that holds the value, directly or in a list. */
  readonly name: string | undefined;
  readonly around: JsonObject | undefined;
}

interface JsonObject {
  readonly node: JsonNode;
  readonly around: JsonObject | undefined;
  /** The number of objects around its members, itself included. */
  readonly depth: number;
  hasObjects: boolean;
}

function enterObject({ node, around }: Enclosed): JsonObject {
  if (around !== undefined) around.hasObjects = true;
  return { node, around, depth: (around?.depth ?? 0) + 1, hasObjects: false };
}

/** The objects of JSON text and its other values, in order. No recursion: the author of the text chooses how deeply it nests. */
function readEnclosed(text: string): { readonly objects: JsonObject[]; readonly leaves: Enclosed[] } {
  const objects: JsonObject[] = [];
  const leaves: Enclosed[] = [];
  const left: Enclosed[] = [{ node: readJson(text).root, name: undefined, around: undefined }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, name } = next;
    const object = node.type === 'object' ? enterObject(next) : undefined;
    if (object !== undefined) objects.push(object);
    else if (node.type !== 'array') leaves.push(next);
    const around = object ?? next.around;
    for (let index = node.members.length - 1; index >= 0; index--) {
      const member = node.members[index] as JsonMember;
      left.push({ node: member.value, name: object === undefined ? name : member.name, around });
    }
  }
  return { objects, leaves };
}

/** The innermost object around a position. */
export function objectAround(text: string, at: number): JsonRange | undefined {
  let node: JsonNode | undefined = readJson(text).root;
  let found: JsonRange | undefined;
  while (node !== undefined) {
    if (node.type === 'object') found = node;
    node = node.members.find(({ start, value }) => start <= at && at < value.end)?.value;
  }
  return found;
}

/** The text of a string or a number; undefined for `true`, `false` and `null`. */
function leafTextOf(text: string, node: JsonNode): string | undefined {
  if (node.type === 'string') return stringAt(text, node);
  const written = text.slice(node.start, node.end);
  return /^[\d-]/.test(written) ? written : undefined;
}

// A record, or a record in a list or a table of records. A deeper value may come from a review that an attacker wrote as JSON.
const MAX_FIELD_DEPTH = 2;

/** The values of JSON text whose name is listed and whose form is the one listed for it. */
export function findFields(text: string, fields: ReadonlyMap<string, Shape>): JsonLeaf[] {
  return readEnclosed(text).leaves.flatMap(({ node, name, around }) => {
    if ((around?.depth ?? 0) > MAX_FIELD_DEPTH) return [];
    const shape = name === undefined ? undefined : fields.get(name);
    const leaf = shape === undefined ? undefined : leafTextOf(text, node);
    if (shape === undefined || leaf === undefined || !fitsShape(leaf, shape)) return [];
    return [{ start: node.start, end: node.end, text: leaf }];
  });
}

const ID_NAME = /(?:^|[_-])(?:ids?|number|no|code|sku|uuid|ref|reference)_?$|[a-z](?:Id|Ids|Number|Code|Ref)$/i;
const ID_VALUE = /^(?=.*\d)[A-Za-z0-9_.:#-]{1,64}$/;
const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{6,30}$|^\+?\d{9,}$/;

/**
 * What a service itself writes about its things: identifiers, by the name and the form of the leaf, and numbers. Not accounts and
 * telephone numbers.
 */
export function findHandles(text: string): JsonLeaf[] {
  return readEnclosed(text).leaves.flatMap(({ node, name }) => {
    const isNamed = name !== undefined && ID_NAME.test(name);
    const leaf = isNamed || node.type === 'other' ? leafTextOf(text, node) : undefined;
    if (leaf === undefined || !ID_VALUE.test(leaf) || ACCOUNT.test(leaf)) return [];
    return [{ start: node.start, end: node.end, text: leaf }];
  });
}

const AUTHOR = /^(?:from|sender|author|by|created_?by|creator|owner|user|user_?name|login|organi[sz]er|poster)$/i;
const MAX_AUTHOR_LENGTH = 120;
const MAX_NAMES = 3;

/** The words that name an author. Of a mail address only the part that names the person: many people share its host. */
function wordsOfAuthor(json: string, { name, value }: JsonMember): readonly string[] {
  if (value.type !== 'string' || name === undefined || !AUTHOR.test(name)) return [];
  const text = stringAt(json, value);
  if (text.length > MAX_AUTHOR_LENGTH) return [];
  return (
    text
      .replace(/@\S*/g, ' ')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  );
}

/** The author of an object, if it names one. */
function authorOf(json: string, { node }: JsonObject): readonly string[] {
  for (const member of node.members) {
    const words = wordsOfAuthor(json, member);
    if (words.length > 0) return words;
  }
  return [];
}

/** The objects of JSON text whose author has one of these names, such as the mails of one sender. */
export function findWrittenBy(text: string, names: ReadonlySet<string>): { start: number; end: number }[] {
  const within = new Set<JsonObject>();
  const written: JsonObject[] = [];
  // Outer objects come first: an object inside one that has an author belongs to that author, even if it names another.
  for (const object of readEnclosed(text).objects) {
    const author = authorOf(text, object);
    const isAnothers = object.around !== undefined && within.has(object.around);
    if (isAnothers || author.length > 0) within.add(object);
    // A name of more words than names have is a list of guesses.
    const isNamed = author.length <= MAX_NAMES && names.has(author[0] ?? '');
    if (isNamed && !isAnothers && !object.hasObjects) written.push(object);
  }
  return written.map(({ node: { start, end } }) => ({ start, end }));
}
