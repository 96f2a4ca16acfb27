import type { Conversation } from '@sallyport/core';
import {
  fieldsOf,
  isFields,
  listOf,
  type OfferedTool,
  parametersOf,
  stringOf,
  type ToolDescriptions,
} from '@sallyport/core/adapter';
import { refusal, type Use, useOf } from './message.ts';
import { checkCall, type Guard, type RunContext } from './settle.ts';

type Run = (input: unknown, config?: unknown, ...rest: unknown[]) => unknown;

/** A tool that LangChain runs. A tool that the provider runs is a description without a function. */
export interface RunnableTool {
  readonly name: string;
  readonly description?: unknown;
  readonly schema?: unknown;
  readonly metadata?: unknown;
  readonly invoke: unknown;
}

export function isRunnable(tool: unknown): tool is RunnableTool {
  return isFields(tool) && typeof tool.invoke === 'function' && typeof tool.name === 'string';
}

/** The tool to declare. Tools of `@langchain/mcp-adapters` have the server's annotations in their metadata, even if there are none. */
export function offeredTool({ name, description, schema, metadata }: RunnableTool): OfferedTool {
  const describedBy = 'annotations' in fieldsOf(metadata) ? 'server' : undefined;
  return { name, description: stringOf(description), parameters: parametersOf(schema), describedBy };
}

/** A tool of LangChain as the model is sent it: with a framed description, and a schema without prose. */
async function shownTool(descriptions: ToolDescriptions, tool: RunnableTool): Promise<RunnableTool> {
  if (!descriptions.has(tool.name)) return tool;
  const { name, description, parameters } = offeredTool(tool);
  const shown = await descriptions.shown({ name, description, parameters });
  const members = new Map<unknown, unknown>([
    ['description', shown.description],
    ['schema', shown.parameters ?? tool.schema],
  ]);
  return new Proxy(tool, {
    get: (target, member, receiver) => members.get(member) ?? Reflect.get(target, member, receiver),
  });
}

/** The options of a request with the tools as the model is sent them: converted for its provider already, or not. */
export async function shownOptions(descriptions: ToolDescriptions, options: unknown): Promise<unknown> {
  const { tools } = fieldsOf(options);
  if (!Array.isArray(tools)) return options;
  const shown = tools.map((tool) => (isRunnable(tool) ? shownTool(descriptions, tool) : descriptions.shown(tool)));
  return { ...fieldsOf(options), tools: await Promise.all(shown) };
}

/** Definitions of functions in the forms of the providers. */
const FUNCTIONS: ReadonlySet<unknown> = new Set(['function', 'custom', undefined]);

/** Recognizes a provider's own tool. The model may read what it finds although no answer contains it. */
export function isProvided(tool: unknown): boolean {
  if (isRunnable(tool) || !isFields(tool)) return false;
  const isFunction = ['function', 'functionDeclarations', 'input_schema', 'name'].some((member) => member in tool);
  return !FUNCTIONS.has(tool.type) || !isFunction;
}

/** Refuses the definition of a function that LangChain does not run: its calls would reach your program without a check. */
export function checkRunnable(tools: readonly unknown[]): void {
  for (const tool of tools)
    if (!isRunnable(tool) && !isProvided(tool)) {
      const { name, function: own } = fieldsOf(tool);
      throw new TypeError(
        `The tool ${String(fieldsOf(own).name ?? name)} has no function, so its calls would not be checked. Give it one with tool(), even if it only interrupts the run.`,
      );
    }
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
  if (listOf(tools).some(isProvided)) conversation.declareUnseen();
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

/** The same tools, gated. */
export function guardTools<T extends readonly unknown[]>(guard: Guard, tools: T): T {
  return tools.map((tool) => guardTool(guard, tool)) as unknown as T;
}
