import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { TokenVerifier } from '../../src/serve/auth/token.ts';

const ISSUER = 'https://login.example/';
const AUDIENCE = 'https://gateway.example/mcp';
const CLAIMS = { sub: 'ada', workspace: 'w1', scope: 'mcp approve:own', iss: ISSUER, aud: AUDIENCE };

let ec: Awaited<ReturnType<typeof generateKeyPair>>;
let set: { keys: JWK[] };

beforeAll(async () => {
  ec = await generateKeyPair('ES256', { extractable: true });
  set = { keys: [{ ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256' }] };
});

describe('a token of the issuer that is not an access token for now', () => {
  const verify = async (header: object, claims: object): Promise<unknown> => {
    const verifier = new TokenVerifier({ issuer: ISSUER, audience: AUDIENCE, keys: { type: 'static', set } });
    const token = await new SignJWT({ ...CLAIMS, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header })
      .setExpirationTime('5m')
      .sign(ec.privateKey);
    return (await verifier.verify(token)).type;
  };

  test.each(['JWT', 'at+jwt', 'application/at+JWT', undefined])('type %s is accepted', async (typ) => {
    expect(await verify(typ === undefined ? {} : { typ }, {})).toBe('verified');
  });

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', ''])('type %j is refused', async (typ) => {
    expect(await verify({ typ }, {})).toBe('refused');
  });

  test.each([
    ['issued in an hour', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['a subject with a line end', { sub: 'ada\n' }],
    ['a subject with a bidirectional control', { sub: 'ada\u202e' }],
    ['a subject with a line separator', { sub: 'ada\u2028' }],
    ['an ID token with a nonce', { nonce: 'x' }],
    ['an ID token with the hash of an access token', { at_hash: 'x' }],
    ['an ID token by its use', { token_use: 'id' }],
    ['an ID token by a claim', { typ: 'ID' }],
    ['a logout token without its type', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('%s is refused', async (_, claims) => {
    expect(await verify({}, claims)).toBe('refused');
  });
});
