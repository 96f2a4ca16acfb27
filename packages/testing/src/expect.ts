import type { BoundaryEvent, Decision } from '@sallyport/core';
import { type CheckedCall, callsIn, type EventRecorder, notCheckedIn } from './events.ts';
import type { ScriptedModel } from './model.ts';

/**
 * The subject of an assertion: the decision of `conversation.check()`, a recorder, or a list of events.
 *
 * @example
 * ```ts
 * const subject: Subject = await conversation.check(toolCall);
 * expectHeld(subject);
 * ```
 */
export type Subject = Pick<Decision, 'call' | 'outcome' | 'judged' | 'rule'> | EventRecorder | readonly BoundaryEvent[];

/**
 * Selects the calls of an assertion, and the rule that must have decided them.
 *
 * @example
 * ```ts
 * expectDenied(events, { tool: 'pay', rule: 'instructed' });
 * ```
 */
export interface Expected {
  /** The name of the tool. @default all calls */
  readonly tool?: string;
  /** The rule that must have decided, as `Decision.rule` reports it. @default any rule */
  readonly rule?: string;
}

interface Checked {
  readonly calls: readonly CheckedCall[];
  /** Tools that ran without a check. */
  readonly notChecked: readonly string[];
}

function readSubject(subject: Subject): Checked {
  if (Array.isArray(subject)) return { calls: callsIn(subject), notChecked: notCheckedIn(subject) };
  if (typeof subject === 'function' && 'checked' in subject)
    return { calls: subject.checked(), notChecked: subject.notChecked() };
  if (typeof subject !== 'object' || subject === null || !('outcome' in subject))
    throw new TypeError('Expected a decision of check(), a recorder of recordEvents(), or an array of events.');
  const { call, outcome, judged, rule } = subject as Pick<Decision, 'call' | 'outcome' | 'judged' | 'rule'>;
  // A person who declines turns a held call into a denied one.
  const wasHeld = outcome === 'ask' || (outcome === 'deny' && judged === 'ask');
  const read = { id: call.id, conversation: '', tool: call.tool, outcome, judged, rule, wasHeld };
  return { calls: [read], notChecked: [] };
}

function nameOf({ tool }: CheckedCall): string {
  return tool ?? 'an undeclared tool';
}

function describeCall(call: CheckedCall): string {
  const observed = call.outcome === 'allow' && call.judged !== 'allow' && !call.wasHeld;
  const only = observed ? `, and its rules said ${call.judged}: does the gate only observe?` : '';
  return `${nameOf(call)} (call ${call.id}): ${call.outcome} by the rule ${call.rule}${only}`;
}

function listOf(calls: readonly CheckedCall[]): string {
  return calls.length === 0 ? 'No call was checked.' : `Checked calls:\n  ${calls.map(describeCall).join('\n  ')}`;
}

function fail(message: string): never {
  throw new Error(message);
}

/** Requires that every call of the tool matches. It fails if no call was found, since such a test proves nothing. */
function expectCalls(
  subject: Subject,
  expected: Expected,
  word: string,
  matches: (call: CheckedCall) => boolean,
): void {
  const { tool, rule } = expected;
  const { calls, notChecked } = readSubject(subject);
  const about = calls.filter((call) => tool === undefined || call.tool === tool);
  const unguarded = notChecked.filter((name) => tool === undefined || name === tool);
  if (unguarded.length > 0)
    fail(`${unguarded.join(', ')} was called without a check. Pass the tools through protect() of your adapter.`);
  if (about.length === 0)
    fail(
      `Expected a call of ${tool ?? 'a tool'} that is ${word}, but none was checked. ${listOf(calls)}\nDid the model make the call, is the tool declared, and is the recorder passed as \`onEvent\`?`,
    );
  const wrong = about.filter((call) => !matches(call));
  if (wrong.length > 0) fail(`Expected every call of ${tool ?? 'a tool'} to be ${word}. ${listOf(about)}`);
  const others = about.filter((call) => rule !== undefined && call.rule !== rule);
  if (others.length > 0) fail(`Expected the rule ${rule} to decide. ${listOf(about)}`);
}

/**
 * Passes if every call waited for a person. Throws an `Error` that lists the checked calls otherwise, even if there was
 * none.
 *
 * @example
 * ```ts
 * expectHeld(await conversation.check(toolCall));
 * expectHeld(events, { tool: 'pay', rule: 'content' });
 * ```
 */
export function expectHeld(subject: Subject, expected: Expected = {}): void {
  expectCalls(subject, expected, 'held', ({ wasHeld }) => wasHeld);
}

/**
 * Passes if every call was denied without a question to a person.
 *
 * @example
 * ```ts
 * expectDenied(events, { tool: 'send_mail' });
 * ```
 */
export function expectDenied(subject: Subject, expected: Expected = {}): void {
  expectCalls(subject, expected, 'denied', ({ outcome, wasHeld }) => outcome === 'deny' && !wasHeld);
}

/**
 * Passes if no call was allowed: each was denied, waits for a person, or was declined by one. Use it in a test of an
 * attack: the attack and the preset decide if the gate asks or denies.
 *
 * @example
 * ```ts
 * expectStopped(events, { tool: 'send_mail' });
 * ```
 */
export function expectStopped(subject: Subject, expected: Expected = {}): void {
  expectCalls(subject, expected, 'held or denied', ({ outcome }) => outcome !== 'allow');
}

/**
 * Passes if every call was allowed without a question to a person. Use it for everyday work that must not be disturbed.
 *
 * @example
 * ```ts
 * expectAllowed(events, { tool: 'read_mail' });
 * ```
 */
export function expectAllowed(subject: Subject, expected: Expected = {}): void {
  expectCalls(
    subject,
    expected,
    'allowed without a question',
    ({ outcome, wasHeld }) => outcome === 'allow' && !wasHeld,
  );
}

/**
 * The effects that ran: a list, set or map that your tools write to, a count, or a mock of vitest, jest or `node:test`.
 *
 * @example
 * ```ts
 * const sent: string[] = [];
 * expectNoEffect(sent satisfies Ran);
 * ```
 */
export type Ran =
  | readonly unknown[]
  | number
  | ReadonlySet<unknown>
  | ReadonlyMap<unknown, unknown>
  | { readonly mock: { readonly calls: readonly unknown[] } };

function effectsIn(ran: Ran): readonly unknown[] {
  if (typeof ran === 'number') return Array.from({ length: ran }, () => 'one run');
  if (Array.isArray(ran)) return ran;
  if (ran instanceof Set || ran instanceof Map) return [...ran];
  if ('mock' in ran) return ran.mock.calls;
  throw new TypeError('Expected an array, a set, a map, a number, or a mock with `mock.calls`.');
}

/**
 * Passes if nothing ran. Use it in addition to `expectStopped`: a tool that is not connected to the gate runs without a
 * decision.
 *
 * @example
 * ```ts
 * const sent: string[] = [];
 * await runAgent({ send_mail: ({ to }) => sent.push(to) });
 * expectNoEffect(sent);
 * ```
 */
export function expectNoEffect(ran: Ran): void {
  const effects = effectsIn(ran);
  if (effects.length === 0) return;
  const shown = effects.slice(0, 3).map((each) => `\n  ${JSON.stringify(each) ?? String(each)}`.slice(0, 200));
  fail(`Expected no effect, but ${effects.length} took place:${shown.join('')}`);
}

/** Each frame from its beginning to its end: the codes of both are the same. */
const FRAMES = /<(\w+) ([a-z]+(?: [a-z]+){3})(?: [^>]*)?>[\s\S]*?<\/\1 \2>/g;

/**
 * Passes if the model was shown a text in a tool result, and only inside a frame. It fails if the adapter is not
 * between the agent and the model. Take a few plain words of the result: characters that could close a frame are
 * escaped in it.
 *
 * @example
 * ```ts
 * expectFramed(model, 'Lunch on Friday');
 * ```
 */
export function expectFramed(model: Pick<ScriptedModel, 'requests'>, text: string): void {
  const shown = model.requests.flatMap(({ results }) => results.flatMap(({ texts }) => texts));
  const found = shown.filter((each) => each.includes(text));
  if (found.length === 0)
    fail(
      `Expected a tool result with "${text}" in a request to the model. It was shown ${shown.length} other results.`,
    );
  const bare = found.find((each) => each.replace(FRAMES, '').includes(text));
  if (bare !== undefined)
    fail(`The model was shown "${text}" without a frame. Pass the model through protect() of your adapter.`);
}
