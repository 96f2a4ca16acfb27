import { request } from 'node:http';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { typescriptOptions } from '../../../tools/command.mjs';
import { isForUs, listenAddress } from '../src/wrap/listen/listen.ts';
import { ROOT, TestFolder, type Wrapped } from './fixtures/rig.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

const fixture = (name: string): string[] => [
  process.execPath,
  ...typescriptOptions,
  join(ROOT, 'apps', 'cli', 'conformance', 'fixture', name),
];

async function listening(name: string): Promise<{ url: URL; wrapped: Wrapped }> {
  const wrapped = folder.start(['wrap', '--listen', '127.0.0.1:0', '--server', 'fixture', ...fixture(name)]);
  const url = new URL(await wrapped.said(/listening on (\S+)/));
  return { url, wrapped };
}

const INFO = { name: 'host', version: '1' };
// With no word in common: what the answer of another client says would be content.
const WORDS = ['apples', 'quince jam', 'late plums'];
const MAIL = { name: 'read_mail', arguments: { folder: 'inbox' } };

test('clients of the protocol of 2025 have a server each', async () => {
  const { url, wrapped } = await listening('v1.ts');
  const clients = [new ClientV1(INFO), new ClientV1(INFO)];
  for (const client of clients) await client.connect(new HttpV1(url) as never);
  for (const client of clients) await client.listTools();
  const answers = await Promise.all(clients.map((client) => client.callTool(MAIL)));
  for (const answer of answers) expect(JSON.stringify(answer)).toMatch(/untrusted.*The budget was agreed/);
  for (const client of clients) await client.close();
  wrapped.child.kill('SIGTERM');
  expect(await wrapped.ended).toBe(0);
});

test('clients of the protocol of 2026 that use the same ids get their own answers', async () => {
  const { url } = await listening('v2.ts');
  const clients = Array.from({ length: 3 }, () => new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } }));
  for (const client of clients) await client.connect(new HttpV2(url));
  expect(clients[0]?.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  for (const client of clients) await client.listTools();
  const answers = await Promise.all(
    clients.map((client, index) => client.callTool({ name: 'echo', arguments: { text: WORDS[index] } })),
  );
  for (const [index, answer] of answers.entries()) expect(JSON.stringify(answer)).toContain(WORDS[index]);
  for (const client of clients) await client.close();
});

function statusOf(url: URL, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
}

test('requests of web pages are refused', async () => {
  const { url } = await listening('v1.ts');
  expect(await statusOf(url, { host: 'evil.example' })).toBe(403);
  expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(url, { origin: 'http://localhost:3000' })).toBe(403);
  expect(await statusOf(url, {})).toBe(400);
  expect(await statusOf(url, { 'mcp-session-id': 'guess' })).toBe(404);
});

test.each([
  [{ host: '127.0.0.1:8000' }, true],
  [{ host: 'localhost:8000' }, true],
  [{ host: '[::1]:8000' }, true],
  [{ host: 'evil.example:8000' }, false],
  [{ host: 'localhost.evil.example' }, false],
  [{ host: 'team.example:8000' }, true],
  [{ host: '' }, false],
  [{ host: '127.0.0.1:8000', origin: 'null' }, false],
  [{ host: '127.0.0.1:8000', origin: 'http://127.0.0.1:8000' }, true],
])('%j', (headers, expected) => {
  expect(isForUs({ headers }, 'team.example')).toBe(expected);
});

test('an address is a host and a port, on this machine if it names no host', () => {
  expect(listenAddress('8000')).toEqual({ host: '127.0.0.1', port: 8000 });
  expect(listenAddress('[::1]:8000')).toEqual({ host: '[::1]', port: 8000 });
  for (const wrong of ['', 'here', '1.2.3.4', '1.2.3.4:99999', 'http://x:1'])
    expect(() => listenAddress(wrong)).toThrow('not an address');
});
