import type { ProposedCall } from './call.ts';
import type { Ledger } from './ledger.ts';
import type { Json } from './schema.ts';
import { type Provenance, traceText } from './trace.ts';

/** One value of a call, or the name of one where names are data, with whose words it is made of. */
export interface Argument {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly text: string;
  readonly isKey: boolean;
  readonly provenance: Provenance;
}

interface Found {
  readonly path: string;
  readonly text: string;
  readonly isKey: boolean;
}

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

interface Node {
  readonly path: string;
  readonly value: Json;
}

function childrenOf({ path, value }: Node): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, inner]) => ({ path: pointer(path, key), value: inner as Json }));
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every string and number of the arguments, and every key: a map of addresses has its values in its keys. */
function* leavesOf(root: Json): Generator<Found> {
  // A stack of our own: arguments may be nested as deep as their sender likes.
  const pending: Node[] = [{ path: '', value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' || typeof value === 'number') yield { path, text: String(value), isKey: false };
    for (const child of childrenOf(next).reverse()) pending.push(child);
    if (isMap(value)) for (const key of Object.keys(value)) yield { path: pointer(path, key), text: key, isKey: true };
  }
}

/** Says of every value of a call whose words it is made of. */
export function traceCall(ledger: Ledger, call: ProposedCall): readonly Argument[] {
  const root = JSON.parse(call.argumentsJson) as Json;
  return Array.from(leavesOf(root), (found) => Object.freeze({ ...found, provenance: traceText(ledger, found.text) }));
}
