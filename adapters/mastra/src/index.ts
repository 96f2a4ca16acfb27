import type { ToolsInput } from '@mastra/core/agent';
import type { Processor } from '@mastra/core/processors';
import type { RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import type { Ask, Conversation } from '@sallyport/core';
import { Developer } from './developer.ts';
import { Gate } from './gate.ts';
import { guardTools } from './guard.ts';
import { Rules } from './rules.ts';
import { show } from './show.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default Mastra's own approval: the run is suspended */
  readonly ask?: Ask;
}

type Method = 'processInput' | 'processInputStep' | 'processLLMRequest' | 'processLLMResponse';
type BoundaryProcessor = Required<Pick<Processor<'sallyport'>, 'id' | Method>>;

/** The seams of Mastra. */
export interface Protection {
  /** The last of `inputProcessors`: what tools and memory bring is framed on its way to the model, and nowhere else. */
  readonly processor: BoundaryProcessor;
  /** The same tools behind the gate. A call that may not be made fails with a text the model can go on from. */
  tools<T extends ToolsInput>(tools: T): T;
  /** The gate before all tools, also those that Mastra adds itself: those of memory and workspaces, agents and workflows as tools. */
  readonly hooks: Required<Pick<ToolHooks, 'beforeToolCall'>>;
  /** For the same tools: the run is suspended where a person is to be asked. */
  readonly requireToolApproval: RequireToolApprovalFn;
}

/** Puts the boundary of one conversation around an agent. */
export function protect(conversation: Conversation, { ask }: ProtectOptions = {}): Protection {
  const gate = new Gate(conversation, ask);
  const rules = new Rules();
  const developer = new Developer();
  return {
    processor: {
      id: 'sallyport',
      processInput({ messageList }) {
        developer.note(messageList);
        return messageList;
      },
      processInputStep({ tools, messageList, state }) {
        rules.see(tools);
        // Earlier versions do not tell of the list when the prompt is made.
        state.messageList = messageList;
        return undefined;
      },
      processLLMRequest: async ({ prompt, messageList, state }) => ({
        prompt: await show(conversation, prompt, messageList ?? state.messageList, developer),
      }),
      processLLMResponse: ({ chunks }) => gate.note(chunks),
    },
    tools: (tools) => guardTools(gate, rules, tools),
    hooks: {
      async beforeToolCall({ toolName, input, context }) {
        const refusal = await gate.refusalBefore(toolName, input, context);
        // As an output it would go through what the tool makes of its results.
        if (refusal !== undefined) throw new Error(refusal);
        return undefined;
      },
    },
    async requireToolApproval({ toolName, args }) {
      const heard = rules.heardOf(toolName);
      // A guarded tool is asked for its rule in any case.
      return heard !== 'guard' && gate.isHeld(toolName, args, false, heard === 'all');
    },
  };
}
