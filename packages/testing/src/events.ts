import type { BoundaryEvent, Outcome } from '@sallyport/core';

/**
 * A tool call that the gate checked, once or several times.
 *
 * @example
 * ```ts
 * const [held]: readonly CheckedCall[] = events.held('send_mail');
 * ```
 */
export interface CheckedCall {
  readonly id: string;
  /** The id of the conversation. */
  readonly conversation: string;
  /** The name of the tool; undefined if the tool is not declared. */
  readonly tool: string | undefined;
  /** The result of the last check. */
  readonly outcome: Outcome;
  /**
   * The result of the rules in the last check. Differs from `outcome` if the gate only observes, or after an approval.
   */
  readonly judged: Outcome;
  /** The rule that decided in the last check. */
  readonly rule: string;
  /** Set when the call waited for a person, whatever the answer was. */
  readonly wasHeld: boolean;
}

/**
 * Records the events of a boundary, and answers questions about the calls that were checked.
 *
 * @example
 * ```ts
 * const events: EventRecorder = recordEvents();
 * const boundary = createBoundary({ onEvent: events });
 * ```
 */
export interface EventRecorder {
  (event: BoundaryEvent): void;
  /** Every event so far, in its order. */
  readonly all: readonly BoundaryEvent[];
  /** The calls that were checked, each once; of one tool if it is named. */
  checked(tool?: string): readonly CheckedCall[];
  /** The calls that waited for a person. */
  held(tool?: string): readonly CheckedCall[];
  /** The calls that were denied without a question to a person. */
  denied(tool?: string): readonly CheckedCall[];
  /** The calls that were allowed in the end. */
  allowed(tool?: string): readonly CheckedCall[];
  /** Tools whose calls were in a history and were never checked: they are not connected to the gate. */
  notChecked(): readonly string[];
  /** Forgets everything, for the next test. */
  clear(): void;
}

/** The calls in a list of events, each once. A framework may check one call several times, so the last check counts. */
export function callsIn(events: readonly BoundaryEvent[]): readonly CheckedCall[] {
  const calls = new Map<string, CheckedCall>();
  for (const event of events) {
    if (event.type !== 'decided') continue;
    const { conversation, callId: id, tool, outcome, judged, rule } = event;
    const key = JSON.stringify([conversation, id]);
    const wasHeld = outcome === 'ask' || calls.get(key)?.wasHeld === true;
    calls.set(key, { id, conversation, tool, outcome, judged, rule, wasHeld });
  }
  return [...calls.values()];
}

export function notCheckedIn(events: readonly BoundaryEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'call-not-checked' ? [event.tool] : []));
}

/**
 * Creates a recorder that you pass as `onEvent`.
 *
 * @example
 * ```ts
 * const events = recordEvents();
 * const boundary = createBoundary({ onEvent: events });
 * await runAgent(boundary);
 * console.log(events.held('send_mail').map(({ rule }) => rule)); // ['requested']
 * ```
 */
export function recordEvents(): EventRecorder {
  const all: BoundaryEvent[] = [];
  const find = (tool: string | undefined, matches: (call: CheckedCall) => boolean): readonly CheckedCall[] =>
    callsIn(all).filter((call) => (tool === undefined || call.tool === tool) && matches(call));
  return Object.assign((event: BoundaryEvent): void => void all.push(event), {
    all,
    checked: (tool?: string) => find(tool, () => true),
    held: (tool?: string) => find(tool, ({ wasHeld }) => wasHeld),
    denied: (tool?: string) => find(tool, ({ outcome, wasHeld }) => outcome === 'deny' && !wasHeld),
    allowed: (tool?: string) => find(tool, ({ outcome }) => outcome === 'allow'),
    notChecked: () => notCheckedIn(all),
    clear: (): void => void all.splice(0),
  });
}
