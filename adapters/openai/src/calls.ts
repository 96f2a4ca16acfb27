import type { ToolCall } from '@sallyport/core';
import { fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { idOf } from './id.ts';
import { argumentsOf } from './use.ts';

export interface Signal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

/** The second argument that the SDK passes to a tool of chat completions. */
export interface Runner {
  readonly messages: readonly unknown[];
  readonly controller?: { readonly signal?: Signal };
}

function lastCalls({ messages }: Runner): readonly unknown[] {
  const last = listOf(messages).findLast((message) => isFields(message) && listOf(message.tool_calls).length > 0);
  return listOf(fieldsOf(last).tool_calls);
}

/** Finds the call for which a tool is run: the SDK passes only the arguments to a tool. */
export class Calls {
  // The text that the model wrote, by the value that the tool's parser returned for it.
  readonly #written = new WeakMap<object, string>();
  // Two identical calls in one message are two calls.
  readonly #taken = new WeakSet<object>();

  recordParsed(written: string, parsed: unknown): void {
    if (typeof parsed === 'object' && parsed !== null) this.#written.set(parsed, written);
  }

  /** The call with the arguments as the model wrote them, which is how the history contains them. */
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
