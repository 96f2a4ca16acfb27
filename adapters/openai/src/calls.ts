import type { ToolCall } from '@sallyport/core';
import { idOf, isFields, listOf } from './fields.ts';
import { argumentsOf } from './use.ts';

export interface Signal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

/** What the SDK hands to a tool of chat completions beside its arguments. */
export interface Runner {
  readonly messages: readonly unknown[];
  readonly controller?: { readonly signal?: Signal };
}

function lastCalls({ messages }: Runner): readonly unknown[] {
  const last = messages.findLast((message) => isFields(message) && listOf(message.tool_calls).length > 0);
  return isFields(last) ? listOf(last.tool_calls) : [];
}

/** Finds the call that a tool was run for: the SDK tells a tool its arguments only. */
export class Calls {
  // What the model wrote, by what a tool's own parser made of it.
  readonly #written = new WeakMap<object, string>();
  // The same call twice in one message is two calls.
  readonly #taken = new WeakSet<object>();

  note(written: string, parsed: unknown): void {
    if (typeof parsed === 'object' && parsed !== null) this.#written.set(parsed, written);
  }

  /** The call is judged by what the model wrote, which is also what the history says of it. */
  useOf(tool: string, given: unknown, runner: Runner | undefined): ToolCall {
    const parsed = typeof given === 'object' && given !== null ? given : { input: given ?? null };
    const written = typeof given === 'string' ? given : this.#written.get(parsed);
    const id = this.#find(tool, written, runner);
    return { id: idOf(id, [tool, written ?? parsed]), tool, arguments: argumentsOf(written ?? parsed) };
  }

  #find(tool: string, written: string | undefined, runner: Runner | undefined): unknown {
    const calls = runner === undefined ? [] : lastCalls(runner);
    for (const call of calls) {
      if (!isFields(call) || !isFields(call.function) || this.#taken.has(call)) continue;
      if (call.function.name !== tool || call.function.arguments !== written) continue;
      this.#taken.add(call);
      return call.id;
    }
    return undefined;
  }
}
