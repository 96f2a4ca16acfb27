import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenVerifier } from '../../src/serve/auth/token.ts';
import { AddressRules } from '../../src/upstream/address.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { json, type Local, serve } from '../upstream/rig.ts';

const ISSUER = 'https://login.example/';
const AUDIENCE = 'https://gateway.example/mcp';
const CLAIMS = { sub: 'ada', workspace: 'w1', scope: 'mcp approve:own', iss: ISSUER, aud: AUDIENCE };

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let rsa: Keys;
let ec: Keys;
let ed: Keys;
let stranger: Keys;
let set: { keys: JWK[] };
let local: Local;
let fetch: GuardedFetch;
let asked = 0;
let answer: () => [number, unknown];

beforeAll(async () => {
  const options = { extractable: true };
  [rsa, ec, ed, stranger] = await Promise.all([
    generateKeyPair('RS256', options),
    generateKeyPair('ES256', options),
    generateKeyPair('EdDSA', options),
    generateKeyPair('RS256', options),
  ]);
  set = {
    keys: [
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
      { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256' },
      { ...(await exportJWK(ed.publicKey)), kid: 'ed' },
      {
        kty: 'oct',
        k: Buffer.from('a secret that should not be here').toString('base64url'),
        kid: 'oct',
        alg: 'HS256',
      },
    ],
  };
  answer = () => [200, set];
  local = await serve((_request, response) => {
    asked++;
    const [status, value] = answer();
    json(response, value, status);
  });
  fetch = createFetch(new AddressRules({ open: [local.origin] }));
});
afterAll(async () => {
  await fetch.close();
  await local.close();
});

const verifier = (options = {}): TokenVerifier =>
  new TokenVerifier({ issuer: ISSUER, audience: AUDIENCE, keys: { type: 'static', set }, ...options });
const remote = (options = {}): TokenVerifier =>
  verifier({ keys: { type: 'url', url: `${local.origin}/jwks`, fetch }, ...options });

const seconds = (): number => Math.floor(Date.now() / 1000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Shape {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key?: Keys['privateKey'];
}

async function token({ claims = {}, header = {}, key = rsa.privateKey }: Shape = {}): Promise<string> {
  const payload = { ...CLAIMS, exp: seconds() + 60, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header }).sign(key);
}

describe('taken', () => {
  test('a token of the issuer for this audience', async () => {
    const exp = seconds() + 60;
    expect(await verifier().verify(await token({ claims: { exp } }))).toEqual({
      type: 'verified',
      workspace: 'w1',
      principal: 'ada',
      scopes: new Set(['mcp', 'approve:own']),
      expires: exp,
    });
  });

  test('each accepted algorithm', async () => {
    const shapes = [
      {},
      { header: { alg: 'ES256', kid: 'ec' }, key: ec.privateKey },
      { header: { alg: 'EdDSA', kid: 'ed' }, key: ed.privateKey },
    ];
    for (const shape of shapes) expect(await verifier().verify(await token(shape))).toMatchObject({ type: 'verified' });
  });

  test.each(['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'Ed25519'])('%s', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const keys = { type: 'static', set: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg }] } };
    const signed = await token({ header: { alg, kid: 'one' }, key: privateKey });
    expect(await verifier({ keys }).verify(signed)).toMatchObject({ type: 'verified', principal: 'ada' });
  });

  test('groups, and the workspace and scopes only if the token has them', async () => {
    const claims = { groups: ['staff', 7, 'ops'], workspace: undefined, scope: undefined };
    const grouped = verifier({ claims: { groups: 'groups' } });
    expect(await grouped.verify(await token({ claims }))).toMatchObject({
      type: 'verified',
      workspace: undefined,
      scopes: undefined,
      groups: ['staff', 'ops'],
    });
    expect(await grouped.verify(await token({ claims: { groups: 'staff' } }))).toMatchObject({
      workspace: 'w1',
      scopes: new Set(['mcp', 'approve:own']),
      groups: ['staff'],
    });
    expect(await grouped.verify(await token({ claims: { workspace: ['w1'] } }))).toMatchObject({ type: 'refused' });
  });

  const GROUPED = { groups: 'groups' };
  test.each([
    { title: 'none', claims: {}, names: GROUPED, expected: undefined },
    { title: 'those in scp, as some issuers name it', claims: { scp: 'mcp' }, names: GROUPED, expected: ['mcp'] },
    { title: 'those in scp as a list', claims: { scp: ['mcp', 'pins'] }, names: GROUPED, expected: ['mcp', 'pins'] },
    { title: 'those in scope, not scp', claims: { scope: 'mcp', scp: 'pins' }, names: GROUPED, expected: ['mcp'] },
    { title: 'an empty list', claims: { scope: '' }, names: GROUPED, expected: [] },
    { title: 'a claim that is not a list', claims: { scope: null }, names: GROUPED, expected: [] },
    {
      title: 'none in a claim of the operator',
      claims: { scp: 'mcp', scope: 'openid' },
      names: { ...GROUPED, scopes: 'permissions' },
      expected: undefined,
    },
  ])('with groups, scopes that limit them: $title', async ({ claims, names, expected }) => {
    const signed = await token({ claims: { scope: undefined, groups: ['staff'], ...claims } });
    const scopes = expected === undefined ? undefined : new Set(expected);
    expect(await verifier({ claims: names }).verify(signed)).toMatchObject({ type: 'verified', scopes });
  });

  test('other claim names, scopes as an array, one audience of several, and a small clock difference', async () => {
    const claims = {
      sub: undefined,
      workspace: undefined,
      org: 'w2',
      scp: ['mcp', 7, ''],
      client: 'bot',
      aud: ['x', AUDIENCE],
      exp: seconds() - 20,
      nbf: seconds() + 20,
    };
    const options = { claims: { workspace: 'org', scopes: 'scp', principal: 'client' } };
    expect(await verifier(options).verify(await token({ claims }))).toMatchObject({
      workspace: 'w2',
      principal: 'bot',
      scopes: new Set(['mcp']),
    });
  });

  test('a claim name may be a URL, but never a property of every object', async () => {
    const named = verifier({ claims: { workspace: 'https://sallyport.example/workspace' } });
    expect(await named.verify(await token({ claims: { 'https://sallyport.example/workspace': 'w3' } }))).toMatchObject({
      workspace: 'w3',
    });
    expect(await verifier({ claims: { workspace: 'constructor' } }).verify(await token())).toMatchObject({
      reason: 'claims',
    });
  });
});

describe('refused', () => {
  const CLAIM_ATTACKS = [
    { title: 'another audience', claims: { aud: 'https://other.example/' }, expected: 'claims' },
    { title: 'the audience with something behind', claims: { aud: `${AUDIENCE}/x` }, expected: 'claims' },
    { title: 'no audience', claims: { aud: undefined }, expected: 'claims' },
    { title: 'another issuer', claims: { iss: 'https://evil.example/' }, expected: 'claims' },
    { title: 'the issuer without its slash', claims: { iss: 'https://login.example' }, expected: 'claims' },
    { title: 'no issuer', claims: { iss: undefined }, expected: 'claims' },
    { title: 'expired', claims: { exp: 1_000_000 }, expected: 'expired' },
    { title: 'no end', claims: { exp: undefined }, expected: 'claims' },
    { title: 'an end that is a text', claims: { exp: '9999999999' }, expected: 'claims' },
    { title: 'not yet valid', claims: { nbf: 9_999_999_999 }, expected: 'claims' },
    { title: 'no workspace', claims: { workspace: undefined }, expected: 'claims' },
    { title: 'an empty workspace', claims: { workspace: '' }, expected: 'claims' },
    { title: 'a workspace that is a list', claims: { workspace: ['w1', 'w2'] }, expected: 'claims' },
    { title: 'a workspace of great length', claims: { workspace: 'w'.repeat(1000) }, expected: 'claims' },
    { title: 'no subject', claims: { sub: undefined }, expected: 'claims' },
    { title: 'a subject that is half a character', claims: { sub: 'a\ud800' }, expected: 'claims' },
  ];
  test.each(CLAIM_ATTACKS)('$title', async ({ claims, expected }) => {
    expect(await verifier().verify(await token({ claims }))).toEqual({ type: 'refused', reason: expected });
  });

  const payload = (): string => base64({ ...CLAIMS, exp: seconds() + 60 });
  const hmac = (header: unknown, secret: string | Buffer): string => {
    const signed = `${base64(header)}.${payload()}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const ATTACKS: { title: string; make: () => Promise<string> | string; expected: string }[] = [
    { title: 'none', make: () => `${base64({ alg: 'none' })}.${payload()}.`, expected: 'form' },
    {
      title: 'none with a signature',
      make: () => `${base64({ alg: 'none', kid: 'rsa' })}.${payload()}.AAAA`,
      expected: 'signature',
    },
    { title: 'None', make: () => `${base64({ alg: 'None' })}.${payload()}.AAAA`, expected: 'signature' },
    {
      title: 'HS256 with the public key as its secret',
      make: async () => hmac({ alg: 'HS256', kid: 'rsa' }, await exportSPKI(rsa.publicKey)),
      expected: 'signature',
    },
    {
      title: 'HS256 with the key as JSON',
      make: () => hmac({ alg: 'HS256', kid: 'rsa' }, JSON.stringify(set.keys[0])),
      expected: 'signature',
    },
    {
      title: 'HS256 with a secret that is in the set',
      make: () => hmac({ alg: 'HS256', kid: 'oct' }, 'a secret that should not be here'),
      expected: 'signature',
    },
    {
      title: 'RS256 with the HMAC of the public key',
      make: async () => hmac({ alg: 'RS256', kid: 'rsa' }, await exportSPKI(rsa.publicKey)),
      expected: 'signature',
    },
    { title: "a stranger's key under our kid", make: () => token({ key: stranger.privateKey }), expected: 'signature' },
    { title: 'an unknown key id', make: () => token({ header: { kid: 'unknown' } }), expected: 'signature' },
    {
      title: 'a kid that is a path',
      make: () => token({ header: { kid: '../../dev/null' }, key: stranger.privateKey }),
      expected: 'signature',
    },
    {
      title: 'a kid that every object has',
      make: () => token({ header: { kid: '__proto__' }, key: stranger.privateKey }),
      expected: 'signature',
    },
    { title: 'a kid of another kind of key', make: () => token({ header: { kid: 'ec' } }), expected: 'signature' },
    {
      title: 'its own key in the header',
      make: async () =>
        token({ header: { kid: undefined, jwk: await exportJWK(stranger.publicKey) }, key: stranger.privateKey }),
      expected: 'signature',
    },
    {
      title: 'an address of its own keys',
      make: () =>
        token({ header: { jku: 'https://evil.example/', x5u: 'https://evil.example/' }, key: stranger.privateKey }),
      expected: 'signature',
    },
    {
      title: 'an unknown critical header',
      make: () => `${base64({ alg: 'RS256', kid: 'rsa', crit: ['x'], x: 1 })}.${payload()}.AAAA`,
      expected: 'signature',
    },
    { title: 'RS384', make: () => `${base64({ alg: 'RS384', kid: 'rsa' })}.${payload()}.AAAA`, expected: 'signature' },
    {
      title: 'a payload that was changed',
      make: async () =>
        (await token()).replace(/\.[^.]+\./, `.${base64({ ...CLAIMS, workspace: 'w2', exp: seconds() + 60 })}.`),
      expected: 'signature',
    },
    { title: 'no signature', make: async () => (await token()).replace(/[^.]+$/, ''), expected: 'form' },
    { title: 'half a token', make: async () => (await token()).slice(0, 40), expected: 'form' },
    { title: 'a key of ours', make: () => 'sp_12345678_abc', expected: 'form' },
    { title: 'encrypted', make: () => 'a.b.c.d.e', expected: 'form' },
    { title: 'blanks', make: async () => ` ${await token()}`, expected: 'form' },
    { title: 'very long', make: () => `a.${'b'.repeat(20_000)}.c`, expected: 'form' },
    { title: 'nothing', make: () => '', expected: 'form' },
  ];
  test.each(ATTACKS)('$title', async ({ make, expected }) => {
    const attack = await make();
    expect(await verifier().verify(attack)).toEqual({ type: 'refused', reason: expected });
    expect(await remote().verify(attack)).toEqual({ type: 'refused', reason: expected });
  });

  test('a weak key of the issuer', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = { ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' } as JWK;
    const { createSign } = await import('node:crypto');
    const signed = `${base64({ alg: 'RS256', kid: 'weak' })}.${payload()}`;
    const attack = `${signed}.${createSign('sha256').update(signed).sign(privateKey).toString('base64url')}`;
    expect(await verifier({ keys: { type: 'static', set: { keys: [weak] } } }).verify(attack)).toMatchObject({
      type: 'refused',
    });
  });
});

describe('keys at an address', () => {
  test('are fetched once, and not again for an unknown key id', async () => {
    asked = 0;
    const tokens = remote();
    for (let index = 0; index < 5; index++)
      expect(await tokens.verify(await token())).toMatchObject({ type: 'verified' });
    for (let index = 0; index < 5; index++) await tokens.verify(await token({ header: { kid: `k${index}` } }));
    expect(asked).toBe(1);
  });

  test.each([
    { title: 'an error', given: [500, {}] },
    { title: 'a redirect', given: [302, {}] },
    { title: 'no key set', given: [200, { keys: 'none' }] },
    { title: 'too much', given: [200, { keys: [], more: 'a'.repeat(2_000_000) }] },
  ])('that cannot be loaded leave the token unchecked: $title', async ({ given }) => {
    asked = 0;
    answer = () => given as [number, unknown];
    const tokens = remote();
    for (let index = 0; index < 3; index++)
      expect(await tokens.verify(await token())).toMatchObject({ type: 'unavailable' });
    answer = () => [200, set];
    // The key set is not downloaded for each token.
    expect(asked).toBeLessThanOrEqual(given[0] === 200 && !('more' in (given[1] as object)) ? 3 : 1);
  });

  test('are fetched only from allowed addresses', async () => {
    asked = 0;
    const closed = createFetch(new AddressRules());
    const tokens = verifier({ keys: { type: 'url', url: `${local.origin}/jwks`, fetch: closed } });
    expect(await tokens.verify(await token())).toMatchObject({ type: 'unavailable' });
    expect(asked).toBe(0);
    await closed.close();
  });
});

test('an issuer and an audience are required', () => {
  expect(() => verifier({ audience: '' })).toThrow(TypeError);
  expect(() => verifier({ issuer: '' })).toThrow(TypeError);
});
