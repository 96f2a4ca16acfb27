import type { BoundaryEvent, Outcome } from '@sallyport/core';
import type { Held } from '../content/pin.ts';

/**
 * Security-relevant events. As in core, no event holds content, and a `cause` is the name of an error without its
 * message. Tool names are chosen by the server, so escape them before you show them.
 */
export type ProxyEvent =
  | BoundaryEvent
  /**
   * A message that was not passed on: not a valid message, not an answer to any request, not possible to frame, or a notification
   * that nobody allowed.
   */
  | {
      readonly type: 'dropped';
      readonly from: 'client' | 'server';
      readonly reason: DroppedReason;
      /** The error's name, if an error was the reason. */
      readonly cause?: string | undefined;
    }
  /** An operation failed, and the proxy chose the safe result. See `FailedOperation`. */
  | { readonly type: 'failed'; readonly operation: FailedOperation; readonly cause: string | undefined }
  /** Tool definitions or instructions that wait for a person. */
  | { readonly type: 'held'; readonly held: readonly Held[] }
  /** The gate decided on a call. */
  | { readonly type: 'call'; readonly tool: string; readonly outcome: Outcome; readonly rule: string };

/** The reason why a message was not passed on. */
export type DroppedReason = 'syntax' | 'kind' | 'oversized' | 'encoding' | 'unmatched' | 'uncovered' | 'unallowed';

/**
 * `check`: a call could not be checked and was not made. `ask`: a person could not be asked, so the call stays
 * undecided. `replay`: an entry of the log could not be read, so the conversation asks about every effect. `define`: a
 * tool definition was rejected by core, so its calls are treated as calls of an undeclared tool.
 */
export type FailedOperation = 'check' | 'ask' | 'replay' | 'define';
