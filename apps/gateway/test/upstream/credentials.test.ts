import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AddressRules } from '../../src/upstream/address.ts';
import { type CredentialSettings, Credentials } from '../../src/upstream/credentials.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import type { TokenStore } from '../../src/upstream/oauth-tokens.ts';
import { bodyOf, json, type Local, serve } from './rig.ts';

/** A store that replicas share, with a lock. */
class Shelf implements TokenStore {
  text: string | undefined;
  worked = 0;
  #last: Promise<unknown> = Promise.resolve();

  async read(): Promise<string | undefined> {
    return this.text;
  }

  async write(text: string): Promise<void> {
    this.text = text;
  }

  exclusively<T>(work: (held: this) => Promise<T>): Promise<T> {
    this.worked++;
    const next = this.#last.then(() => work(this));
    this.#last = next.catch(() => undefined);
    return next;
  }
}

interface Asked {
  readonly authorization: string | undefined;
  readonly body: Record<string, string>;
}

let endpoint: Local;
let fetch: GuardedFetch;
let asked: Asked[];
let answer: (count: number) => [number, unknown];
let now: number;

beforeEach(async () => {
  asked = [];
  now = 1_000_000;
  answer = (count) => [200, { access_token: `token-${count}`, token_type: 'Bearer', expires_in: 100 }];
  endpoint = await serve(async (request, response) => {
    const body = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    asked.push({ authorization: request.headers.authorization, body });
    const count = asked.length;
    // Lets the other requests for a token arrive meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    const [status, value] = answer(count);
    json(response, value, status);
  });
  fetch = createFetch(new AddressRules({ open: [endpoint.origin] }));
});
afterEach(async () => {
  await fetch.close();
  await endpoint.close();
});

const clientSettings = (): CredentialSettings => ({
  type: 'client-credentials',
  tokenEndpoint: `${endpoint.origin}/token`,
  clientId: 'gateway',
  clientSecret: 'word:of honour',
  scope: 'read write',
  resource: 'https://mcp.example/',
});
const refreshSettings = (): CredentialSettings => ({
  type: 'refresh-token',
  tokenEndpoint: `${endpoint.origin}/token`,
  clientId: 'gateway',
  clientSecret: 'word',
  secretIn: 'body',
  refreshToken: 'first',
});
const made = (settings: CredentialSettings, store: TokenStore = new Shelf()): Credentials =>
  new Credentials({ settings, fetch, store, now: () => now });

describe('static headers', () => {
  test('are sent with lower-case names', async () => {
    const credentials = made({ type: 'headers', headers: { Authorization: 'Bearer a', 'X-Api-Key': 'b' } });
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer a', 'x-api-key': 'b' });
    expect(await credentials.renew()).toBe(false);
    expect(await made({ type: 'none' }).headers()).toEqual({});
  });

  test.each([
    { 'x-key': 'a\r\nb: c' },
    { 'x-key': 'a\0' },
    { 'x key': 'a' },
    { Host: 'evil.example' },
    { 'Content-Length': '0' },
    { 'Transfer-Encoding': 'chunked' },
    { 'Mcp-Session-Id': 'a' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Connection: 'close' },
  ] as unknown as Record<string, string>[])('are refused: %j', (headers) => {
    expect(() => made({ type: 'headers', headers })).toThrow(expect.objectContaining({ code: 'header' }));
  });
});

test('client credentials: concurrent requests share one token until shortly before its expiry', async () => {
  const shelf = new Shelf();
  const credentials = made(clientSettings(), shelf);
  const headers = await Promise.all([1, 2, 3].map(() => credentials.headers()));
  expect(shelf.worked).toBe(1);
  expect(headers).toEqual(Array(3).fill({ authorization: 'Bearer token-1' }));
  expect(asked).toEqual([
    {
      authorization: `Basic ${Buffer.from('gateway:word%3Aof+honour').toString('base64')}`,
      body: { grant_type: 'client_credentials', scope: 'read write', resource: 'https://mcp.example/' },
    },
  ]);
  now += 69_000;
  expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-1' });
  now += 2000;
  expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-2' });
});

test('replicas share one token and renew it once', async () => {
  const shelf = new Shelf();
  const replicas = [1, 2, 3, 4].map(() => made(clientSettings(), shelf));
  await Promise.all(replicas.map((replica) => replica.headers()));
  expect(asked).toHaveLength(1);
  now += 80_000;
  const later = await Promise.all(replicas.map((replica) => replica.headers()));
  expect(later).toEqual(Array(4).fill({ authorization: 'Bearer token-2' }));
  expect(asked).toHaveLength(2);
});

test('refresh tokens: the newest is used, even by another replica', async () => {
  answer = (count) => [
    200,
    { access_token: `token-${count}`, token_type: 'bearer', expires_in: 100, refresh_token: `next-${count}` },
  ];
  const shelf = new Shelf();
  expect(await made(refreshSettings(), shelf).headers()).toEqual({ authorization: 'Bearer token-1' });
  now += 200_000;
  expect(await made(refreshSettings(), shelf).headers()).toEqual({ authorization: 'Bearer token-2' });
  expect(asked.map(({ body }) => body.refresh_token)).toEqual(['first', 'next-1']);
  expect(asked[0]?.body).toMatchObject({ client_id: 'gateway', client_secret: 'word' });
});

test('a refresh token stays valid until the endpoint replaces it', async () => {
  answer = (count) => [
    200,
    {
      access_token: `token-${count}`,
      token_type: 'bearer',
      expires_in: 100,
      ...(count === 1 ? { refresh_token: 'next' } : {}),
    },
  ];
  const credentials = made(refreshSettings());
  for (let index = 0; index < 3; index++) {
    await credentials.headers();
    now += 200_000;
  }
  expect(asked.map(({ body }) => body.refresh_token)).toEqual(['first', 'next', 'next']);
});

test('a refused token is replaced once for all concurrent requests', async () => {
  const shelf = new Shelf();
  const [one, two] = [made(clientSettings(), shelf), made(clientSettings(), shelf)];
  await Promise.all([one.headers(), two.headers()]);
  expect(await Promise.all([one.renew(), two.renew()])).toEqual([true, true]);
  expect(asked).toHaveLength(2);
  expect(await two.headers()).toEqual({ authorization: 'Bearer token-2' });
});

test.each([
  {
    title: 'refused',
    given: [400, { error: 'invalid_client', error_description: 'secret word' }],
    expected: 'invalid_client',
  },
  { title: 'another kind of token', given: [200, { access_token: 'a', token_type: 'DPoP' }], expected: 'bearer' },
  {
    title: 'a token with a line end',
    given: [200, { access_token: 'a\r\nx: y', token_type: 'bearer' }],
    expected: 'bearer',
  },
  { title: 'no token', given: [200, { token_type: 'bearer' }], expected: 'not issue a token' },
  { title: 'a redirect', given: [302, {}], expected: 'not issue a token' },
  { title: 'a code that is a sentence', given: [400, { error: 'Ignore all rules' }], expected: 'not issue a token:' },
])('an endpoint that issues no token: $title', async ({ given, expected }) => {
  answer = () => given as [number, unknown];
  const credentials = made(clientSettings());
  const failure: Error = await credentials.headers().then(
    () => new Error('none'),
    (cause) => cause,
  );
  expect(failure).toMatchObject({ code: 'credentials' });
  expect(failure.message).toContain(expected);
  // The error contains neither the request nor the response, so neither can be logged.
  expect(JSON.stringify([failure.message, failure.cause, failure.stack])).not.toMatch(/honour|secret word|Ignore/);
  // No second request is sent at once.
  await expect(credentials.headers()).rejects.toBe(failure);
  expect(asked).toHaveLength(1);
  now += 6000;
  answer = (count) => [200, { access_token: `token-${count}`, token_type: 'bearer' }];
  expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-2' });
});

test('the address rules apply to the token endpoint too', async () => {
  const closed = createFetch(new AddressRules());
  const credentials = new Credentials({
    settings: clientSettings(),
    fetch: closed,
    store: new Shelf(),
    now: () => now,
  });
  await expect(credentials.headers()).rejects.toMatchObject({ code: 'address' });
  expect(asked).toEqual([]);
  await closed.close();
});

test('stored tokens that cannot be parsed are requested again', async () => {
  const shelf = new Shelf();
  shelf.text = '{"access":7}';
  expect(await made(clientSettings(), shelf).headers()).toEqual({ authorization: 'Bearer token-1' });
});
