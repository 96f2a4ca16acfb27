import type { AbortSignalLike } from '../base/time-limit.ts';
import type { Effect } from '../call/effect.ts';
import type { Tool } from '../call/tool.ts';
import type { TaskDefinition } from './definition.ts';

/**
 * What `authorize` is told about a tool: what the developer declared, and nothing that a server says about itself.
 *
 * @example
 * ```ts
 * const outline: ToolOutline = { name: 'pay', effect: 'spend', description: 'Transfers money to an account.' };
 * ```
 */
export interface ToolOutline {
  readonly name: string;
  readonly effect: Effect;
  /** The `description` of the tool's definition. @default none */
  readonly description?: string;
}

/**
 * Says what the user authorizes in one message. It gets the user's own words without what they quote, and the declared tools; never
 * content. Its answer is believed: do not take it from content either. If it fails or takes too long, the built-in words decide.
 *
 * @example
 * ```ts
 * const authorize: Authorize = async (userText) => ({ people: addressBook.peopleIn(userText) });
 * const boundary = createBoundary({ tools, authorize });
 * ```
 */
export type Authorize = (
  userText: string,
  tools: readonly ToolOutline[],
  options: { readonly signal: AbortSignalLike },
) => PromiseLike<TaskDefinition> | TaskDefinition;

export function outlineOf({ name, effect, description }: Tool): ToolOutline {
  return { name, effect, ...(description === undefined ? {} : { description }) };
}
