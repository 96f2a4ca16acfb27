// Features that are visible only on the lines themselves: bytes, batches, exit codes.
import { readFileSync } from 'node:fs';
import { expect, type Feature, until } from '../feature.ts';
import type { RawClient } from '../raw.ts';
import type { TestContext } from '../test-context.ts';

const IN = { era: '2025-11-25 and before', server: 'raw' } as const;
const PROCESS = 'A remote server is not a process of the client.';
const ODD =
  '{"x-unknown":{"b":1,"a":[]} ,"id" : 7,"params":{"huge":12345678901234567890,"escaped":"\\u0041\\/"},"method":"acme/numbers","jsonrpc":"2.0"}';
const BATCH =
  '[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/acme"},{"jsonrpc":"2.0","id":12,"method":"tools/list"},' +
  '{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"numbers","arguments":{}}}]';

/** Sends lines, and waits for the same number of answers. */
async function answersTo(client: RawClient, ...lines: string[]): Promise<readonly string[]> {
  for (const line of lines) client.send(line);
  return client.arrived(lines.length);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process id of the server itself, not of a proxy. */
function serverPid(context: TestContext, client: RawClient): number {
  return context.target === 'direct' ? client.pid : Number(readFileSync(context.pidFile(), 'utf8'));
}

export const LINES: readonly Feature[] = [
  {
    ...IN,
    name: 'bytes: big numbers, unknown members, order of keys',
    raw: true,
    async run(context) {
      const client = context.rawRecorded();
      await client.initialize();
      return answersTo(client, ODD, '{"jsonrpc":"2.0","id":8,"method":"ping"}');
    },
  },
  {
    ...IN,
    name: 'bytes of a result of which one string is framed',
    async run(context) {
      const client = context.rawRecorded();
      await client.initialize();
      await client.request('tools/list');
      const call = '{"jsonrpc":"2.0","id":21,"method":"tools/call","params":{"name":"numbers","arguments":{}}}';
      const [result, failure] = await answersTo(client, call, '{"jsonrpc":"2.0","id":22,"method":"acme/nothing"}');
      return [context.bytesOf(String(result)), context.bytesOf(String(failure))];
    },
  },
  {
    ...IN,
    name: 'batches of 2025-03-26',
    async run(context) {
      const client = context.rawRecorded();
      await client.initialize('2025-03-26');
      await client.request('tools/list');
      const [batch] = await answersTo(client, BATCH);
      await until(() => context.stderr().includes('got notifications/acme'), 'the notification in the batch');
      return context.bytesOf(String(batch));
    },
  },
  {
    ...IN,
    name: 'the end of stdin ends the server, its exit code is kept',
    local: PROCESS,
    args: ['--exit', '7'],
    async run(context) {
      const client = context.raw();
      await client.initialize();
      const pid = serverPid(context, client);
      const code = await client.end();
      await until(() => !isAlive(pid), 'the server to end');
      return code;
    },
  },
  {
    ...IN,
    name: 'a server that ends by itself: its exit code is kept',
    local: PROCESS,
    async run(context) {
      const client = context.raw();
      await client.initialize();
      client.send('{"jsonrpc":"2.0","method":"acme/end"}');
      const code = await client.exit;
      expect(code === 9, `exit code ${code}`);
      return code;
    },
  },
  {
    ...IN,
    name: 'SIGTERM ends the server',
    local: PROCESS,
    async run(context) {
      const client = context.raw();
      await client.initialize();
      const pid = serverPid(context, client);
      client.signal('SIGTERM');
      await client.exit;
      await until(() => !isAlive(pid), 'the server to end');
      return 'ended';
    },
  },
];
