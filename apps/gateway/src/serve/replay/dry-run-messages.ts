import type { Outcome } from '@sallyport/core';
import type { DryRunSource, RecordedEntry, RecordedPrincipal } from '../../store/policy/recorded.ts';
import type { ErrorText } from '../thread/messages.ts';
import type { MainAnswer, MainQuestion } from './asking.ts';
import type { RecordedSettings } from './recorded-calls.ts';

/** A recorded call whose outcome another policy changes. It has no content. */
export interface ChangedCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  readonly before: Outcome;
  readonly after: Outcome;
  /** The rule of the new policy that decides. */
  readonly rule: string;
  /** The cell of the table that the call is in, such as `send, content`. */
  readonly cell?: string;
}

export interface DryRunSettings extends RecordedSettings, Pick<DryRunSource, 'active' | 'proposed'> {
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
}

/** Messages of the main thread to the worker. */
export type DryRunOrder =
  /** A portion of what the principal that is judged next has read and called. */
  | { readonly type: 'entries'; readonly entries: readonly RecordedEntry[] }
  | { readonly type: 'judge'; readonly principal: RecordedPrincipal; readonly maxCalls: number }
  | MainAnswer;

/** The calls of one principal, judged by both sets of rules. */
export interface Judged {
  readonly calls: number;
  /** Spans that only the new rules mark, and those that only the old ones do. */
  readonly marked: { readonly more: number; readonly fewer: number };
  readonly changed: readonly ChangedCall[];
  readonly stoppedBy?: 'calls' | 'time';
}

/** Messages of the worker to the main thread. */
export type DryRunReply =
  | ({ readonly type: 'judged' } & Judged)
  | { readonly type: 'failed'; readonly error: ErrorText }
  | MainQuestion;
