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
  // @ts-expect-error a declaration without an effect: Property 'effect' is missing
  protect(conversation, { provider, tools, declare: { read_mail: {}, send_mail: { effect: 'send' } } });
  // @ts-expect-error an unknown effect: Type '"sends"' is not assignable
  protect(conversation, { provider, tools, declare: { read_mail: read, send_mail: { effect: 'sends' } } });
  protect(conversation, {
    provider,
    tools,
    // @ts-expect-error an unknown option: 'modeltext' does not exist
    declare: { read_mail: read, send_mail: { effect: 'send', modeltext: [] } },
  });
  // @ts-expect-error tools without declarations: Property 'declare' is missing
  protect(conversation, { provider, tools });
}
