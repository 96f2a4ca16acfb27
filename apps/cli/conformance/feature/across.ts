// A client of one SDK and a server of the other.
import { connectV1, connectV2 } from '../clients.ts';
import { expect, type Feature } from '../feature.ts';

const IN = { era: 'across SDKs' } as const;
const MAIL = { name: 'read_mail', arguments: { folder: 'inbox' } };

/** What SDK v2's client does with either server in the older protocol. */
const inOlder = (name: string, server: 'v1' | 'v2', mode: 'legacy' | 'auto'): Feature => ({
  ...IN,
  name,
  server,
  annotated: true,
  async run(context) {
    const { client, diary } = await connectV2(context, mode);
    const version = client.getNegotiatedProtocolVersion();
    expect(version === '2025-11-25', `the client speaks ${version}`);
    const { tools } = await client.listTools();
    const asked = server === 'v1' ? await client.callTool({ name: 'ask_user' }) : undefined;
    return [
      client.getInstructions(),
      tools,
      await client.callTool(MAIL),
      await client.callTool({ name: 'weather' }),
      asked,
      diary,
    ];
  },
});

export const ACROSS: readonly Feature[] = [
  inOlder('SDK v2 client (legacy), SDK v1 server', 'v1', 'legacy'),
  inOlder('SDK v2 client (auto, falls back), SDK v1 server', 'v1', 'auto'),
  inOlder('SDK v2 client (legacy), SDK v2 server', 'v2', 'legacy'),
  {
    ...IN,
    name: 'SDK v1 client, SDK v2 server',
    server: 'v2',
    annotated: true,
    async run(context) {
      const { client } = await connectV1(context);
      return [
        client.getInstructions(),
        await client.listTools(),
        await client.callTool(MAIL),
        await client.callTool({ name: 'weather' }),
        await client.callTool({ name: 'list' }),
        await client.readResource({ uri: 'note://minutes' }),
        await client.getPrompt({ name: 'review', arguments: { language: 'tcl' } }),
      ];
    },
  },
];
