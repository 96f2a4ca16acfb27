import type { Outcome } from './call/call.ts';
import type { UncheckedReason } from './classify/classifier.ts';
import type { DecidedBy } from './gate/rule.ts';

/** The type and the data of an event, without its conversation, time and number. */
export type EventDetails =
  /**
   * A result of a tool that is not declared, or that is declared without an origin. It is treated as external content.
   */
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
  /**
   * The content contained a live nonce of this conversation, so its author has seen a request. The nonce was removed.
   */
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
      /** Provenance alone, the judge, the table that replaces the judge, another rule, or a person. */
      readonly decidedBy: DecidedBy;
      /** The approval that let the call pass. Absent if none did. */
      readonly approvalId?: string;
    }
  /** The judge answered about a call. */
  | {
      readonly type: 'judged';
      readonly callId: string;
      readonly tool: string;
      readonly act: boolean;
      readonly target: boolean;
      readonly careful: boolean;
      readonly look: number;
    }
  /** The judge did not answer in time or in its form, so a person is asked. */
  | { readonly type: 'judge-failed'; readonly callId: string; readonly cause: string | undefined }
  /**
   * A history has a call with an effect that was never checked here: a tool of the agent is not connected to the gate.
   */
  | { readonly type: 'call-not-checked'; readonly callId: string; readonly tool: string }
  /**
   * A history has no message of the user in common with the one before it, so two chats share one conversation. The
   * first user's words no longer vouch for any value. Make a conversation for each chat.
   */
  | { readonly type: 'foreign-history' }
  /** A gate rule threw an error or returned an invalid result. The call was denied. */
  | { readonly type: 'rule-failed'; readonly callId: string; readonly rule: string; readonly cause: string | undefined }
  /** `ask` failed, so no person was asked about a held call. The call stays held. */
  | { readonly type: 'ask-failed'; readonly callId: string; readonly cause: string | undefined }
  /** A person rejected a held call. */
  | { readonly type: 'declined'; readonly callId: string; readonly tool: string }
  /**
   * Too many calls were not allowed, three in a row or twenty since the user's last message: the model is told to ask
   * the user.
   */
  | {
      readonly type: 'handed-over';
      readonly callId: string;
      readonly cause: 'in-a-row' | 'in-all';
      readonly refusals: number;
    }
  /** A person approved a held call or trusted a value. `until` is undefined if it does not expire. */
  | {
      readonly type: 'endorsed';
      readonly what: 'call' | 'value';
      /** The id and the scope of the approval of a call. */
      readonly approvalId?: string;
      readonly scope?: string;
      readonly by: string;
      readonly until: number | undefined;
      readonly tool: string;
      readonly callId: string | undefined;
    }
  /** A person revoked an approval. */
  | { readonly type: 'revoked'; readonly approvalId: string; readonly scope: string; readonly tool: string }
  /**
   * The store of approvals or of held calls failed. The call stays held, or is denied if a person may have rejected it.
   */
  | {
      readonly type: 'approvals-failed';
      readonly operation: 'take' | 'add' | 'hold';
      readonly callId: string;
      readonly cause: string | undefined;
    };

/** The conversation, the time and the number of an event. */
interface EventStamp {
  /** The id of the conversation. */
  readonly conversation: string;
  /** Milliseconds since 1970, by the boundary's clock. */
  readonly time: number;
  /** 1 for the first event of a conversation object, 2 for the next: a gap means that an event was lost. */
  readonly sequence: number;
}

/**
 * An event that an operator may want to log or count. No event contains content, a nonce or a key: records are named by
 * id, and `cause` is the name of an error without its message.
 *
 * @example
 * ```ts
 * const onEvent = (event: BoundaryEvent) => {
 *   if (event.type === 'decided') log.info(`${event.conversation}: ${event.tool}: ${event.outcome} by ${event.rule}`);
 * };
 * ```
 */
export type BoundaryEvent = EventStamp & EventDetails;

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

/** Reports an event of one conversation. */
export type Report = (details: EventDetails) => void;

/** Makes the function that adds the conversation, the time and a number to each event of one conversation. */
export function reporterFor(conversation: string, clock: () => number, onEvent: EventListener): Report {
  let sequence = 0;
  return (details) => {
    sequence += 1;
    onEvent({ ...details, conversation, time: clock(), sequence });
  };
}

const CAUSES = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AbortError', 'TimeoutError', 'SallyportError'];

/**
 * The name of a thrown error, for an event's `cause`. The message, and even an unknown name, may contain content.
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
