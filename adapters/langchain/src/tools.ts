import type { Conversation } from '@sallyport/core';
import { fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { refusal, type Use, useOf } from './message.ts';
import { checkCall, type Guard, type RunContext } from './settle.ts';

type Run = (input: unknown, config?: unknown, ...rest: unknown[]) => unknown;

/** A tool that LangChain runs. A tool that the provider runs is a description without a function. */
export interface RunnableTool {
  readonly name: string;
  readonly schema?: unknown;
  readonly invoke: unknown;
}

export function isRunnable(tool: unknown): tool is RunnableTool {
  return isFields(tool) && typeof tool.invoke === 'function' && typeof tool.name === 'string';
}

/** Tools whose calls are checked, and in which conversation: by themselves, or by the middleware around them. */
const guarded = new WeakMap<object, Conversation>();
const accepted = new WeakMap<object, Conversation>();

/** Records that the middleware checks the calls of a tool. */
export function accept(conversation: Conversation, tool: object): void {
  accepted.set(tool, conversation);
}

export function isProtected(conversation: Conversation, tool: object, by: 'guarded' | 'any' = 'any'): boolean {
  return guarded.get(tool) === conversation || (by === 'any' && accepted.get(tool) === conversation);
}

/**
 * Refuses a request that offers the model a tool that was not protected: its calls would run without a check. This happens if tools
 * are added after `protect()`, by hand or by middleware.
 */
export function checkOffered(conversation: Conversation, tools: unknown): void {
  for (const tool of listOf(tools).filter(isRunnable))
    if (!isProtected(conversation, tool))
      throw new Error(
        `The tool ${tool.name} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns. If middleware adds the tool, put the middleware that protect() returns last.`,
      );
}

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
  const { conversation } = guard;
  if (!isRunnable(tool) || isProtected(conversation, tool, 'guarded')) return tool;
  if (guarded.has(tool))
    throw new TypeError(`The tool ${tool.name} is protected for another conversation: pass the tool itself.`);
  const { name } = tool;
  const guardRun =
    (run: Run): Run =>
    async (input, config, ...rest) => {
      guard.checkThread(config);
      const use = usedAs(name, input, config);
      const { outcome, result } = await checkCall(guard, use, contextIn(config));
      if (outcome === 'allow') return run(input, config, ...rest);
      if (!isToolCall(input)) throw new Error(result);
      return refusal(use.id, use.tool, result);
    };
  const proxy = new Proxy(tool, {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver);
      return RUNS.has(member) && typeof value === 'function' ? guardRun(value.bind(target) as Run) : value;
    },
  });
  guarded.set(proxy, conversation);
  return proxy;
}

/** The same tools behind the gate. */
export function guardTools<T extends readonly unknown[]>(guard: Guard, tools: T): T {
  return tools.map((tool) => guardTool(guard, tool)) as unknown as T;
}
