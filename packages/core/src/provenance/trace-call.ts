import { parseJson } from '../base/parse-json.ts';
import type { ProposedCall } from '../call/call.ts';
import { isKnownName, type Role, roleOf } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import type { Declared, Json } from '../json/schema.ts';
import { budgetsOf, type Ledgers, type Provenance } from './trace.ts';
import { type Hearing, traceValue } from './trace-value.ts';

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

function childOf(node: Node, key: string, value: Json, index: number | undefined, tool: Tool | undefined): Node {
  const { path, declared, isFree, name, role } = node;
  if (index !== undefined)
    return { path: pointer(path, key), value, declared: declared?.item(index), isFree, name, role };
  const isTop = path === '';
  return {
    path: pointer(path, key),
    value,
    declared: declared?.property(key),
    isFree: isFree || (isTop && tool?.modelText.has(key) === true),
    name: key,
    role: isTop ? tool?.roles.get(key) : role,
  };
}

/** The values in a list or a map, one by one: only the first thousand are read. */
function* childrenOf(node: Node, tool: Tool | undefined): Generator<Node, undefined> {
  const { value } = node;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  const items = value as Readonly<Record<string, Json>>;
  let index = 0;
  for (const key in items)
    if (Object.hasOwn(items, key)) yield childOf(node, key, items[key] as Json, isList ? index++ : undefined, tool);
  return undefined;
}

/** `amount`, `replyTo`, `address_line_2`. Accounts, addresses and codes do not match. */
const PLAIN_NAME = /^[a-z][A-Za-z]*(?:_[A-Za-z]+)*_?\d{0,2}$/;
const MAX_NAME_LENGTH = 40;

/**
 * A name that the schema declares is the developer's. Without a schema, so is a top-level name that looks like one, unless it is
 * all that the argument says: `{ mallory: true }`.
 */
function isName({ path, value, declared }: Node, key: string): boolean {
  if (declared !== undefined) return declared.hasName(key);
  if (path !== '' || key.length > MAX_NAME_LENGTH || !PLAIN_NAME.test(key)) return false;
  const given = (value as { readonly [name: string]: Json })[key];
  return (typeof given !== 'boolean' && given !== null) || isKnownName(key);
}

function* keysOf(node: Node): Generator<Leaf> {
  const { path, value, isFree } = node;
  if (!isMap(value)) return;
  for (const key in value)
    if (Object.hasOwn(value, key) && !isName(node, key)) {
      // A name that looks like one names nothing in the world.
      const role = isFree ? 'text' : PLAIN_NAME.test(key) ? 'choice' : roleOf(node.name, key, false);
      yield { path: pointer(path, key), text: key, isKey: true, isFree, role, isDeclared: false };
    }
}

function* leafOf({ path, value, declared, isFree, name, role: given }: Node): Generator<Leaf> {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const text = String(value);
  const role = isFree ? 'text' : (given ?? roleOf(name, text, typeof value === 'number'));
  yield { path, text, isKey: false, isFree, role, isDeclared: declared?.hasValue(value) === true };
}

/** Every string and number of the arguments, and every key that is data, as in a map of addresses. */
function* leavesOf(root: Json, tool: Tool | undefined): Generator<Leaf> {
  // A stack instead of recursion: the model chooses how deep the arguments are nested.
  const first: Node = { path: '', value: root, declared: tool?.parameters, isFree: false, name: '', role: undefined };
  const pending: Iterator<Node, undefined>[] = [[first].values()];
  while (pending.length > 0) {
    const { value: next } = (pending.at(-1) as Iterator<Node, undefined>).next();
    if (next === undefined) pending.pop();
    else {
      yield* leafOf(next);
      yield* keysOf(next);
      pending.push(childrenOf(next, tool));
    }
  }
}

const DECLARED: Provenance = Object.freeze({
  trust: 'vouched',
  vouchedBy: 'words',
  pieces: Object.freeze([]),
});

/** The budget of one call. Values that are not reached within it are not traced, and the decision says so. */
const MAX_STEPS = 500_000;
const MAX_VALUES = 1000;

/** All values after the first thousand, as one. With the role of an address, it decides whatever the call does. */
const UNREAD: Argument = {
  path: '',
  text: '',
  isKey: false,
  isFree: false,
  role: 'url',
  provenance: {
    trust: 'suspect',
    vouchedBy: undefined,
    pieces: [{ start: 0, end: 0, how: 'part', trust: 'suspect', occurrences: [], isIncomplete: true }],
  },
};

/** Finds where every value of a call comes from. */
export function traceCall(
  ledgers: Ledgers,
  call: ProposedCall,
  tool: Tool | undefined,
  hearing: Hearing,
): readonly Argument[] {
  // The model's text has a budget of its own, so that a long one cannot hide where the other values come from.
  const [budgets, budgetsOfText] = [budgetsOf(MAX_STEPS), budgetsOf(MAX_STEPS)];
  const root = parseJson(call.argumentsJson) as Json;
  const traced: Argument[] = [];
  let [left, leftFree] = [MAX_VALUES, MAX_VALUES];
  for (const { path, text, isKey, isFree, role, isDeclared } of leavesOf(root, tool)) {
    if (isFree && leftFree-- <= 0) continue;
    if (!isFree && left-- <= 0) break;
    const from = isFree ? budgetsOfText : budgets;
    const provenance = isDeclared ? DECLARED : traceValue(ledgers, text, { role, hearing }, from);
    traced.push(Object.freeze({ path, text, isKey, isFree, role, provenance }));
  }
  if (left < 0) traced.push(UNREAD);
  if (leftFree < 0) traced.push({ ...UNREAD, isFree: true, role: 'text' });
  return traced;
}
