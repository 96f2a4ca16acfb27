import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Front, startFront } from '../conformance/http/oauth.ts';
import { answering, BROWSER, bodyOf, type Local, serve, startFixture } from './fixtures/remote-rig.ts';
import { TestFolder, until, type Wrapped } from './fixtures/rig.ts';

let folder: TestFolder;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(async () => {
  await folder.remove();
  for (const each of open.splice(0)) await each.close();
});

function kept<T extends { close(): Promise<void> }>(closable: T): T {
  open.push(closable);
  return closable;
}

const NO_BROWSER = { SALLYPORT_BROWSER: 'none' };
const WITH_BROWSER = { SALLYPORT_BROWSER: BROWSER };

function wrap(address: string, env: NodeJS.ProcessEnv = NO_BROWSER, flags: readonly string[] = []): Wrapped {
  return folder.start(['wrap', ...flags, address], { env });
}

async function text(wrapped: Wrapped, name: string, args: object = {}): Promise<string> {
  return JSON.stringify(await wrapped.call(name, args as Record<string, unknown>));
}

describe('a login', () => {
  let front: Front;
  let address: string;
  beforeEach(async () => {
    front = kept(await startFront());
    address = front.address(kept(await startFixture()).port);
  });

  const files = (): string[] => readdirSync(join(folder.state, 'logins'));

  test('happens in the browser on first use, and is kept in a file of the user', async () => {
    const wrapped = wrap(address, WITH_BROWSER);
    await wrapped.greet();
    expect(wrapped.error).toContain('sallyport: log in at http://127.0.0.1:');
    expect(files()).toHaveLength(1);
    const file = join(folder.state, 'logins', files()[0] as string);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { tokens } = JSON.parse(readFileSync(file, 'utf8'));
    expect(wrapped.error).not.toContain(tokens.access_token);
    expect(wrapped.error).not.toContain(tokens.refresh_token);
    expect(wrapped.lines.join('')).not.toContain(tokens.access_token);
  });

  test('without a browser is an error that names the command, and the client does not hang', async () => {
    const wrapped = wrap(address);
    const reply = await wrapped.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(reply.error?.message).toBe(
      `This server needs a login: run \`sallyport login ${front.origin}/mcp\`, then try again.`,
    );
    // The query may contain a key.
    expect(JSON.stringify(reply)).not.toContain('port=');
  });

  test('is used again, renewed when the token has expired, and removed by logout', async () => {
    const { code, out } = await folder.run(['login', address], { env: WITH_BROWSER });
    expect([code, out]).toEqual([0, expect.stringContaining('Logged in to 127.0.0.1:')]);
    const first = wrap(address);
    await first.greet();
    front.expire();
    expect((await first.ask('tools/list')).result).toBeDefined();
    expect(front.grants).toEqual(['authorization_code', 'refresh_token']);
    const second = wrap(address);
    await second.greet();
    expect(front.grants).toHaveLength(2);
    expect(await folder.run(['logout', address])).toMatchObject({ code: 0 });
    expect(files()).toEqual([]);
    expect(await folder.run(['logout', address])).toMatchObject({ code: 1 });
  });

  test('that two processes renew at once stays valid', async () => {
    await folder.run(['login', address], { env: WITH_BROWSER });
    const both = [wrap(address), wrap(address)];
    await Promise.all(both.map((each) => each.greet()));
    front.expire();
    const replies = await Promise.all(both.map((each) => each.ask('tools/list')));
    expect(replies.map(({ result }) => result !== undefined)).toEqual([true, true]);
    expect(front.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  test('in a file that others can read is refused', async () => {
    await folder.run(['login', address], { env: WITH_BROWSER });
    const { chmodSync } = await import('node:fs');
    chmodSync(join(folder.state, 'logins', files()[0] as string), 0o644);
    const reply = await wrap(address).ask('initialize', {});
    expect(reply.error?.message).toContain('can be used by other users');
  });
});

describe('a session', () => {
  test('is closed when the client ends', async () => {
    const fixture = kept(await startFixture());
    const wrapped = wrap(fixture.origin);
    await wrapped.greet();
    wrapped.child.stdin?.end();
    expect(await wrapped.ended).toBe(0);
    expect(fixture.stderr()).toContain('FIXTURE session closed');
  });

  test('that the server forgot is opened again without the client', async () => {
    const fixture = kept(await startFixture('--forget'));
    const wrapped = wrap(fixture.origin);
    await wrapped.greet();
    wrapped.send({ method: 'notifications/forget' });
    expect((await wrapped.ask('tools/list')).result).toBeDefined();
  });

  test('whose stream breaks in the middle of an answer is resumed', async () => {
    const fixture = kept(await startFixture('--break'));
    const wrapped = wrap(fixture.origin, NO_BROWSER, ['--trust', '--observe']);
    await wrapped.greet();
    await wrapped.ask('tools/list', { cursor: '5' });
    await wrapped.ask('tools/list', { cursor: '10' });
    const params = { name: 'slow', arguments: {}, _meta: { progressToken: 1 } };
    const answer = wrapped.ask('tools/call', params);
    const ping = (): string | undefined => wrapped.lines.find((line) => line.includes('"ping"'));
    await until(() => ping() !== undefined);
    wrapped.send({ id: JSON.parse(ping() ?? '').id, result: {} });
    expect(JSON.stringify(await answer)).toContain('slow and done');
    expect(fixture.stderr()).toContain('FIXTURE resumed');
  });

  test('of the transport of 2024 works too', async () => {
    const { SSEServerTransport } = await import('@modelcontextprotocol/sdk/server/sse.js');
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    let transport: InstanceType<typeof SSEServerTransport> | undefined;
    const local = kept(
      await serve(async (request, response) => {
        if (request.method === 'GET') {
          transport = new SSEServerTransport('/messages', response);
          const server = new McpServer({ name: 'old', version: '1' });
          server.registerTool('read', { description: 'Reads.' }, () => ({
            content: [{ type: 'text', text: 'A mail came in today.' }],
          }));
          await server.connect(transport);
        } else if (request.url?.startsWith('/messages')) await transport?.handlePostMessage(request, response);
        else response.writeHead(404).end();
      }),
    );
    const wrapped = wrap(`${local.origin}/sse`);
    await wrapped.greet();
    await wrapped.ask('tools/list');
    expect(await text(wrapped, 'read')).toContain('A mail came in today.');
  });
});

describe('headers', () => {
  let local: Local;
  const seen: (string | undefined)[] = [];
  beforeEach(async () => {
    seen.length = 0;
    local = kept(
      await serve(
        answering((_, request) => {
          seen.push(request.headers.authorization);
          return { tools: [] };
        }),
      ),
    );
  });

  test('come from the command line or from the environment', async () => {
    const rows = [
      [['--header', 'Authorization: Bearer a'], {}],
      [['--header-env', 'Authorization=MY_TOKEN'], { MY_TOKEN: 'Bearer b' }],
    ] as const;
    for (const [flags, env] of rows) {
      const wrapped = wrap(local.origin, { ...NO_BROWSER, ...env }, flags);
      await wrapped.greet();
      await wrapped.ask('tools/list');
      expect(wrapped.error).not.toContain('Bearer');
    }
    expect(seen).toEqual(['Bearer a', 'Bearer b']);
  });

  test.each([
    { title: 'a line break', payload: ['--header', 'A: b\r\nX-Evil: 1'], expected: /not allowed in headers/ },
    { title: 'a line break in a variable', payload: ['--header-env', 'A=EVIL'], expected: /not allowed in headers/ },
    { title: 'a header of the protocol', payload: ['--header', 'Mcp-Session-Id: x'], expected: /is set by sallyport/ },
    { title: 'the host', payload: ['--header', 'Host: other'], expected: /is set by sallyport/ },
    { title: 'no value', payload: ['--header', 'Authorization'], expected: /is malformed/ },
    { title: 'a variable that is not set', payload: ['--header-env', 'A=NOT_SET'], expected: /is not set/ },
  ])('with $title are refused, without quoting a value', async ({ payload, expected }) => {
    const { code, error } = await folder.run(['wrap', ...payload, local.origin], {
      env: { EVIL: 'b\nX-Evil: hunter2' },
    });
    expect(code).toBe(2);
    expect(error).toMatch(expected);
    expect(error).not.toContain('hunter2');
  });

  test.each([
    ['http://example.com/mcp', /is not encrypted/],
    ['https://user:hunter2@example.com/mcp', /contains a user or a password/],
    ['https://', /not a valid URL/],
  ])('%s is not an address', async (address, expected) => {
    const { code, error } = await folder.run(['wrap', address]);
    expect(code).toBe(2);
    expect(error).toMatch(expected);
    expect(error).not.toContain('hunter2');
  });
});

test('a message of 8 MB passes in both directions', async () => {
  const large = 'words that fill a line '.repeat(350_000);
  const local = kept(
    await serve(async (request, response) => {
      const body = await bodyOf(request);
      const { id, method, params } = JSON.parse(body || '{}');
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } }
          : { size: params?.text?.length ?? 0, _meta: { echo: body.length } };
      if (id === undefined) response.writeHead(202).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }),
  );
  const wrapped = wrap(local.origin);
  await wrapped.greet();
  // Of this method only secrets are looked for. A call or an unknown method of this size is held: too much to check.
  expect((await wrapped.ask('completion/complete', { text: large })).result).toMatchObject({ size: large.length });
});
