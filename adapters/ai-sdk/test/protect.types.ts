// Mistakes that do not compile. `tsc -p tsconfig.test.json` checks them.
import type { Conversation } from '@sallyport/core';
import { type LanguageModel, tool } from 'ai';
import { z } from 'zod';
import { protect } from '../src/index.ts';

declare const conversation: Conversation;
declare const model: Exclude<LanguageModel, string>;

const tools = {
  read_mail: tool({ inputSchema: z.object({ folder: z.string() }), execute: async () => 'x' }),
  send_mail: tool({ inputSchema: z.object({ to: z.string(), body: z.string() }), execute: async () => 'x' }),
};
const read_mail = { effect: 'read', origin: 'external' } as const;
const send_mail = { effect: 'send', modelText: ['body'] } as const;

protect(conversation, { model, tools, declare: { read_mail, send_mail } });
protect(conversation, { model, tools, declare: conversation.tools });

// @ts-expect-error Property 'send_mail' is missing
protect(conversation, { model, tools, declare: { read_mail } });
// @ts-expect-error 'send_mails' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail, send_mails: send_mail } });
// @ts-expect-error Property 'effect' is missing
protect(conversation, { model, tools, declare: { read_mail, send_mail: { modelText: ['body'] } } });
// @ts-expect-error Type '"bodi"' is not assignable to type '"to" | "body"'
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'send', modelText: ['bodi'] } } });
// @ts-expect-error 'too' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'send', roles: { too: 'id' } } } });
// @ts-expect-error Type '"sned"' is not assignable to type 'Effect'
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'sned' } } });
// @ts-expect-error Type '"outside"' is not assignable
protect(conversation, { model, tools, declare: { read_mail: { effect: 'read', origin: 'outside' }, send_mail } });
// @ts-expect-error Type 'string' is not assignable: a name cannot be protected
protect(conversation, { model: 'openai/gpt-5', tools, declare: { read_mail, send_mail } });
// @ts-expect-error Property 'declare' is missing
protect(conversation, { model, tools });
// @ts-expect-error 'rawOutputs' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail }, rawOutputs: true });
// @ts-expect-error Property 'tools' is missing
protect(conversation, { model, declare: {} });
// @ts-expect-error Type 'boolean' is not assignable to type 'Ask'
protect(conversation, { model, tools, declare: { read_mail, send_mail }, ask: true });
