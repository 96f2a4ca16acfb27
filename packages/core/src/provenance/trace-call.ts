import type { ProposedCall } from '../call/call.ts';
import type { Tool } from '../call/tool.ts';
import type { Declared, Json } from '../json/schema.ts';
import { type Books, budgetsOf, type Provenance, traceText } from './trace.ts';

/** One value of a call, or the name of one where names are data, with whose words it is made of. */
export interface Argument {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly text: string;
  readonly isKey: boolean;
  /** The tool's definition leaves its wording to the model. */
  readonly isFree: boolean;
  readonly provenance: Provenance;
}

type Leaf = Omit<Argument, 'provenance'> & {
  /** The tool's own schema lists this very value. */
  readonly isDeclared: boolean;
};

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

interface Node {
  readonly path: string;
  readonly value: Json;
  readonly declared: Declared | undefined;
  readonly isFree: boolean;
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function childrenOf({ path, value, declared, isFree }: Node, free: ReadonlySet<string>): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).map(([key, inner], index) => ({
    path: pointer(path, key),
    value: inner as Json,
    declared: isList ? declared?.item(index) : declared?.property(key),
    isFree: isFree || (path === '' && !isList && free.has(key)),
  }));
}

/** `amount`, `replyTo`, `address_line_2`. An account, an address or a code is not written like this. */
const PLAIN_NAME = /^[a-z][A-Za-z]*(?:_[A-Za-z]+)*_?\d{0,2}$/;
const MAX_NAME_LENGTH = 40;

/** A name that the schema declares is the developer's; without a schema, so are those of the top level that look like names. */
function isName({ path, declared }: Node, key: string): boolean {
  if (declared !== undefined) return declared.hasName(key);
  return path === '' && key.length <= MAX_NAME_LENGTH && PLAIN_NAME.test(key);
}

function* keysOf(node: Node): Generator<Leaf> {
  const { path, value, isFree } = node;
  if (!isMap(value)) return;
  for (const key of Object.keys(value))
    if (!isName(node, key)) yield { path: pointer(path, key), text: key, isKey: true, isFree, isDeclared: false };
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Every string and number of the arguments, and every key that is data: a map of addresses has its values in its keys. */
function* leavesOf(root: Json, tool: Tool | undefined): Generator<Leaf> {
  const free = tool?.modelText ?? NO_NAMES;
  // A stack of our own: arguments may be nested as deep as their sender likes.
  const pending: Node[] = [{ path: '', value: root, declared: tool?.parameters, isFree: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value, isFree, declared } = next;
    if (typeof value === 'string' || typeof value === 'number') {
      yield { path, text: String(value), isKey: false, isFree, isDeclared: declared?.hasValue(value) === true };
    }
    for (const child of childrenOf(next, free).reverse()) pending.push(child);
    yield* keysOf(next);
  }
}

const DECLARED: Provenance = Object.freeze({
  trust: 'vouched',
  vouchedBy: 'words',
  isTrustedWhole: true,
  pieces: Object.freeze([]),
});

/** Steps for one call, whatever it holds: what is not reached any more counts as flagged. */
const MAX_STEPS = 4_000_000;

/** Says of every value of a call whose words it is made of. */
export function traceCall(books: Books, call: ProposedCall, tool: Tool | undefined): readonly Argument[] {
  const efforts = budgetsOf(MAX_STEPS);
  const root = JSON.parse(call.argumentsJson) as Json;
  return Array.from(leavesOf(root, tool), ({ path, text, isKey, isFree, isDeclared }) => {
    const provenance = isDeclared ? DECLARED : traceText(books, text, efforts);
    return Object.freeze({ path, text, isKey, isFree, provenance });
  });
}
