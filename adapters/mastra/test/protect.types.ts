// The type checker must refuse every line after a @ts-expect-error. At run time, wiring refuses the same mistakes.
import { createTool } from '@mastra/core/tools';
import type { Conversation } from '@sallyport/core';
import { z } from 'zod';
import { protect } from '../src/index.ts';

const model = 'openai/gpt-5';
const execute = async () => 'done';
const tools = {
  read_mail: createTool({ id: 'read', description: 'x', inputSchema: z.object({}), execute }),
  send_mail: createTool({
    id: 'send',
    description: 'x',
    inputSchema: z.object({ to: z.string(), body: z.string() }),
    execute,
  }),
};
const read_mail = { effect: 'read', origin: 'external' } as const;
const send_mail = { effect: 'send', modelText: ['body'], roles: { to: 'recipient' } } as const;

export function mistakes(chat: Conversation): void {
  const on = { model, tools } as const;
  protect(chat, { ...on, declare: { read_mail, send_mail } });
  protect(chat, { ...on, declare: chat.tools });
  // @ts-expect-error a tool without a declaration: Property 'send_mail' is missing
  protect(chat, { ...on, declare: { read_mail } });
  // @ts-expect-error a declaration without a tool: 'send_mails' does not exist
  protect(chat, { ...on, declare: { read_mail, send_mail, send_mails: send_mail } });
  // @ts-expect-error a misspelt argument: Type '"bodi"' is not assignable to type '"body" | "to"'
  protect(chat, { ...on, declare: { read_mail, send_mail: { effect: 'send', modelText: ['bodi'] } } });
  // @ts-expect-error a misspelt argument: 'too' does not exist
  protect(chat, { ...on, declare: { read_mail, send_mail: { effect: 'send', roles: { too: 'text' } } } });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  protect(chat, { ...on, declare: { read_mail, send_mail: { modelText: ['body'] } } });
  // @ts-expect-error tools without a model: Property 'model' is missing
  protect(chat, { tools, declare: { read_mail, send_mail } });
}
