import type { Outcome } from './call/call.ts';
import type { UncheckedReason } from './classify/classifier.ts';

/**
 * Everything an operator would want to know, as a value. No event holds content, a nonce or a key: records are named by
 * id, and a `cause` is an error's name and nothing it says.
 */
export type BoundaryEvent =
  /** A result of a tool nobody declared, or of one declared without an origin. Framed and gated as external. */
  | { readonly type: 'source-unknown'; readonly recordId: string; readonly tool: string | undefined }
  /** No verdict: the content is presented as suspect. */
  | {
      readonly type: 'unchecked';
      readonly recordId: string | undefined;
      readonly reason: UncheckedReason;
      readonly cause: string | undefined;
    }
  /** More arrived than is shown. */
  | { readonly type: 'cut'; readonly recordId: string; readonly totalBytes: number; readonly shownBytes: number }
  | { readonly type: 'media-withheld'; readonly recordId: string }
  /** Content held text that looked like our frames, template tokens or the application's sections. */
  | { readonly type: 'markers-escaped'; readonly recordId: string; readonly count: number }
  | { readonly type: 'spans-quoted'; readonly recordId: string; readonly quoted: number; readonly marked: number }
  /** Content held a live nonce of this conversation: somebody reflected a request. It is replaced before it is stored. */
  | { readonly type: 'nonce-reflected'; readonly recordId: string; readonly count: number }
  /** Content was a frame of ours, unchanged; it was opened and is recorded raw. */
  | { readonly type: 'frame-opened'; readonly recordId: string }
  /** Two different contents came under one id; the second has an id of its own. */
  | { readonly type: 'record-renamed'; readonly recordId: string; readonly givenId: string }
  /** A stored field could not be believed. */
  | { readonly type: 'restored-unknown'; readonly recordId: string; readonly field: string }
  /** The gate has judged a call. `judged` is what its rules said; `tool` is absent when nobody declared it. */
  | {
      readonly type: 'decided';
      readonly callId: string;
      readonly tool: string | undefined;
      readonly outcome: Outcome;
      readonly judged: Outcome;
      readonly rule: string;
    }
  /** A rule of the gate threw, or gave no opinion: the call was denied. */
  | { readonly type: 'rule-failed'; readonly callId: string; readonly rule: string; readonly cause: string | undefined }
  /** Nobody could be asked about a held call: it stays held. */
  | { readonly type: 'ask-failed'; readonly callId: string; readonly cause: string | undefined }
  /** A person has declined a held call. */
  | { readonly type: 'declined'; readonly callId: string; readonly tool: string }
  /** A person stands for a held call, or for a value, until a time. */
  | {
      readonly type: 'endorsed';
      readonly what: 'call' | 'value';
      readonly by: string;
      readonly until: number;
      readonly tool: string;
      readonly callId: string | undefined;
    };

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
    return typeof cause;
  }
}
