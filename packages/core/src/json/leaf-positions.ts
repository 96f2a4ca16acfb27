import { type JsonMember, type JsonNode, type JsonRange, readJson, stringAt } from '../base/json-positions.ts';
import { segmentsOf } from './pointer.ts';
import { ACCOUNT, fitsShape, type Shape } from './shape.ts';

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

/** The value is where a pointer points. `*` means every item of a list, and every name of a table. */
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

const ID_VALUE = /^(?=.*\d)[A-Za-z0-9_.:#-]{1,64}$/;
const ACCOUNT_OR_PHONE = new RegExp(`^${ACCOUNT}$|^\\+?\\d{9,}$`);

/** The leaves with the form of an identifier that a service makes itself: no accounts, telephone numbers or addresses. */
export function findIdentifiers(text: string, isAccountName: (name: string) => boolean): JsonLeaf[] {
  return readLeaves(text).flatMap(({ node, name }) => {
    const leaf = leafTextOf(text, node);
    if (
      leaf === undefined ||
      !ID_VALUE.test(leaf) ||
      ACCOUNT_OR_PHONE.test(leaf) ||
      (name !== undefined && isAccountName(name))
    )
      return [];
    return [{ start: node.start, end: node.end, text: leaf }];
  });
}
