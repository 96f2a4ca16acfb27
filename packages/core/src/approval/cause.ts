import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { parseJson } from '../base/parse-json.ts';
import type { ProposedCall } from '../call/call.ts';
import { type Decision, MAX_EVIDENCE } from '../gate/decision.ts';
import { secretPaths } from '../gate/secrets.ts';
import { pointerTo } from '../json/pointer.ts';
import { isUnread } from '../provenance/trace-call.ts';

/** A value that a question is about. */
export interface AskedValue {
  readonly path: string;
  readonly value: string;
}

/** Every value of the arguments, constants and empty lists and maps included; its path holds the keys around it. */
function* leavesOf({ argumentsJson }: ProposedCall): Generator<AskedValue> {
  const left: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: parseJson(argumentsJson) }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value } = next;
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    for (const [key, member] of members.reverse()) left.push({ path: pointerTo(path, key), value: member });
    if (members.length === 0) yield { path, value: typeof value === 'string' ? value : JSON.stringify(value) };
  }
}

/**
 * The values that a question is about: all of them, not only those in the evidence, since another value could be exchanged later.
 * Only times and the model's text may differ, and only where nothing in them was the cause.
 */
export function valuesOf({
  call,
  arguments: all,
  evidence,
}: Decision): readonly (AskedValue & { readonly isSecret: boolean })[] {
  const causes = new Set(evidence.map(({ path }) => path));
  const given = all.filter(({ isKey }) => !isKey);
  const free = given.filter(({ path, isFree, role }) => (isFree || role === 'time') && !causes.has(path));
  const isFree = new Set(free.map(({ path }) => path));
  const secrets = secretPaths(all);
  const values = [...leavesOf(call)].filter(({ path }) => !isFree.has(path));
  return values.map((each) => ({ ...each, isSecret: secrets.has(each.path) }));
}

/** Whether values of the call are in no list, because there are too many. */
function isCut({ arguments: all, evidence }: Decision): boolean {
  return evidence.length >= MAX_EVIDENCE || isUnread(all);
}

/** Longer arguments are compared by their digest, which is computed once. */
const MAX_COMPARED = 10_000;
const DIGESTS = new WeakMap<ProposedCall, string>();

/** A text that is the same for the same arguments only. */
export function argumentsOf(call: ProposedCall): string {
  if (call.argumentsJson.length <= MAX_COMPARED) return call.argumentsJson;
  const digest = DIGESTS.get(call) ?? `digest ${digestText(call.argumentsJson)}`;
  DIGESTS.set(call, digest);
  return digest;
}

// Every scope of an approval asks for it.
const CAUSES = new WeakMap<Decision, string>();

/** What a person is asked: may this tool use these values, although these rules ask? */
export function causeOf(decision: Decision): string {
  const cause = CAUSES.get(decision) ?? readCause(decision);
  CAUSES.set(decision, cause);
  return cause;
}

function readCause(decision: Decision): string {
  const { call, rules, cell = '' } = decision;
  const values = valuesOf(decision).map(({ path, value }) => [path, value]);
  const rest = isCut(decision) ? [argumentsOf(call)] : [];
  return digestText(canonicalJson([call.tool, rules, cell, values, ...rest]));
}
