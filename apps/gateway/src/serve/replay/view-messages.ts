import type { Effect, Outcome } from '@sallyport/core';
import type { Likelihood } from '@sallyport/core/stages';
import type { ShownValue } from '@sallyport/mcp-proxy';
import type { RecordedEntry, RecordedPrincipal, RecordedRules } from '../../store/policy/recorded.ts';
import type { ErrorText } from '../thread/messages.ts';
import type { MainAnswer, MainQuestion } from './asking.ts';
import type { RecordedSettings } from './recorded-calls.ts';

/** A text that was read, as the model saw it, with what the classifier found in it. Offsets are UTF-16. */
export interface ViewText {
  readonly type: 'text';
  /** The record and the part of it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The server and the tool that returned it, as `mail.read`; or the server alone. */
  readonly name: string;
  readonly text: string;
  readonly spans: readonly {
    readonly start: number;
    readonly end: number;
    readonly tag: string;
    readonly likelihood: Likelihood;
    /** The id that a finding of these words has, if there is one. Absent: requests, of likelihood `none`. */
    readonly finding?: string;
  }[];
  /** Short values that are shown without a frame, one on each line. Absent otherwise. */
  readonly isUnframed?: true;
}

interface ViewVerdict {
  readonly outcome: Outcome;
  readonly rule: string;
  readonly cell?: string;
}

/** A call, with what the policy says about it now. */
export interface ViewCall extends ViewVerdict {
  readonly type: 'call';
  readonly id: string;
  readonly at: number;
  readonly server: string;
  readonly tool: string;
  /** Undefined if the tool is not offered, so that nothing was judged. */
  readonly effect?: Effect;
  /** JSON. */
  readonly arguments: string;
  /** Set if the call was made, and not refused. */
  readonly wasMade: boolean;
  readonly reason: string;
  readonly values: readonly ShownValue[];
  /** The verdict of another policy. Absent if none was given. */
  readonly proposed?: ViewVerdict;
}

export type ViewEntry = ViewText | ViewCall;

export interface ViewSettings extends RecordedSettings {
  readonly active: RecordedRules;
  readonly proposed: RecordedRules | undefined;
  readonly principal: RecordedPrincipal;
  /** Undefined: the principal's. */
  readonly conversation: string | undefined;
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
}

/** Messages of the main thread to the worker. */
export type ViewOrder =
  | { readonly type: 'entries'; readonly entries: readonly RecordedEntry[] }
  /** All entries have arrived. */
  | { readonly type: 'view' }
  /** The last portion was passed on. */
  | { readonly type: 'more' }
  | MainAnswer;

/** Messages of the worker to the main thread. */
export type ViewReply =
  | { readonly type: 'portion'; readonly entries: readonly ViewEntry[] }
  | { readonly type: 'viewed'; readonly isCut: boolean }
  | { readonly type: 'failed'; readonly error: ErrorText }
  | MainQuestion;
