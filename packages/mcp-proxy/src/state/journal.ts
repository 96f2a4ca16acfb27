import type { Decision } from '@sallyport/core';

/** A call that was judged, before anything follows from it. */
export interface Decided {
  readonly conversation: string;
  readonly server: string;
  /** Under which id its answer is taken in. */
  readonly id: string;
  readonly tool: string;
  /** Undefined where the tool's definition waits for a person, so that nobody judged the call. */
  readonly decision: Decision | undefined;
}

/** An answer of a server, before any of it goes on. */
export interface Answered {
  readonly conversation: string;
  readonly server: string;
  readonly id: string;
  readonly method: string;
  readonly tool: string | undefined;
  /** The message as the server sent it. */
  readonly text: string;
}

/** Who writes down what was decided and what was read. What it cannot write down does not happen: its errors end as refusals. */
export interface Journal {
  decided?(decided: Decided): PromiseLike<void> | void;
  answered?(answered: Answered): PromiseLike<void> | void;
}
