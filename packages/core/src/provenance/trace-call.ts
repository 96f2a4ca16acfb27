import { parseJson } from '../base/parse-json.ts';
import type { ProposedCall } from '../call/call.ts';
import { type Role, roleOf } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import type { Declared, Json } from '../json/schema.ts';
import { budgetsOf, type Ledgers, type Provenance, traceText } from './trace.ts';

/**
 * One value of a call, with its provenance. A name counts as a value where names are data, such as the keys of a map of
 * addresses.
 *
 * @example
 * ```ts
 * const untrusted = decision.arguments.filter(({ provenance }: Argument) => provenance.vouchedBy === undefined);
 * ```
 */
export interface Argument {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly text: string;
  /** Whether `text` is a name in the arguments, not a value. */
  readonly isKey: boolean;
  /** Whether the tool's definition leaves the wording to the model (`modelText`). */
  readonly isFree: boolean;
  /** What the value is for. */
  readonly role: Role;
  readonly provenance: Provenance;
}

type Leaf = Omit<Argument, 'provenance'> & {
  /** Whether the tool's own schema lists this value. */
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
  /** The nearest name around the value, and the role that the tool declares for it. */
  readonly name: string;
  readonly role: Role | undefined;
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function childrenOf(node: Node, tool: Tool | undefined): Node[] {
  const { path, value, declared, isFree } = node;
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).map(([key, inner], index) => ({
    path: pointer(path, key),
    value: inner as Json,
    declared: isList ? declared?.item(index) : declared?.property(key),
    isFree: isFree || (path === '' && !isList && tool?.modelText.has(key) === true),
    name: isList ? node.name : key,
    role: path === '' && !isList ? tool?.roles.get(key) : node.role,
  }));
}

/** `amount`, `replyTo`, `address_line_2`. Accounts, addresses and codes do not match. */
const PLAIN_NAME = /^[a-z][A-Za-z]*(?:_[A-Za-z]+)*_?\d{0,2}$/;
const MAX_NAME_LENGTH = 40;

/** A name that the schema declares is the developer's. Without a schema, so is a top-level name that looks like one. */
function isName({ path, declared }: Node, key: string): boolean {
  if (declared !== undefined) return declared.hasName(key);
  return path === '' && key.length <= MAX_NAME_LENGTH && PLAIN_NAME.test(key);
}

function* keysOf(node: Node): Generator<Leaf> {
  const { path, value, isFree } = node;
  if (!isMap(value)) return;
  for (const key of Object.keys(value))
    if (!isName(node, key)) {
      const role = isFree ? 'text' : roleOf(node.name, key, false);
      yield { path: pointer(path, key), text: key, isKey: true, isFree, role, isDeclared: false };
    }
}

/** Every string and number of the arguments, and every key that is data, as in a map of addresses. */
function* leavesOf(root: Json, tool: Tool | undefined): Generator<Leaf> {
  // A stack instead of recursion: the model chooses how deep the arguments are nested.
  const pending: Node[] = [
    { path: '', value: root, declared: tool?.parameters, isFree: false, name: '', role: undefined },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value, isFree, declared } = next;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      const role = isFree ? 'text' : (next.role ?? roleOf(next.name, text, typeof value === 'number'));
      yield { path, text, isKey: false, isFree, role, isDeclared: declared?.hasValue(value) === true };
    }
    for (const child of childrenOf(next, tool).reverse()) pending.push(child);
    yield* keysOf(next);
  }
}

const DECLARED: Provenance = Object.freeze({
  trust: 'vouched',
  vouchedBy: 'words',
  isTrustedWhole: true,
  pieces: Object.freeze([]),
});

/** The budget of one call. Values that are not reached within it count as flagged. */
const MAX_STEPS = 4_000_000;

/** Finds where every value of a call comes from. */
export function traceCall(ledgers: Ledgers, call: ProposedCall, tool: Tool | undefined): readonly Argument[] {
  const budgets = budgetsOf(MAX_STEPS);
  const root = parseJson(call.argumentsJson) as Json;
  return Array.from(leavesOf(root, tool), ({ path, text, isKey, isFree, role, isDeclared }) => {
    const provenance = isDeclared ? DECLARED : traceText(ledgers, text, budgets);
    return Object.freeze({ path, text, isKey, isFree, role, provenance });
  });
}
