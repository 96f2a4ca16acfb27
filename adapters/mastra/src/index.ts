import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import type { RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import {
  type DeclaredTools,
  type Fields,
  type ProtectChoices,
  parametersOf,
  stringOf,
  type ToolDescriptions,
  wireJudge,
  wireTools,
} from '@sallyport/core/adapter';
import { Gate } from './gate.ts';
import { generateWithOwn } from './generate.ts';
import { checkExecutable, guardTools, nameOf } from './guard.ts';
import { protectModel } from './model.ts';
import { type BoundaryProcessor, createProcessor } from './processor.ts';
import { Rules } from './rules.ts';

/** The names of a tool's arguments; any string if its type does not say. */
type ArgumentsOf<T> = T extends { readonly inputSchema?: infer Schema }
  ? NonNullable<Schema> extends { readonly '~standard': { readonly types?: infer Types } }
    ? NonNullable<Types> extends { readonly input: infer Input }
      ? unknown extends Input
        ? string
        : Extract<keyof Input, string>
      : string
    : string
  : string;

/** The effects and origins of the tools: one declaration for each key, whose arguments are those of the tool. */
export type Declarations<T extends ToolsInput> = {
  readonly [Name in keyof T]: ToolDeclaration<ArgumentsOf<T[Name]>>;
};

/** Options of `protect`. */
export interface ProtectOptions<T extends ToolsInput> extends ProtectChoices {
  /** The model of the agent, in every form that an agent accepts. */
  readonly model: AgentConfig['model'];
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations<T>>;
  /** Asks a person while the call waits. @default Mastra's own approval: the run is suspended */
  readonly ask?: Ask;
}

/** The protected parts of an agent, under the names that `new Agent()` has for them. */
export interface Protected<T extends ToolsInput> {
  /** The same model. Links of its answers that could carry data are removed. */
  readonly model: AgentConfig['model'];
  /** The same tools, gated. A call that is not allowed fails with a text from which the model can continue. */
  readonly tools: T;
  /** Frames content of tools and memory in what the model is sent, and nowhere else. Add your own processors before it. */
  readonly inputProcessors: BoundaryProcessor[];
  /** The gate before all tools, including those that Mastra adds: tools of memory and workspaces, agents and workflows as tools. */
  readonly hooks: Required<Pick<ToolHooks, 'beforeToolCall'>>;
  /** For the same tools: suspends the run if a person has to be asked. */
  readonly defaultOptions: { readonly requireToolApproval: RequireToolApprovalFn };
}

/**
 * Puts the boundary of one conversation around an agent: what its model reads, what it calls and what it answers.
 *
 * @example
 * ```ts
 * const guarded = protect(boundary.conversation('chat-1'), {
 *   model: 'openai/gpt-5',
 *   tools: shopTools,
 *   declare: {
 *     read_reviews: { effect: 'read', origin: 'external' },
 *     refund: { effect: 'spend' },
 *   },
 * });
 * const agent = new Agent({ id: 'shop', name: 'shop', instructions, ...guarded });
 * ```
 */
export function protect<T extends ToolsInput>(conversation: Conversation, options: ProtectOptions<T>): Protected<T> {
  const { model, tools, declare, ask, judge = false, rawOutput = false } = options;
  checkExecutable(tools);
  const descriptions = wire(conversation, tools, declare as DeclaredTools);
  wireJudge(conversation, judge, () => generateWithOwn(model));
  const gate = new Gate(conversation, ask);
  const rules = new Rules();
  const offer = { conversation, descriptions, names: new Set(Object.keys(tools).map(nameOf)) };
  const { processor, onAsked } = createProcessor(offer, gate, rules);
  return {
    model: protectModel({ ...offer, rawOutput, onAsked }, model),
    tools: guardTools(gate, rules, tools),
    inputProcessors: [processor],
    hooks: {
      async beforeToolCall({ toolName, input, context }) {
        const refusal = await gate.refusalBefore(toolName, input, context);
        // As an output it would pass through the tool's own output conversion.
        if (refusal !== undefined) throw new Error(refusal);
        return undefined;
      },
    },
    defaultOptions: {
      async requireToolApproval({ toolName, args }) {
        const decider = rules.deciderOf(toolName);
        // A guarded tool is asked for its own rule.
        return decider !== 'guard' && gate.isHeld(toolName, args, false, decider === 'all');
      },
    },
  };
}

/** Declares the tools by the names under which the model is offered them. */
function wire(conversation: Conversation, tools: ToolsInput, declare: DeclaredTools): ToolDescriptions {
  const offered = Object.entries(tools).map(([key, tool]) => {
    const { description, inputSchema, parameters, mcpMetadata } = tool as Fields;
    return {
      name: nameOf(key),
      description: stringOf(description),
      parameters: parametersOf(inputSchema ?? parameters),
      // Mastra's MCP client sets it.
      describedBy: mcpMetadata === undefined ? undefined : ('server' as const),
    };
  });
  const isRegistry = typeof declare.get === 'function';
  const named = Object.fromEntries(Object.entries(declare).map(([key, value]) => [nameOf(key), value]));
  return wireTools(conversation, offered, isRegistry ? declare : (named as DeclaredTools));
}
