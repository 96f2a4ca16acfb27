import { type JsonMember, type JsonNode, type JsonRange, readJson, stringAt } from '../base/json-positions.ts';
import { segmentsOf } from './pointer.ts';
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
  /** What holds the value. */
  readonly around: Enclosed | undefined;
}

/** The strings, numbers and constants of JSON text, in order. No recursion: the author of the text chooses how deeply it nests. */
function readLeaves(text: string): Enclosed[] {
  const leaves: Enclosed[] = [];
  const left: Enclosed[] = [{ node: readJson(text).root, name: undefined, around: undefined }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, name } = next;
    if (node.type !== 'object' && node.type !== 'array') leaves.push(next);
    for (let index = node.members.length - 1; index >= 0; index--) {
      const member = node.members[index] as JsonMember;
      left.push({ node: member.value, name: node.type === 'object' ? member.name : name, around: next });
    }
  }
  return leaves;
}

/** Whether a value is where a pointer points. `*` means every item of a list, and for every name of a table. */
function isAt(value: Enclosed, segments: readonly string[]): boolean {
  let at: Enclosed = value;
  for (let index = segments.length - 1; index >= 0; index--) {
    const holder = at.around;
    if (holder === undefined) return false;
    const isNamed = holder.node.type === 'object' && at.name === segments[index];
    if (segments[index] !== '*' && !isNamed) return false;
    at = holder;
  }
  return at.around === undefined;
}

/** Finds the innermost or the outermost object around a position. The text is read once. */
export function objectFinder(text: string, which: 'innermost' | 'outermost'): (at: number) => JsonRange | undefined {
  const { root } = readJson(text);
  return (at) => {
    let node: JsonNode | undefined = root;
    let found: JsonRange | undefined;
    while (node !== undefined) {
      if (node.type === 'object') found = node;
      if (found !== undefined && which === 'outermost') return found;
      node = node.members.find(({ start, value }) => start <= at && at < value.end)?.value;
    }
    return found;
  };
}

/** The text of a string or a number; undefined for `true`, `false` and `null`. */
function leafTextOf(text: string, node: JsonNode): string | undefined {
  if (node.type === 'string') return stringAt(text, node);
  const written = text.slice(node.start, node.end);
  return /^[\d-]/.test(written) ? written : undefined;
}

/** The strings of JSON text, in order, without names. */
export function findStrings(text: string): JsonRange[] {
  return readLeaves(text).flatMap(({ node }) => (node.type === 'string' ? [node] : []));
}

/** The values of JSON text that are where a pointer points and have the form listed for it. */
export function findFields(text: string, fields: ReadonlyMap<string, Shape>): JsonLeaf[] {
  const pointers = Array.from(fields, ([pointer, shape]) => ({ segments: segmentsOf(pointer), shape }));
  return readLeaves(text).flatMap((value) => {
    const shape = pointers.find(({ segments }) => isAt(value, segments))?.shape;
    const leaf = shape === undefined ? undefined : leafTextOf(text, value.node);
    if (shape === undefined || leaf === undefined || !fitsShape(leaf, shape)) return [];
    return [{ start: value.node.start, end: value.node.end, text: leaf }];
  });
}

const ID_NAME = /(?:^|[_-])(?:ids?|number|no|code|sku|uuid|ref|reference)_?$|[a-z](?:Id|Ids|Number|Code|Ref)$/i;
const ID_VALUE = /^(?=.*\d)[A-Za-z0-9_.:#-]{1,64}$/;
const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{6,30}$|^\+?\d{9,}$/;

// One line that names one thing: no sentence, no address, no account.
const SHORT_VALUE = /^[^\s@](?:[^\n@]{0,78}[^\s@])?$/;

/**
 * What a service itself writes about its things: identifiers, by the name and the form of the leaf, and numbers; in a workspace of
 * the user's own, every short leaf. Not accounts, telephone numbers and addresses.
 */
export function findHandles(text: string, isOwn: boolean, isAccountName: (name: string) => boolean): JsonLeaf[] {
  return readLeaves(text).flatMap(({ node, name }) => {
    const isId = name !== undefined && ID_NAME.test(name);
    const leaf = isOwn || isId ? leafTextOf(text, node) : undefined;
    if (leaf === undefined || (name !== undefined && isAccountName(name)) || ACCOUNT.test(leaf) || leaf.includes('://'))
      return [];
    const isHandle = (isId && ID_VALUE.test(leaf)) || (isOwn && SHORT_VALUE.test(leaf));
    return isHandle ? [{ start: node.start, end: node.end, text: leaf }] : [];
  });
}

/** Whether a value is in a member of the outermost object, or of an object in the outermost list. */
function isOutermost({ around }: Enclosed): boolean {
  let holder = around;
  while (holder?.node.type === 'array') holder = holder.around;
  const list = holder?.around;
  return list === undefined || (list.node.type === 'array' && list.around === undefined);
}

/** The strings and numbers in the outermost members whose name is accepted, directly or in a list. */
export function findNamed(text: string, isAccepted: (name: string) => boolean): JsonRange[] {
  return readLeaves(text).flatMap((value) => {
    const { node, name } = value;
    const isFound = name !== undefined && isOutermost(value) && isAccepted(name);
    return isFound ? [{ start: node.start, end: node.end }] : [];
  });
}

/** The address alone: a display name is whatever its owner wrote. */
const ADDRESS = /(?:^|<)([^\s<>@]{1,64})@([^\s<>@]+?)>?$/;

/** Whether an address is one of these, or has one of these names: `bob` in `bob.miller@home.example`. */
function isOneOf(sender: string, people: ReadonlySet<string>): boolean {
  const [, local = '', host] = ADDRESS.exec(sender.trim().toLowerCase()) ?? [];
  return people.has(`${local}@${host}`) || people.has(local.match(/\p{L}{3,}/u)?.[0] ?? '');
}

/** The objects of JSON text whose authenticated sender is one of these people: names and mail addresses, in lower case. */
export function findWrittenBy(text: string, pointer: string, people: ReadonlySet<string>): JsonRange[] {
  const segments = segmentsOf(pointer);
  return readLeaves(text).flatMap((value) => {
    const { node, around } = value;
    if (node.type !== 'string' || around === undefined || !isAt(value, segments)) return [];
    return isOneOf(stringAt(text, node), people) ? [{ start: around.node.start, end: around.node.end }] : [];
  });
}
