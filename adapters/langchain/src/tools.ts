import { fieldsOf, isFields } from '@sallyport/core/adapter';
import { type Use, useOf } from './message.ts';
import { refusal } from './middleware.ts';
import { checkCall, type Guard, type RunContext } from './settle.ts';

type Run = (input: unknown, config?: unknown, ...rest: unknown[]) => unknown;

const RUNS: ReadonlySet<unknown> = new Set(['invoke', 'call']);

function isToolCall(input: unknown): boolean {
  return isFields(input) && input.type === 'tool_call';
}

function usedAs(name: unknown, input: unknown, config: unknown): Use {
  const { toolCall, toolCallId } = fieldsOf(config);
  if (!isToolCall(input)) return useOf(fieldsOf(toolCall).id ?? toolCallId, name, input);
  const { id, args } = fieldsOf(input);
  return useOf(id, name, args);
}

/** A node passes its state to its tools: the messages, or an object that contains them. */
function contextIn(config: unknown): RunContext {
  const { state, interrupt } = fieldsOf(config);
  const messages = Array.isArray(state) ? state : fieldsOf(state).messages;
  return {
    messages: Array.isArray(messages) ? messages : undefined,
    interrupt: typeof interrupt === 'function' ? (interrupt as RunContext['interrupt']) : undefined,
  };
}

function guardTool<T>(guard: Guard, tool: T): T {
  // A tool that the provider runs is a description without a function.
  if (!isFields(tool) || typeof tool.invoke !== 'function') return tool;
  const { name } = tool;
  const guardRun =
    (run: Run): Run =>
    async (input, config, ...rest) => {
      const use = usedAs(name, input, config);
      const { outcome, result } = await checkCall(guard, use, contextIn(config));
      if (outcome === 'allow') return run(input, config, ...rest);
      if (!isToolCall(input)) throw new Error(result);
      return refusal(use.id, use.tool, result);
    };
  return new Proxy(tool, {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver);
      return RUNS.has(member) && typeof value === 'function' ? guardRun(value.bind(target) as Run) : value;
    },
  });
}

/** The same tools behind the gate. */
export function guardTools<T extends readonly unknown[]>(guard: Guard, tools: T): T {
  return tools.map((tool) => guardTool(guard, tool)) as unknown as T;
}
