import type { AbortSignalLike } from '../base/time-limit.ts';
import type { ToolOutline } from '../task/authorize.ts';

/**
 * What an adviser is told about a held call: the user's words, the tool as it was declared, and the bare call. It sees no tool result
 * and nothing that the agent wrote, so neither an injected text nor a persuasive one reaches it, except in the arguments.
 *
 * @example
 * ```ts
 * const question: AdviserQuestion = {
 *   messages: ['Tell Ann that I am late.'],
 *   tool: { name: 'send_message', effect: 'send' },
 *   arguments: '{"to":"ann","text":"I am late."}',
 * };
 * ```
 */
export interface AdviserQuestion {
  /** The user's messages without what they quote, the oldest first. */
  readonly messages: readonly string[];
  readonly tool: ToolOutline;
  /** The arguments as JSON. They can hold words of strangers: they are data, never instructions. */
  readonly arguments: string;
}

/**
 * What an adviser says about a held call.
 *
 * @example
 * ```ts
 * const advice: Advice = { fits: false, reason: 'The user wanted a summary, not a message to a stranger.' };
 * ```
 */
export interface Advice {
  /** Whether the user's words ask for this call. */
  readonly fits: boolean;
  /** One sentence for the person who decides. */
  readonly reason: string;
}

/**
 * Says whether the user's words ask for a held call. `adviseWith()` makes one from a model.
 *
 * @example
 * ```ts
 * const advise: Advise = async ({ tool }) => ({ fits: tool.name === 'save_draft', reason: 'Drafts can be undone.' });
 * ```
 */
export type Advise = (
  question: AdviserQuestion,
  options: { readonly signal: AbortSignalLike },
) => PromiseLike<Advice> | Advice;
