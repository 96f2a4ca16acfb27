import type { Likelihood } from '@sallyport/core/stages';
import type { GuardPolicy, MemoryPolicy, ToolLists } from '../../store/policy/body.ts';

/** Settings of a principal's memory. With other settings it has to be read from the log again. */
interface MemorySettings {
  readonly policy: MemoryPolicy;
  readonly thresholds: readonly (readonly [tag: string, least: Likelihood])[];
}

/** A principal whose conversations a thread remembers. */
export interface PrincipalSettings extends MemorySettings {
  readonly workspace: string;
  readonly principal: string;
  /** Seals the frames of this principal's conversations. No other principal has the same key. */
  readonly key: Uint8Array;
  readonly isAudited: boolean;
  /** Maximum number of characters that one conversation remembers. */
  readonly maxRead: number;
  /** Maximum number of characters that all conversations of the principal remember. */
  readonly maxReadTotal: number;
}

/** Options of a connection that a thread needs. */
export interface ConnectionSettings {
  readonly canElicit: boolean;
  readonly conversation?: string | undefined;
  readonly showsForms?: boolean;
  /** The tools that the caller's groups reach: one of these lists must offer a tool. @default all */
  readonly lists?: readonly ToolLists[];
}

/** Messages of the main thread to a guard thread. The principal of each order is charged for the time it takes. */
export type Order = { readonly principal: number } & (
  | { readonly type: 'open'; readonly settings: PrincipalSettings }
  | {
      readonly type: 'guard';
      readonly id: number;
      readonly server: string;
      readonly revision: string;
      readonly policy: GuardPolicy;
    }
  | {
      readonly type: 'connect';
      readonly connection: number;
      readonly server: string;
      readonly settings: ConnectionSettings;
    }
  | {
      readonly type: 'message';
      readonly id: number;
      readonly connection: number;
      readonly from: 'client' | 'server';
      readonly text: string;
    }
  | { readonly type: 'abandon'; readonly id: number; readonly connection: number; readonly message: string }
  /** Ends the open questions of a connection without an answer. */
  | { readonly type: 'settle'; readonly connection: number }
  | { readonly type: 'close'; readonly connection: number }
  | { readonly type: 'drop' }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: ErrorText }
  /** A form that a person can answer has this id. */
  | { readonly type: 'show'; readonly id: number; readonly form: string }
);

/** The parts of an error that cross threads. */
export interface ErrorText {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
}

/** The state of a connection when a report was sent. */
export interface ConnectionState {
  readonly isSettled: boolean;
  readonly canElicit: boolean;
}

/** Messages of a guard thread to the main thread. */
export type Report =
  | {
      readonly type: 'sent';
      readonly connection: number;
      /** The order that the message follows from. */
      readonly id: number;
      readonly to: 'client' | 'server';
      readonly text: string;
      readonly state: ConnectionState;
    }
  | {
      readonly type: 'done';
      readonly id: number;
      readonly value?: unknown;
      readonly error?: ErrorText;
      readonly connection?: number;
      readonly state?: ConnectionState;
    }
  | {
      readonly type: 'ask';
      readonly id: number;
      readonly principal: number;
      readonly connection: number | undefined;
      readonly service: string;
      readonly given: readonly unknown[];
    }
  /** The answer to a question is no longer needed. */
  | { readonly type: 'cancel'; readonly id: number }
  /** A principal's use of the thread. */
  | {
      readonly type: 'used';
      readonly principal: number;
      /** Milliseconds in which no other principal could go on. */
      readonly milliseconds: number;
      /** Characters that the principal's conversations remember now. */
      readonly characters: number;
    };

export interface WorkerSettings {
  /** The id of a classifier that runs on the main thread. Undefined: the built-in one, on this thread. */
  readonly classifier: string | undefined;
  /** The niceness of the thread, from 0 to 19: how far it yields when there are too few cores. */
  readonly niceness: number;
  /** The number of the principal that the thread works for, or 0, and the number of turns so far. */
  readonly turn: SharedArrayBuffer;
}

export function errorText(cause: unknown): ErrorText {
  const { name, code, message } = (cause ?? {}) as { name?: unknown; code?: unknown; message?: unknown };
  return {
    name: typeof name === 'string' ? name : 'Error',
    ...(typeof code === 'string' ? { code } : {}),
    message: typeof message === 'string' ? message : 'unknown',
  };
}

/** An error of another thread. */
export function errorOf({ name, code, message }: ErrorText): Error {
  return Object.assign(new Error(message), { name }, code === undefined ? {} : { code });
}
