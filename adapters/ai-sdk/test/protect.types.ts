// Mistakes that do not compile: what is wrong, and what the compiler says. `tsc -p tsconfig.test.json` and `npm run check -- type-mistakes` check them.
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

// @ts-expect-error a tool without a declaration: Property 'send_mail' is missing
protect(conversation, { model, tools, declare: { read_mail } });
// @ts-expect-error a declaration without a tool: 'send_mails' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail, send_mails: send_mail } });
// @ts-expect-error a declaration without an effect: Property 'effect' is missing
protect(conversation, { model, tools, declare: { read_mail, send_mail: { modelText: ['body'] } } });
// @ts-expect-error a misspelt argument: Type '"bodi"' is not assignable to type '"body" | "to"'
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'send', modelText: ['bodi'] } } });
// @ts-expect-error a misspelt argument: 'too' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'send', roles: { too: 'id' } } } });
// @ts-expect-error an unknown effect: Type '"sned"' is not assignable
protect(conversation, { model, tools, declare: { read_mail, send_mail: { effect: 'sned' } } });
// @ts-expect-error an unknown origin: Type '"outside"' is not assignable
protect(conversation, { model, tools, declare: { read_mail: { effect: 'read', origin: 'outside' }, send_mail } });
// @ts-expect-error the name of a model in place of a model: Type 'string' is not assignable to type 'ModelObject'
protect(conversation, { model: 'openai/gpt-5', tools, declare: { read_mail, send_mail } });
// @ts-expect-error tools without declarations: Property 'declare' is missing
protect(conversation, { model, tools });
// @ts-expect-error an unknown option: 'rawOutputs' does not exist
protect(conversation, { model, tools, declare: { read_mail, send_mail }, rawOutputs: true });
// @ts-expect-error declarations without tools: Property 'tools' is missing
protect(conversation, { model, declare: {} });
// @ts-expect-error an option of the wrong type: Type 'boolean' is not assignable to type 'Ask'
protect(conversation, { model, tools, declare: { read_mail, send_mail }, ask: true });
