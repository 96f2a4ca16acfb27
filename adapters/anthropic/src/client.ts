import type { Middleware } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import type { MessagesClient } from './generate.ts';
import { checkGuarded } from './guard.ts';

/** The part of a client that `protect` needs: Anthropic's own client, or that of a cloud that hosts its models. */
export interface ProtectableClient extends MessagesClient {
  readonly middleware: readonly Middleware[];
  withOptions(options: { readonly middleware: readonly Middleware[] }): unknown;
}

const boundaries = new WeakSet<Middleware>();

type Method = (params: unknown, options: unknown) => unknown;

/** Refuses tools without a gate where they are given to a loop. A request would show only their names. */
function checkLoops(conversation: Conversation, client: unknown): void {
  const messages = fieldsOf(fieldsOf(client).beta).messages as Record<string, Method> | undefined;
  for (const name of ['toolRunner', 'thread'] as const) {
    const method = messages?.[name];
    if (messages === undefined || typeof method !== 'function') continue;
    messages[name] = (params, options) => {
      checkGuarded(conversation, fieldsOf(params).tools);
      return method.call(messages, params, options);
    };
  }
}

/** A copy of a client whose requests and loops pass through the boundary. */
export function protectClient<C extends ProtectableClient>(
  conversation: Conversation,
  client: C,
  middleware: Middleware,
): C {
  if (client.middleware.some((each) => boundaries.has(each)))
    throw new Error('This client is protected already. Pass protect() the client that you constructed.');
  boundaries.add(middleware);
  const copy = client.withOptions({ middleware: [...client.middleware, middleware] }) as C;
  checkLoops(conversation, copy);
  return copy;
}
