// The type checker must refuse every line after a @ts-expect-error. protect.test.ts has what JavaScript callers are told.
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { createBoundary } from '@sallyport/core';
import { z } from 'zod';
import { type Declarations, protect } from '../src/index.ts';

const client = new Anthropic({ apiKey: 'none' });
const conversation = createBoundary().conversation('c');
const run = (): string => 'done';
const mail = z.object({ to: z.string(), body: z.string() });

const tools = [
  betaZodTool({ name: 'read_mail', description: 'r', inputSchema: z.object({ folder: z.string() }), run }),
  betaZodTool({ name: 'send_mail', description: 's', inputSchema: mail, run }),
];
const read_mail = { effect: 'read' } as const;
const send_mail = { effect: 'send', modelText: ['body'], roles: { to: 'recipient' } } as const;

/** The names of these tools are not part of their types, but their arguments are. */
export function byArguments(): void {
  const guarded = protect(conversation, { client, tools, declare: { read_mail, send_mail } });
  guarded.client.beta.messages.toolRunner({ model: 'm', max_tokens: 9, messages: [], tools: guarded.tools });
  protect(conversation, { client, tools, declare: conversation.tools });

  const wire = (declare: Declarations<typeof tools>) => protect(conversation, { client, tools, declare });
  // @ts-expect-error a misspelt argument: Type '"bodi"' is not assignable to type '"body" | "folder" | "to"'
  wire({ read_mail, send_mail: { effect: 'send', modelText: ['bodi'] } });
  // @ts-expect-error a misspelt argument: 'too' does not exist
  wire({ read_mail, send_mail: { effect: 'send', roles: { too: 'recipient' } } });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  wire({ read_mail, send_mail: { modelText: ['body'] } });
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  protect(conversation, { client, tools, declare: { read_mail: {}, send_mail } });
  // @ts-expect-error tools without declarations: Property 'declare' is missing
  protect(conversation, { client, tools });
  // @ts-expect-error the options of a client in place of a client: 'apiKey' does not exist in type 'ProtectableClient'
  protect(conversation, { client: { apiKey: 'none' }, tools, declare: conversation.tools });
}

const parse = (content: unknown): z.infer<typeof mail> => mail.parse(content);
const input_schema = { type: 'object' as const };
const named = [
  { name: 'read_mail' as const, input_schema, parse: () => ({ folder: '' }), run },
  { name: 'send_mail' as const, input_schema, parse, run },
];

/** The names of these tools are part of their types. */
export function byNames(): void {
  const wire = (declare: Declarations<typeof named>) => protect(conversation, { client, tools: named, declare });
  wire({ read_mail, send_mail });
  // @ts-expect-error a tool without a declaration: Property 'send_mail' is missing
  wire({ read_mail });
  // @ts-expect-error a declaration without a tool: 'pay' does not exist
  wire({ read_mail, send_mail, pay: { effect: 'spend' } });
  // @ts-expect-error an argument of another tool: Type '"body"' is not assignable to type '"folder"'
  wire({ read_mail: { effect: 'read', modelText: ['body'] }, send_mail });
}
