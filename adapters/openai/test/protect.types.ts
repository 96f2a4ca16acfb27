// The type checker must refuse every line after a @ts-expect-error. Nothing here runs.
import { type Conversation, createBoundary } from '@sallyport/core';
import { protect } from '@sallyport/openai';
import { AzureOpenAI, OpenAI } from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { z } from 'zod';

const conversation: Conversation = createBoundary().conversation('c');
const client = new OpenAI();

const readMail = { type: 'function' as const, name: 'read_mail' as const, strict: false, parameters: null };
const sendMail = {
  type: 'function' as const,
  function: {
    name: 'send_mail' as const,
    description: 'sends',
    parameters: { type: 'object' as const, properties: { to: { type: 'string' as const }, body: {} } },
    function: (_: string) => 'sent',
  },
};
const search = { type: 'web_search_preview' as const };
const tools = [readMail, sendMail, search];
const read = { effect: 'read', origin: 'external' } as const;

export function named(): void {
  const set = protect(conversation, {
    client: new AzureOpenAI(),
    tools,
    declare: {
      read_mail: read,
      web_search: read,
      send_mail: { effect: 'send', modelText: ['body'], roles: { to: 'recipient' } },
    },
  });
  const same: [AzureOpenAI, typeof tools] = [set.client, set.tools];
  void same;
  protect(conversation, { client, tools, declare: conversation.tools });
  // @ts-expect-error a tool without a declaration: Property 'web_search' is missing
  protect(conversation, { client, tools, declare: { read_mail: read, send_mail: { effect: 'send' } } });
  protect(conversation, {
    client,
    tools,
    // @ts-expect-error a declaration without a tool: 'send_mails' does not exist
    declare: { read_mail: read, web_search: read, send_mail: { effect: 'send' }, send_mails: { effect: 'send' } },
  });
  protect(conversation, {
    client,
    tools,
    // @ts-expect-error a misspelt argument: Type '"bodi"' is not assignable to type '"body" | "to"'
    declare: { read_mail: read, web_search: read, send_mail: { effect: 'send', modelText: ['bodi'] } },
  });
  protect(conversation, {
    client,
    tools,
    // @ts-expect-error a misspelt argument: 'too' does not exist
    declare: { read_mail: read, web_search: read, send_mail: { effect: 'send', roles: { too: 'recipient' } } },
  });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  protect(conversation, { client, tools, declare: { read_mail: {}, web_search: read, send_mail: { effect: 'send' } } });
}

/** The types of these tools do not say their names. */
export function unnamed(): void {
  const parameters = z.object({ to: z.string(), body: z.string() });
  const made = [zodFunction({ name: 'send_mail', parameters, function: () => 'sent' })];
  const set = protect(conversation, {
    client,
    tools: made,
    declare: { send_mail: { effect: 'send', modelText: ['body'] } },
  });
  void set.client.chat.completions.runTools({ model: 'm', messages: [], tools: set.tools });
  // @ts-expect-error a misspelt argument: Type '"bodi"' is not assignable to type '"body" | "to"'
  protect(conversation, { client, tools: made, declare: { send_mail: { effect: 'send', modelText: ['bodi'] } } });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  protect(conversation, { client, tools: made, declare: { send_mail: { modelText: ['body'] } } });
}
