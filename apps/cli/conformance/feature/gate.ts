// A feature of the wrapper only: a call that an injection asked for does not reach the server.
import type { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { connectV1, connectV2 } from '../clients.ts';
import { expect, type Feature } from '../feature.ts';
import { HIJACK, HIJACKED } from '../fixture/texts.ts';
import { opened } from '../open.ts';
import type { TestContext } from '../test-context.ts';

const REASON = 'Without a gate, no call is refused.';

async function isVetoed(context: TestContext, client: ClientV1 | ClientV2): Promise<void> {
  await client.listTools();
  const read = await client.callTool({ name: 'read_mail', arguments: { folder: 'spam' } });
  expect(JSON.stringify(opened(read)).includes(HIJACK), 'the mail was not read');
  const sent = await client.callTool({ name: 'send_mail', arguments: HIJACKED });
  expect(sent.isError === true, `the call was answered with ${JSON.stringify(sent).slice(0, 200)}`);
  expect(!context.stderr().includes('mail sent'), 'the call reached the server');
  const after = await client.callTool({ name: 'read_mail', arguments: { folder: 'inbox' } });
  expect(after.isError !== true, 'the next call was refused as well');
}

export const GATE: readonly Feature[] = [
  {
    name: 'veto: a call that an injection chose does not reach the server',
    era: '2025-11-25 and before',
    server: 'v1',
    gated: REASON,
    async run(context) {
      await isVetoed(context, (await connectV1(context)).client);
    },
  },
  {
    name: 'veto: a call that an injection chose does not reach the server (2026-07-28)',
    era: '2026-07-28',
    server: 'v2',
    gated: REASON,
    async run(context) {
      await isVetoed(context, (await connectV2(context, 'auto')).client);
    },
  },
];
