import type { Outcome } from './call/call.ts';
import type { UncheckedReason } from './classify/classifier.ts';

/**
 * Something that an operator may want to log or count. No event holds content, a nonce or a key: records are named by id, and
 * `cause` is the name of an error, never its message.
 *
 * @example
 * ```ts
 * const onEvent = (event: BoundaryEvent) => {
 *   if (event.type === 'decided') log.info(`${event.tool}: ${event.outcome} by ${event.rule}`);
 * };
 * ```
 */
export type BoundaryEvent =
  /** A result of a tool that is not declared, or that is declared without an origin. It is treated as external content. */
  | { readonly type: 'source-unknown'; readonly recordId: string; readonly tool: string | undefined }
  /** The content could not be classified. It is presented as suspect. */
  | {
      readonly type: 'unchecked';
      readonly recordId: string | undefined;
      readonly reason: UncheckedReason;
      readonly cause: string | undefined;
    }
  /** The content was larger than the limit, so only a part of it is shown. */
  | { readonly type: 'cut'; readonly recordId: string; readonly totalBytes: number; readonly shownBytes: number }
  /** An image or a file was not shown. */
  | { readonly type: 'media-withheld'; readonly recordId: string }
  /** The content contained text like a frame, a template token or a section of the application. It was escaped. */
  | { readonly type: 'markers-escaped'; readonly recordId: string; readonly count: number }
  /** The classifier found possible instructions in the content. They were quoted or marked. */
  | { readonly type: 'spans-quoted'; readonly recordId: string; readonly quoted: number; readonly marked: number }
  /** The content contained a live nonce of this conversation, so its author has seen a request. The nonce was removed. */
  | { readonly type: 'nonce-reflected'; readonly recordId: string; readonly count: number }
  /** The content was an unchanged frame of this conversation. It was opened and recorded raw. */
  | { readonly type: 'frame-opened'; readonly recordId: string }
  /** Different content arrived under an id that was taken. It was recorded under a new id. */
  | { readonly type: 'record-renamed'; readonly recordId: string; readonly givenId: string }
  /** A stored field did not validate. Its record is treated as unknown. */
  | { readonly type: 'restored-unknown'; readonly recordId: string; readonly field: string }
  /** The gate decided about a call. `judged` is the result of its rules; `tool` is undefined if it is not declared. */
  | {
      readonly type: 'decided';
      readonly callId: string;
      readonly tool: string | undefined;
      readonly outcome: Outcome;
      readonly judged: Outcome;
      readonly rule: string;
    }
  /** A gate rule threw an error or returned an invalid result. The call was denied. */
  | { readonly type: 'rule-failed'; readonly callId: string; readonly rule: string; readonly cause: string | undefined }
  /** `ask` failed, so no person was asked about a held call. The call stays held. */
  | { readonly type: 'ask-failed'; readonly callId: string; readonly cause: string | undefined }
  /** A person rejected a held call. */
  | { readonly type: 'declined'; readonly callId: string; readonly tool: string }
  /** A person approved a held call or trusted a value, until a time. */
  | {
      readonly type: 'endorsed';
      readonly what: 'call' | 'value';
      readonly by: string;
      readonly until: number;
      readonly tool: string;
      readonly callId: string | undefined;
    };

/**
 * Receives the events of a boundary.
 *
 * @example
 * ```ts
 * const onEvent: EventListener = (event) => log.info(JSON.stringify(event));
 * const boundary = createBoundary({ onEvent });
 * ```
 */
export type EventListener = (event: BoundaryEvent) => void;

const CAUSES = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AbortError', 'TimeoutError'];

/**
 * The name of a thrown error, for an event's `cause`. Nothing else of it: the message, and even an unknown name, may hold content.
 *
 * @example
 * ```ts
 * onEvent({ type: 'failed', cause: causeName(error) }); // 'TypeError'
 * ```
 */
export function causeName(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  try {
    const { name } = cause as { name?: unknown };
    return CAUSES.find((each) => each === name) ?? typeof cause;
  } catch {
    // A getter for `name` threw; the type is all that is safe to report.
    return typeof cause;
  }
}
