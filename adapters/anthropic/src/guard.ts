import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { Ask, Conversation, ToolCall } from '@sallyport/core';
import { digestText, type Fields, fieldsOf, isFields, nonEmptyStringOf } from '@sallyport/core/adapter';
import { useOf } from './turns.ts';

type Run = (first: unknown, second: unknown) => unknown;

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

function guardTool<T>(conversation: Conversation, tool: T, ask: Ask | undefined): T {
  if (!isFields(tool) || typeof tool.run !== 'function') return tool;
  const run = tool.run.bind(tool) as Run;
  return withRun(tool, async (first, second) => {
    const { outcome, result } = await conversation.check(callOf(tool, first, second), { ask });
    if (outcome !== 'allow') throw new ToolError(result);
    return run(first, second);
  });
}

/** The same tools behind the gate. Tools that the provider runs are returned unchanged. */
export function guardTools<T>(conversation: Conversation, tools: readonly T[], ask: Ask | undefined): T[] {
  return tools.map((tool) => guardTool(conversation, tool, ask));
}
