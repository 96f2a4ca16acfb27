import type { ToolsInput } from '@mastra/core/agent';
import type { Processor } from '@mastra/core/processors';
import type { RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import type { Ask, Conversation } from '@sallyport/core';
import { Developer } from './developer.ts';
import { Gate } from './gate.ts';
import { guardTools } from './guard.ts';
import { Rules } from './rules.ts';
import { show } from './show.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default Mastra's own approval: the run is suspended */
  readonly ask?: Ask;
}

type Method = 'processInput' | 'processInputStep' | 'processLLMRequest' | 'processLLMResponse';
type BoundaryProcessor = Required<Pick<Processor<'sallyport'>, 'id' | Method>>;

/** The places where the boundary hooks into Mastra. */
export interface Protection {
  /** The last of `inputProcessors`. Frames content of tools and memory in what the model is sent, and nowhere else. */
  readonly processor: BoundaryProcessor;
  /** The same tools behind the gate. A call that is not allowed fails with a text from which the model can continue. */
  tools<T extends ToolsInput>(tools: T): T;
  /** The gate before all tools, including those that Mastra adds: tools of memory and workspaces, agents and workflows as tools. */
  readonly hooks: Required<Pick<ToolHooks, 'beforeToolCall'>>;
  /** For the same tools: suspends the run if a person has to be asked. */
  readonly requireToolApproval: RequireToolApprovalFn;
}

/**
 * Puts the boundary of one conversation around an agent.
 *
 * @example
 * ```ts
 * const { processor, tools, hooks, requireToolApproval } = protect(boundary.conversation('chat-1'));
 * const agent = new Agent({ id: 'shop', name: 'shop', instructions, model, tools: tools(shopTools), inputProcessors: [processor] });
 * const answer = await agent.generate('What is new?', { hooks, requireToolApproval });
 * ```
 */
export function protect(conversation: Conversation, { ask }: ProtectOptions = {}): Protection {
  const gate = new Gate(conversation, ask);
  const rules = new Rules();
  const developer = new Developer();
  return {
    processor: {
      id: 'sallyport',
      processInput({ messageList }) {
        developer.recordTexts(messageList);
        return messageList;
      },
      processInputStep({ tools, messageList, state }) {
        rules.recordTools(tools);
        // Earlier versions do not pass the list when the prompt is built.
        state.messageList = messageList;
        return undefined;
      },
      processLLMRequest: async ({ prompt, messageList, state }) => ({
        prompt: await show(conversation, prompt, messageList ?? state.messageList, developer),
      }),
      processLLMResponse: ({ chunks }) => gate.recordAnswer(chunks),
    },
    tools: (tools) => guardTools(gate, rules, tools),
    hooks: {
      async beforeToolCall({ toolName, input, context }) {
        const refusal = await gate.refusalBefore(toolName, input, context);
        // As an output it would pass through the tool's own output conversion.
        if (refusal !== undefined) throw new Error(refusal);
        return undefined;
      },
    },
    async requireToolApproval({ toolName, args }) {
      const decider = rules.deciderOf(toolName);
      // A guarded tool is asked for its own rule.
      return decider !== 'guard' && gate.isHeld(toolName, args, false, decider === 'all');
    },
  };
}
