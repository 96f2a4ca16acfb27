import type { ToolsInput } from '@mastra/core/agent';
import type { Processor } from '@mastra/core/processors';
import type { RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import type { Ask, Conversation } from '@sallyport/core';
import { Gate } from './gate.ts';
import { guardTools, nameOf } from './guard.ts';
import { show } from './show.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default Mastra's own approval: the run is suspended */
  readonly ask?: Ask;
}

type BoundaryProcessor = Required<Pick<Processor<'sallyport'>, 'id' | 'processLLMRequest' | 'processLLMResponse'>>;

/** The seams of Mastra. */
export interface Protection {
  /** The last of `inputProcessors`: what tools and memory bring is framed on its way to the model, and nowhere else. */
  readonly processor: BoundaryProcessor;
  /** The same tools behind the gate. A call that may not be made fails with a text the model can go on from. */
  tools<T extends ToolsInput>(tools: T): T;
  /** The gate before tools that Mastra adds itself: those of memory and workspaces, agents and workflows as tools. */
  readonly hooks: Required<Pick<ToolHooks, 'beforeToolCall'>>;
  /** For the same tools: the run is suspended where a person is to be asked. */
  readonly requireToolApproval: RequireToolApprovalFn;
}

/** Puts the boundary of one conversation around an agent. */
export function protect(conversation: Conversation, { ask }: ProtectOptions = {}): Protection {
  const gate = new Gate(conversation, ask);
  const guarded = new Set<string>();
  return {
    processor: {
      id: 'sallyport',
      processLLMRequest: async ({ prompt, messageList }) => ({ prompt: await show(conversation, prompt, messageList) }),
      processLLMResponse: ({ chunks }) => gate.note(chunks),
    },
    tools(tools) {
      for (const key of Object.keys(tools)) guarded.add(nameOf(key));
      return guardTools(gate, tools);
    },
    hooks: {
      async beforeToolCall({ toolName, input, context }) {
        if (guarded.has(toolName)) return undefined;
        const refusal = await gate.refusalOf(toolName, input, context);
        return refusal === undefined ? undefined : { proceed: false, output: refusal };
      },
    },
    requireToolApproval: async ({ toolName, args }) => !guarded.has(toolName) && gate.isHeld(toolName, args, false),
  };
}
