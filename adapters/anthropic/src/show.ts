import type { Conversation } from '@sallyport/core';
import { withReadingRules } from '@sallyport/core/adapter';
import { blocksOf, type Fields, isFields } from './fields.ts';
import { isProvided, messagesOf, turnsOf } from './turns.ts';

/** The reading rules stand behind the last text, within what a cache breakpoint on it covers. */
function withRules(system: unknown): unknown {
  if (!Array.isArray(system)) return withReadingRules(typeof system === 'string' ? system : '');
  const last: unknown = system.at(-1);
  if (!isFields(last) || typeof last.text !== 'string')
    return [...system, { type: 'text', text: withReadingRules('') }];
  return [...system.slice(0, -1), { ...last, text: withReadingRules(last.text) }];
}

/** The provider keeps the system prompt of a thread, and refuses a request that repeats it. */
function isContinued({ thread }: Fields): boolean {
  return isFields(thread) && thread.type === 'continue';
}

/** The body of a request as the model is to be shown it. The one that was given stays as it is. */
export async function show(conversation: Conversation, body: Fields): Promise<Fields> {
  const placed = turnsOf(body);
  const frames = await conversation.render(placed.map(({ turn }) => turn));
  const shown = new Map<string, readonly Fields[]>();
  for (const [index, { message, block, show: replace }] of placed.entries()) {
    const framed = frames[index];
    if (framed !== undefined && replace !== undefined) shown.set(`${message} ${block}`, replace(framed));
  }
  const messages = messagesOf(body).map((message, index) => {
    if (!isFields(message)) return message;
    const blocks = blocksOf(message.content);
    if (!blocks.some((_, at) => shown.has(`${index} ${at}`))) return message;
    return {
      ...message,
      content: blocks.flatMap((block, at): readonly unknown[] => shown.get(`${index} ${at}`) ?? [block]),
    };
  });
  return { ...body, messages, ...(isContinued(body) ? {} : { system: withRules(body.system) }) };
}

/** What the provider ran itself stands in its reply, which comes back with the next request, or with none on a thread. */
export async function hear(conversation: Conversation, body: Fields, blocks: readonly unknown[]): Promise<void> {
  if (!blocks.some(isProvided)) return;
  const messages = [...messagesOf(body), { role: 'assistant', content: blocks }];
  await conversation.render(turnsOf({ ...body, messages }).map(({ turn }) => turn));
}
