import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { Ask, Conversation, ToolCall } from '@sallyport/core';
import { digestText, type Fields, fieldsOf, isFields, nonEmptyStringOf } from '@sallyport/core/adapter';
import { unprotected } from './offered.ts';
import { useOf } from './turns.ts';

type Run = (first: unknown, second: unknown) => unknown;

/** The conversation whose gate is in a `run` function. Kept by function, because applications copy tools to change them. */
const gates = new WeakMap<object, Conversation>();

/** The call for which a tool is run. If the SDK does not pass it, two identical calls have the same id. */
function callOf(tool: Fields, first: unknown, second: unknown): ToolCall {
  const name = nonEmptyStringOf(tool.name);
  // A toolset has no name: its first argument is the context, and its second the tool use.
  if (name === undefined) return useOf(fieldsOf(second));
  const { toolUse, toolUseBlock } = fieldsOf(second);
  const block = toolUse ?? toolUseBlock;
  if (isFields(block)) return { ...useOf(block), tool: name };
  return { ...useOf({ input: first }), id: `run-${digestText(JSON.stringify([name, first]))}`, tool: name };
}

/** An instance of a class may have private members, so it is wrapped in a proxy and not copied. */
function withRun<T extends Fields>(tool: T, run: Run): T {
  if (Object.hasOwn(tool, 'run')) return { ...tool, run };
  return new Proxy(tool, {
    get(target, name) {
      if (name === 'run') return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function guardTool(conversation: Conversation, tool: unknown, ask: Ask | undefined): unknown {
  if (!isFields(tool) || typeof tool.run !== 'function') return tool;
  const run = tool.run.bind(tool) as Run;
  const guarded: Run = async (first, second) => {
    if (!conversation.hasRendered)
      throw new Error(
        'No request has passed through the boundary, so it is not known what the model has read. Use the client that protect() returned.',
      );
    const { outcome, result } = await conversation.check(callOf(tool, first, second), { ask });
    if (outcome !== 'allow') throw new ToolError(result);
    return run(first, second);
  };
  gates.set(guarded, conversation);
  return withRun(tool, guarded);
}

/** The same tools, gated. Tools that the provider runs are returned unchanged. */
export function guardTools<T extends readonly unknown[]>(
  conversation: Conversation,
  tools: T,
  ask: Ask | undefined,
): T {
  return tools.map((tool) => guardTool(conversation, tool, ask)) as unknown as T;
}

/** Refuses tools that would run without the gate of this conversation. */
export function checkGuarded(conversation: Conversation, tools: unknown): void {
  if (!Array.isArray(tools)) return;
  for (const tool of tools.filter(isFields))
    if (typeof tool.run === 'function' && gates.get(tool.run) !== conversation) throw unprotected(tool);
}
