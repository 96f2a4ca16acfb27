import type { CallableTool, ToolUnion } from '@google/genai';
import type { Ask, Conversation } from '@sallyport/core';
import { Coming } from './calls.ts';
import { guardTools } from './guard.ts';
import { type Fetch, sender } from './send.ts';

export interface ProtectOptions {
  /** Asks a person on the spot; the run waits. @default nobody is asked, and a held call is not made */
  readonly ask?: Ask;
  /** What requests are sent with. @default the global fetch */
  readonly fetch?: Fetch;
}

/** The two seams of the Google Gen AI SDK. */
export interface Protection {
  /** For `new GoogleGenAI({ httpOptions: { fetch } })`: results of tools are framed on their way to the model alone. */
  readonly fetch: Fetch;
  /** The same tools behind the gate. In place of a call that may not be made, the model gets an error it can go on from. */
  tools<T extends ToolUnion>(tools: readonly T[]): (T extends CallableTool ? CallableTool : T)[];
}

/** Puts the boundary of one conversation around a client and its tools. */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const coming = new Coming();
  return {
    fetch: sender(conversation, coming, options.fetch),
    tools: <T extends ToolUnion>(tools: readonly T[]) =>
      guardTools({ conversation, coming, ask: options.ask }, tools) as (T extends CallableTool ? CallableTool : T)[],
  };
}
