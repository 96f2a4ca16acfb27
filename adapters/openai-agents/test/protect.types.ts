// The type checker must refuse every line after a @ts-expect-error. Nothing here runs.
import { Agent, OpenAIProvider, type Tool, tool } from '@openai/agents';
import { type Conversation, createBoundary } from '@sallyport/core';
import { z } from 'zod';
import { protect } from '../src/index.ts';

const conversation: Conversation = createBoundary().conversation('c');
const provider = new OpenAIProvider();
const tools = [
  tool({ name: 'read_mail', description: 'reads', parameters: z.object({}), execute: async () => 'mail' }),
  tool({
    name: 'send_mail',
    description: 'sends',
    parameters: z.object({ to: z.string(), body: z.string() }),
    execute: async () => 'sent',
  }),
];

/** The SDK's types do not tell tools apart: wiring.test.ts checks that `protect()` itself refuses wrong names. */
export function declared(): void {
  const read = { effect: 'read', origin: 'external' } as const;
  const set = protect(conversation, {
    provider,
    tools,
    declare: { read_mail: read, send_mail: { effect: 'send', modelText: ['body'], roles: { to: 'recipient' } } },
  });
  const same: typeof tools = set.tools;
  void new Agent({ name: 'helper', tools: same });
  protect(conversation, { provider, tools: tools as Tool[], declare: conversation.tools });
  // @ts-expect-error: a call does something, if it is only to read
  protect(conversation, { provider, tools, declare: { read_mail: {}, send_mail: { effect: 'send' } } });
  // @ts-expect-error: there is no such effect
  protect(conversation, { provider, tools, declare: { read_mail: read, send_mail: { effect: 'sends' } } });
  protect(conversation, {
    provider,
    tools,
    // @ts-expect-error: there is no such member
    declare: { read_mail: read, send_mail: { effect: 'send', modeltext: [] } },
  });
  // @ts-expect-error: the tools have to be declared
  protect(conversation, { provider, tools });
}
