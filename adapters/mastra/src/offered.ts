import type { Conversation } from '@sallyport/core';
import type { ToolDescriptions } from '@sallyport/core/adapter';

/** The tools that may be offered to a model. */
export interface Offer {
  readonly conversation: Conversation;
  /** The names under which the protected tools are offered. */
  readonly names: ReadonlySet<string>;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
}

/**
 * Refuses a tool that was not protected, and of which nothing is declared: one that was added after `protect()`, to the agent or to a
 * single call. Mastra's own tools pass if they are declared: the hooks check their calls.
 */
export function checkOffered({ conversation, names }: Offer, offered: readonly string[]): void {
  for (const name of offered)
    if (!names.has(name) && conversation.tools.get(name) === undefined)
      throw new Error(
        `The tool ${name} is offered to the model, but it is not protected. Pass all your tools to protect(), and use only the tools that it returns. A tool that Mastra adds has to be declared to the boundary.`,
      );
}
