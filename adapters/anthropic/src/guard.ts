import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { Ask, Conversation, ToolCall } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { type Fields, isFields, textOf } from './fields.ts';
import { useOf } from './turns.ts';

type Run = (first: unknown, second: unknown) => unknown;

/** A call as its tool is told of it. Where it is told nothing, the same call twice is one call. */
function callOf(tool: Fields, first: unknown, second: unknown): ToolCall {
  const name = textOf(tool.name);
  // A toolset has no name: it takes the context first, and then which of its tools is meant.
  if (name === undefined) return useOf(isFields(second) ? second : {});
  const { toolUse, toolUseBlock } = isFields(second) ? second : ({} as Fields);
  const told = toolUse ?? toolUseBlock;
  if (isFields(told)) return { ...useOf(told), tool: name };
  return { ...useOf({ input: first }), id: `run-${digestText(JSON.stringify([name, first]))}`, tool: name };
}

/** Objects of a class keep their private members, so what stands before such a tool is a proxy. */
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

/** The same tools behind the gate. What the provider runs itself stays as it is: nothing of it runs here. */
export function guardTools<T>(conversation: Conversation, tools: readonly T[], ask: Ask | undefined): T[] {
  return tools.map((tool) => guardTool(conversation, tool, ask));
}
