// The type checker must refuse every line after a @ts-expect-error. The types of tools say neither names nor arguments: protect.test.ts
// has what is refused when they are wired.
import { type CallableTool, GoogleGenAI, type Tool } from '@google/genai';
import { createBoundary } from '@sallyport/core';
import { type ProtectOptions, protect } from '../src/index.ts';

declare const mailTool: CallableTool;
const conversation = createBoundary().conversation('c');
const client = { apiKey: 'none' };
const tools = [mailTool];

/** Everything but what is known at run time only. */
export async function mistakes(): Promise<void> {
  const send_mail = { effect: 'send', modelText: ['body'], roles: { to: 'recipient' } } as const;
  const guarded = await protect(conversation, { client, tools, declare: { send_mail } });
  guarded.client.chats.create({ model: 'm', config: { tools: guarded.tools } });
  await protect(conversation, { client, tools, declare: conversation.tools });
  const search: Tool = { googleSearch: {} };
  const mixed = await protect(conversation, { client, tools: [mailTool, search], declare: { send_mail } });
  mixed.client.chats.create({ model: 'm', config: { tools: mixed.tools } });

  const wire = (declare: ProtectOptions['declare']) => protect(conversation, { client, tools, declare });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  await wire({ send_mail: { modelText: ['body'] } });
  // @ts-expect-error an unknown effect: Type '"mail"' is not assignable
  await wire({ send_mail: { effect: 'mail' } });
  // @ts-expect-error an unknown option: 'modelTexts' does not exist
  await wire({ send_mail: { effect: 'send', modelTexts: ['body'] } });
  // @ts-expect-error tools without declarations: Property 'declare' is missing
  await protect(conversation, { client, tools });
  // @ts-expect-error a client in place of its options: Type 'GoogleGenAI' is not assignable to type 'GoogleGenAIOptions'
  await protect(conversation, { client: new GoogleGenAI(client), tools, declare: { send_mail } });
}
