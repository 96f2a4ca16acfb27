import { BoundedMap, type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { useOf } from './use.ts';

/** Calls that your program makes. All others are made by the provider. */
const MADE_HERE: ReadonlySet<unknown> = new Set([
  ...['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call'],
]);
const OUTPUT = /_output$/;
const MAX_CALLS = 10_000;

/** The id of the call whose result an item is. */
function answeredId({ role, type, tool_call_id, call_id }: Fields): unknown {
  if (role === 'tool') return tool_call_id;
  return OUTPUT.test(String(type)) ? call_id : undefined;
}

/**
 * Notices calls that were made without a check. This happens if a program uses the tools that it passed to `protect()` in place of
 * those that it got back, or forgets `check()` in a loop of its own: both have the same names, so no request shows it.
 */
export class Watch {
  readonly #names: ReadonlySet<string>;
  // The tools of calls in the answers of the model, by the ids of the calls.
  readonly #called = new BoundedMap<string, string>(MAX_CALLS);
  readonly #checked = new Set<string>();

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** Records that calls of a tool reach the gate. */
  recordCheck(tool: string): void {
    this.#checked.add(tool);
  }

  /** Records the calls in a message or an item of an answer. */
  recordAnswer(item: Fields): void {
    const calls = MADE_HERE.has(item.type) ? [item] : listOf(item.tool_calls).filter(isFields);
    for (const call of calls) {
      const id = call.call_id ?? call.id;
      const tool = useOf(call)?.tool;
      if (typeof id === 'string' && tool !== undefined && this.#names.has(tool)) this.#called.set(id, tool);
    }
    // The provider made this call itself.
    if (OUTPUT.test(String(item.type))) this.#called.delete(String(item.call_id));
  }

  /** Refuses a request with the result of a call that was never checked. */
  checkResults({ messages, input, items }: Fields): void {
    for (const item of [messages, input, items].flatMap(listOf)) {
      const tool = this.#called.get(String(answeredId(fieldsOf(item))));
      if (tool !== undefined && !this.#checked.has(tool))
        throw new Error(
          `A call of the tool ${tool} was made, but it is not behind the gate. Use the tools that protect() returns; in a loop of your own, pass every call to check() before you make it.`,
        );
    }
  }
}
