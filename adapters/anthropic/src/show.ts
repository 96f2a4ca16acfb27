import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, withReadingRules } from '@sallyport/core/adapter';
import { blocksOf } from './blocks.ts';
import { isProvided, messagesOf, turnsOf } from './turns.ts';

/** Appends the reading rules to the last text, so that a cache breakpoint on it covers them. */
function withRules(system: unknown): unknown {
  if (!Array.isArray(system)) return withReadingRules(typeof system === 'string' ? system : '');
  const last: unknown = system.at(-1);
  if (!isFields(last) || typeof last.text !== 'string')
    return [...system, { type: 'text', text: withReadingRules('') }];
  return [...system.slice(0, -1), { ...last, text: withReadingRules(last.text) }];
}

/** The provider stores the system prompt of a thread, and rejects a request that repeats it. */
function isContinued({ thread }: Fields): boolean {
  return fieldsOf(thread).type === 'continue';
}

/** The request body that the model is sent. The given body is not changed. */
export async function show(conversation: Conversation, body: Fields): Promise<Fields> {
  const turns = turnsOf(body);
  const frames = await conversation.render(turns.map(({ turn }) => turn));
  const shown = new Map<string, readonly Fields[]>();
  for (const [index, { message, block, show: replace }] of turns.entries()) {
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

/** Records the results of provider tools in a reply. On a thread, no later request would contain them. */
export async function recordReply(conversation: Conversation, body: Fields, blocks: readonly unknown[]): Promise<void> {
  if (!blocks.some(isProvided)) return;
  const messages = [...messagesOf(body), { role: 'assistant', content: blocks }];
  await conversation.render(turnsOf({ ...body, messages }).map(({ turn }) => turn));
}
