import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFront } from '../conformance/http/oauth.ts';
import { hasBrowser } from '../src/wrap/login/browser.ts';
import { listenForCallback } from '../src/wrap/login/callback.ts';
import { readChallenge } from '../src/wrap/login/challenge.ts';
import { mayContact, oauthFetch } from '../src/wrap/login/oauth-fetch.ts';
import { answering, BROWSER, type Local, serve, startFixture } from './fixtures/remote-rig.ts';
import { TestFolder } from './fixtures/rig.ts';

let folder: TestFolder;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(async () => {
  await folder.remove();
  for (const each of open.splice(0)) await each.close();
});

async function serving(listener: Parameters<typeof serve>[0]): Promise<Local> {
  const local = await serve(listener);
  open.push(local);
  return local;
}

const TOKEN = ['--header', 'Authorization: Bearer hunter2'];
const start = (address: string, flags: readonly string[] = []) =>
  folder.start(['wrap', ...flags, address], { env: { SALLYPORT_BROWSER: 'none' } });

describe('redirects', () => {
  test.each([
    { title: '307 to another origin', status: 307, expected: 0 },
    { title: '302 to another origin', status: 302, expected: 0 },
    { title: '308 to another origin', status: 308, expected: 0 },
  ])('$title does not get the token', async ({ status, expected }) => {
    const seen: unknown[] = [];
    const other = await serving((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const local = await serving((_, response) => response.writeHead(status, { location: `${other.origin}/mcp` }).end());
    const { error } = await start(local.origin, TOKEN).ask('initialize');
    expect(error?.message).toContain('redirects to another URL');
    expect(seen).toHaveLength(expected);
  });

  test('within the origin are followed', async () => {
    const answer = answering(() => ({ tools: [] }));
    const local = await serving((request, response) =>
      request.url === '/mcp/' ? answer(request, response) : response.writeHead(307, { location: '/mcp/' }).end(),
    );
    expect((await start(`${local.origin}/mcp`).ask('initialize')).result).toBeDefined();
  });

  test('that never end are an error', async () => {
    const local = await serving((_, response) => response.writeHead(307, { location: '/mcp' }).end());
    expect((await start(`${local.origin}/mcp`).ask('initialize')).error?.message).toContain('redirects');
  });
});

describe('what a server sends', () => {
  test.each([
    {
      title: 'an endless event without an end',
      payload: { 'content-type': 'text/event-stream' },
      expected: 'more than 67108864 bytes',
    },
    {
      title: 'an endless JSON body',
      payload: { 'content-type': 'application/json' },
      expected: 'more than 67108864 bytes',
    },
    {
      title: 'a compressed body that was not asked for',
      payload: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      expected: 'compressed answer',
    },
    { title: 'a page', payload: { 'content-type': 'text/html' }, expected: 'did not answer with an MCP message' },
  ])('$title is an error, and the wrapper lives on', async ({ payload, expected }) => {
    const chunk = 'a'.repeat(1024 * 1024);
    let isHostile = true;
    const answer = answering(() => ({ tools: [] }));
    const local = await serving((request, response) => {
      if (!isHostile) return answer(request, response);
      response.writeHead(200, payload as Record<string, string>);
      const write = (): unknown => response.destroyed || (response.write(chunk) ? setImmediate(write) : undefined);
      response.on('drain', write);
      response.write('data: ');
      return write();
    });
    const wrapped = start(local.origin);
    expect((await wrapped.ask('initialize')).error?.message).toContain(expected);
    isHostile = false;
    expect((await wrapped.ask('initialize')).result).toBeDefined();
  });

  test('comments without an end keep a request open and use no memory', async () => {
    const local = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': still here\n\n'), 1);
      response.on('close', () => clearInterval(timer));
    });
    const wrapped = start(local.origin);
    wrapped.send({ id: 1, method: 'initialize', params: {} });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(wrapped.lines).toEqual([]);
    expect(await wrapped.end()).toBe(0);
  }, 20_000);

  test('a session id with a line break is an error', async () => {
    const local = await serving((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a b\u00e9' })
        .end('{"jsonrpc":"2.0","id":1,"result":{}}'),
    );
    expect((await start(local.origin).ask('initialize')).error?.message).toContain('session id');
  });
});

describe('a challenge', () => {
  const server = new URL('https://mcp.example.com/mcp');
  test.each([
    {
      title: 'metadata at another origin',
      payload: 'Bearer resource_metadata="https://evil.example/.well-known/oauth-protected-resource"',
      expected: { metadata: undefined, scope: undefined },
    },
    {
      title: 'metadata that is not a URL',
      payload: 'Bearer resource_metadata="javascript:alert(1)"',
      expected: { metadata: undefined, scope: undefined },
    },
    {
      title: 'a scope with control characters',
      payload: 'Bearer scope="a\u001b[2Jb"',
      expected: { metadata: undefined, scope: undefined },
    },
    {
      title: 'no scheme and a long text',
      payload: 'x='.repeat(1_000_000),
      expected: { metadata: undefined, scope: undefined },
    },
    {
      title: 'a usual one',
      payload: 'Bearer error="invalid_token", resource_metadata="https://mcp.example.com/meta", scope="read write"',
      expected: { metadata: new URL('https://mcp.example.com/meta'), scope: 'read write' },
    },
  ])('with $title', ({ payload, expected }) => {
    expect(readChallenge(payload, server)).toEqual(expected);
  });
});

describe('metadata of a login', () => {
  test.each([
    { title: 'plain http', payload: 'http://auth.example.com/token', expected: false },
    { title: 'this machine, named by a remote server', payload: 'https://127.0.0.1/token', expected: false },
    { title: 'localhost', payload: 'http://localhost:8080/token', expected: false },
    { title: 'a script', payload: 'javascript:alert(1)', expected: false },
    { title: 'a file', payload: 'file:///etc/passwd', expected: false },
    { title: 'https', payload: 'https://auth.example.com/token', expected: true },
  ])('that leads to $title', ({ payload, expected }) => {
    expect(mayContact(new URL(payload), new URL('https://mcp.example.com/mcp'))).toBe(expected);
  });

  test('an error that repeats a token is reduced to its code', async () => {
    const local = await serving((_, response) =>
      response.writeHead(400).end('{"error":"invalid_grant","error_description":"hunter2"}'),
    );
    const answer = await oauthFetch(new URL(local.origin))(local.origin);
    expect(await answer.text()).toBe('{"error":"invalid_grant"}');
  });

  test('an endless document is refused', async () => {
    const local = await serving((_, response) => {
      response.writeHead(200);
      const write = (): unknown =>
        response.destroyed || (response.write('a'.repeat(65_536)) ? setImmediate(write) : undefined);
      response.on('drain', write);
      write();
    });
    await expect(oauthFetch(new URL(local.origin))(local.origin)).rejects.toThrow('too long');
  });

  test('of a server that names the resource of another is refused', async () => {
    const seen: string[] = [];
    const local = await serving((request, response) => {
      seen.push(request.url ?? '');
      if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ resource: 'https://bank.example/mcp', authorization_servers: [local.origin] }));
      else response.writeHead(401).end();
    });
    const { code, error } = await folder.run(['login', `${local.origin}/mcp`], { env: { SALLYPORT_BROWSER: BROWSER } });
    expect([code, error]).toEqual([1, expect.stringContaining('the login at 127.0.0.1')]);
    expect(seen.some((url) => url.startsWith('/authorize'))).toBe(false);
  });

  test('with another issuer than the one asked (mix-up) is refused', async () => {
    const local = await serving((request, response) => {
      const json = (value: object): unknown =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
        return json({ resource: `${local.origin}/mcp`, authorization_servers: [local.origin] });
      if (request.url?.startsWith('/.well-known/oauth-authorization-server'))
        return json({
          issuer: 'https://honest.example',
          authorization_endpoint: `${local.origin}/authorize`,
          token_endpoint: `${local.origin}/token`,
          response_types_supported: ['code'],
        });
      return response.writeHead(401).end();
    });
    const { code, error } = await folder.run(['login', `${local.origin}/mcp`], { env: { SALLYPORT_BROWSER: BROWSER } });
    expect([code, error]).toEqual([1, expect.stringMatching(/different\s+authorization\s+server/)]);
  });
});

describe('the port that the browser returns to', () => {
  const status = (url: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(url, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });

  test.each([
    { title: 'without a state', payload: '?code=evil', expected: 400 },
    { title: 'with a wrong state', payload: '?code=evil&state=guess', expected: 400 },
    { title: 'with an error and no state', payload: '?error=access_denied', expected: 400 },
    { title: 'for another path', payload: '/../other?code=evil&state=right', expected: 404 },
  ])('a request of another program $title changes nothing', async ({ payload, expected }) => {
    const listener = await listenForCallback('right');
    try {
      expect(await status(`${listener.url}${payload}`)).toBe(expected);
      expect(await status(`${listener.url}?code=mine&state=right`)).toBe(200);
      expect(await listener.received).toEqual({ code: 'mine', issuer: undefined });
    } finally {
      listener.close();
    }
  });

  test('under another name (DNS rebinding) is refused, and no request is redirected', async () => {
    const listener = await listenForCallback('right');
    try {
      expect(await status(`${listener.url}?code=x&state=right`, { host: 'evil.example' })).toBe(421);
      expect(await status(`${listener.url}?code=x&state=wrong&redirect=https://evil.example`)).toBe(400);
    } finally {
      listener.close();
    }
  });
});

test('a token of one server is not sent to another', async () => {
  const front = await startFront();
  const fixture = await startFixture();
  open.push(front, fixture);
  await folder.run(['login', front.address(fixture.port)], { env: { SALLYPORT_BROWSER: BROWSER } });
  const seen: unknown[] = [];
  const other = await serving((request, response) => {
    seen.push(request.headers.authorization);
    return answering(() => ({ tools: [] }))(request, response);
  });
  await start(`${other.origin}/mcp`).greet();
  expect(seen.filter(Boolean)).toEqual([]);
});

test('without a screen there is no browser', () => {
  expect(hasBrowser({}, 'linux')).toBe(false);
  expect(hasBrowser({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasBrowser({ SSH_CONNECTION: 'x' }, 'darwin')).toBe(false);
  expect(hasBrowser({ SALLYPORT_BROWSER: 'none', DISPLAY: ':0' }, 'linux')).toBe(false);
  expect(hasBrowser({ CI: 'true', BROWSER: 'firefox', DISPLAY: ':0' }, 'linux')).toBe(false);
  expect(hasBrowser({ CI: 'true', SALLYPORT_BROWSER: 'firefox' }, 'linux')).toBe(true);
});
