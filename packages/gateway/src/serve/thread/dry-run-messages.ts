import type { Outcome } from '@sallyport/core';
import type { Likelihood } from '@sallyport/core/stages';
import type { DryRunSource, RecordedEntry, RecordedPrincipal } from '../../store/policy/recorded.ts';
import type { ErrorText } from './messages.ts';

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
  /** The cell of the table that decides, such as `send, unheard, content`. */
  readonly cell?: string;
}

export interface DryRunSettings extends Pick<DryRunSource, 'active' | 'proposed' | 'servers'> {
  readonly raised: readonly (readonly (readonly [tag: string, least: Likelihood])[])[];
  /** The id of a classifier that runs on the main thread. Undefined: the built-in one, on this thread. */
  readonly classifier: string | undefined;
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
}

/** What the main thread tells the worker. */
export type DryRunOrder =
  | {
      readonly type: 'judge';
      readonly principal: RecordedPrincipal;
      readonly entries: readonly RecordedEntry[];
      readonly maxCalls: number;
    }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: ErrorText };

/** The calls of one principal, judged under both policies. */
export interface Judged {
  readonly calls: number;
  readonly changed: readonly ChangedCall[];
  readonly stoppedBy?: 'calls' | 'time';
}

/** What the worker tells the main thread. */
export type DryRunReply =
  | ({ readonly type: 'judged' } & Judged)
  | { readonly type: 'failed'; readonly error: ErrorText }
  | { readonly type: 'ask'; readonly id: number; readonly service: string; readonly given: readonly unknown[] };
