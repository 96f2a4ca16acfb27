import type { HeldCall } from '@sallyport/core';

/** A value of a call. */
export interface ShownValue {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
}

/** The arguments of a call as a person is shown them. */
export interface ShownValues {
  /** The values that the question is about. */
  readonly deciding: readonly ShownValue[];
  /** The other values, such as the text of a mail: none of them decided, but all of them would be used. */
  readonly others: readonly ShownValue[];
  /** False if the call has more values than these. */
  readonly isComplete: boolean;
}

/** `HeldCall.values` has no more than this: after it, nothing says which values are secret. */
const MAX_DECIDING = 20;
const MAX_OTHERS = 100;
/** Deeper arguments are not read: the author of a call chooses how deeply it nests. */
const MAX_DEPTH = 32;
/** Core's text in place of a secret. */
const SECRET = '(secret)';

function* leavesOf(value: unknown, path = '', depth = 0): Generator<ShownValue> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (depth < MAX_DEPTH)
    for (const [key, member] of members)
      yield* leavesOf(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  if (members.length === 0) yield { path, value: typeof value === 'string' ? value : JSON.stringify(value) };
}

function readLeaves(json: string): ReadonlyMap<string, string> {
  try {
    return new Map(Array.from(leavesOf(JSON.parse(json)), ({ path, value }) => [path, value]));
  } catch {
    return new Map();
  }
}

/** The keys of a JSON pointer, readable: `/items/0/price` is `items 0 price`. */
export function nameOf(path: string): string {
  const keys = path.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join(' ');
}

/** The values of a call, without secrets. Core shortens the deciding ones; here they are whole, since a person approves all of each. */
export function shownValues({ values, decision }: HeldCall): ShownValues {
  const leaves = readLeaves(decision.call.argumentsJson);
  const deciding = values.map(({ path, value }) => ({
    path,
    value: value === SECRET ? value : (leaves.get(path) ?? value),
  }));
  // Core shortens long paths too: then it is unknown which of the leaves are secret.
  const isKnown = values.length < MAX_DECIDING && values.every(({ path }) => leaves.has(path));
  if (!isKnown) return { deciding, others: [], isComplete: false };
  const shown = new Set(values.map(({ path }) => path));
  const others = Array.from(leaves, ([path, value]) => ({ path, value })).filter(
    ({ path }) => path !== '' && !shown.has(path),
  );
  return { deciding, others: others.slice(0, MAX_OTHERS), isComplete: others.length <= MAX_OTHERS };
}
