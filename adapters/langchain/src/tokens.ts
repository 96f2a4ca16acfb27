import type { Conversation } from '@sallyport/core';

/** A chunk of an answer, as a model reports it to callbacks. */
export interface Token {
  readonly text: string;
  readonly message: object;
}

/** The callbacks of one call of a model. */
export interface Manager {
  handleLLMNewToken(token: string, ...rest: unknown[]): PromiseLike<void>;
}

function withTokens<M extends Manager | undefined>(manager: M, handle: Manager['handleLLMNewToken']): M {
  return manager === undefined ? manager : Object.assign(Object.create(manager), { handleLLMNewToken: handle });
}

/** The same callbacks without tokens. */
export function silent(manager: Manager | undefined): Manager | undefined {
  return withTokens(manager, async () => undefined);
}

/** The same callbacks for a model that streams although it is asked for a whole answer. They get what may be shown. */
export function sanitizingTokens(
  conversation: Conversation,
  manager: Manager | undefined,
): { readonly manager: Manager | undefined; readonly end: () => Promise<void> } {
  const output = conversation.outputStream();
  const report = async (text: string): Promise<void> => {
    if (text !== '') await manager?.handleLLMNewToken(text);
  };
  return {
    manager: withTokens(manager, (token) => report(output.push(token))),
    end: () => report(output.end()),
  };
}
