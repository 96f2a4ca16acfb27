import type { Decision } from '@sallyport/core';

/** The state of a held definition: it waits for a person, or a person has rejected it. */
export type HeldAs = 'waits' | 'rejected';

/** A decision on a call, before it takes effect. */
export interface Decided {
  readonly conversation: string;
  readonly server: string;
  /** The record id of the call's answer. */
  readonly id: string;
  readonly tool: string;
  /** Undefined if the tool's definition waits for a person, so that the gate did not check the call. */
  readonly decision: Decision | undefined;
  /** The state of the tool's definition, if that is why the call is not made. */
  readonly heldAs?: HeldAs;
  /** Set when the tool is not offered to this client, so that the gate did not check the call. @default false */
  readonly isHidden?: boolean;
  /** Set when `checkedElsewhere` answered the question about the call. @default false */
  readonly isCheckedElsewhere?: boolean;
}

/** A server's answer, before any of it is passed on. */
export interface Answered {
  readonly conversation: string;
  readonly server: string;
  readonly id: string;
  readonly method: string;
  readonly tool: string | undefined;
  /** The message as the server sent it. */
  readonly text: string;
}

/** Records decisions and answers. If it throws, the call is not made or the answer is not passed on. */
export interface Journal {
  /** Called with every decision. */
  decided?(decided: Decided): PromiseLike<void> | void;
  /** Called with every answer. */
  answered?(answered: Answered): PromiseLike<void> | void;
}
