import { parseJson } from '../base/parse-json.ts';
import type { ProposedCall } from '../call/call.ts';
import { type Effect, STRONGEST } from '../call/effect.ts';
import { isKnownName, type Role, roleOf } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import { pointerTo } from '../json/pointer.ts';
import type { Declared, Json } from '../json/schema.ts';
import type { CallBudgets } from './effort.ts';
import type { Ledgers, Provenance } from './trace.ts';
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
  /** `text` is a name in the arguments, not a value. */
  readonly isKey: boolean;
  /** The tool's definition leaves the wording to the model (`modelText`). */
  readonly isFree: boolean;
  /** What the value is for. */
  readonly role: Role;
  readonly provenance: Provenance;
}

type Leaf = Omit<Argument, 'provenance'> & {
  /** The tool's own schema lists this value. */
  readonly isDeclared: boolean;
};

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
    return { path: pointerTo(path, key), value, declared: declared?.item(index), isFree, name, role };
  const isTop = path === '';
  return {
    path: pointerTo(path, key),
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
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      yield childOf(node, String(index), value[index] as Json, index, tool);
    return undefined;
  }
  const items = value as Readonly<Record<string, Json>>;
  for (const key in items) if (Object.hasOwn(items, key)) yield childOf(node, key, items[key] as Json, undefined, tool);
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
      // A plain name, such as `amount`, identifies nothing.
      const role = isFree ? 'text' : PLAIN_NAME.test(key) ? 'choice' : roleOf(node.name, key, false);
      yield { path: pointerTo(path, key), text: key, isKey: true, isFree, role, isDeclared: false };
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

/** Values after these are not traced, and the decision says so. */
const MAX_VALUES = 1000;
/** A call with more members in its objects and arrays is not read at all. */
export const MAX_MEMBERS = 10_000;

/** Stands for all values that were not read. It has the role of an address, so that it counts whatever the call does. */
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

/** Effects for which the start of a statement is another statement: `DELETE FROM users`, without its condition. */
const WHOLE: ReadonlySet<Effect> = new Set(['destroy', 'execute']);

/** A text of several words that says what is destroyed or run is compared as a command: as a whole line. */
function vouchedAs({ role, text }: Leaf, tool: Tool | undefined): Role {
  return role === 'text' && WHOLE.has(tool?.effect ?? STRONGEST) && /\S\s+\S/.test(text) ? 'command' : role;
}

/** Finds where every value of a call comes from. */
export function traceCall(
  ledgers: Ledgers,
  call: ProposedCall,
  tool: Tool | undefined,
  hearing: Hearing,
  { values, texts }: CallBudgets,
): readonly Argument[] {
  if (call.memberCount > MAX_MEMBERS) return [UNREAD];
  const root = parseJson(call.argumentsJson) as Json;
  const traced: Argument[] = [];
  let [left, leftFree] = [MAX_VALUES, MAX_VALUES];
  for (const leaf of leavesOf(root, tool)) {
    const { path, text, isKey, isFree, role, isDeclared } = leaf;
    if (isFree && leftFree-- <= 0) continue;
    if (!isFree && left-- <= 0) break;
    const from = isFree ? texts : values;
    const options = { role, hearing, vouchedAs: vouchedAs(leaf, tool) };
    const provenance = isDeclared ? DECLARED : traceValue(ledgers, text, options, from);
    traced.push(Object.freeze({ path, text, isKey, isFree, role, provenance }));
  }
  if (left < 0 || leftFree < 0) traced.push(UNREAD);
  return traced;
}

/** True if some values of a call were not read, because there are too many. */
export function isUnread(traced: readonly Argument[]): boolean {
  return traced.some(({ path, text }) => path === '' && text === '');
}

/** A provenance that nothing vouches for. */
export function asFlagged(provenance: Provenance): Provenance {
  return { ...provenance, trust: 'flagged', vouchedBy: undefined };
}
