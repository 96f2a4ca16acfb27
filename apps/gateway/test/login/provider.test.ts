import { afterAll, expect, test } from 'vitest';
import { LoginProvider } from '../../src/serve/login/provider.ts';
import { AddressRules } from '../../src/upstream/address.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { serve } from '../upstream/rig.ts';
import { atProvider, CLIENT, PUBLIC, startProvider } from './rig.ts';

let requests = 0;
let isUp = false;
const issuer = await serve((_, response) => {
  requests++;
  const { origin } = issuer;
  const metadata = { issuer: origin, authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token` };
  if (isUp) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  else response.writeHead(500).end();
});
const fetch = createFetch(new AddressRules({ open: [issuer.origin] }));
afterAll(async () => {
  await fetch.close();
  await issuer.close();
});

test('the metadata of an issuer that fails are asked for again after a pause, and kept once they are there', async () => {
  let now = 0;
  const setting = {
    issuer: issuer.origin,
    clientId: 'x',
    clientSecret: undefined,
    scope: 'openid',
    groupsClaim: 'groups',
  };
  const provider = new LoginProvider({ setting, redirectUri: 'https://gateway.example/', fetch, clock: () => now });
  const begin = (): Promise<unknown> =>
    provider.begin().then(
      () => 'begun',
      () => 'failed',
    );
  const steps = [
    { title: 'at once', after: 0, isUp: false, expected: ['failed', 1] },
    { title: 'within the pause', after: 4000, isUp: true, expected: ['failed', 1] },
    { title: 'after the pause, still failing', after: 2000, isUp: false, expected: ['failed', 2] },
    { title: 'after another pause', after: 6000, isUp: true, expected: ['begun', 3] },
    { title: 'while they are kept', after: 500_000, isUp: false, expected: ['begun', 3] },
    { title: 'when they are old', after: 200_000, isUp: true, expected: ['begun', 4] },
  ];
  for (const step of steps) {
    now += step.after;
    isUp = step.isUp;
    const [first] = await Promise.all([begin(), begin()]);
    expect([step.title, first, requests]).toEqual([step.title, ...step.expected]);
  }
});

test.each([
  { title: 'plain', signsUserinfo: false },
  { title: 'signed', signsUserinfo: true },
])('groups come from $title userinfo if the ID token has none', async ({ signsUserinfo }) => {
  const real = await startProvider({ hasThinTokens: true, signsUserinfo });
  const guarded = createFetch(new AddressRules({ open: [real.issuer] }));
  real.groups.ada = ['staff'];
  const provider = new LoginProvider({
    setting: {
      issuer: real.issuer,
      clientId: CLIENT.client_id,
      clientSecret: CLIENT.client_secret,
      scope: 'openid groups',
      groupsClaim: 'groups',
    },
    redirectUri: `${PUBLIC}/login/callback`,
    fetch: guarded,
  });
  const { url, proof } = await provider.begin();
  const { searchParams } = new URL(await atProvider(url, 'ada'));
  expect(await provider.finish(proof, searchParams)).toEqual({ subject: 'ada', groups: ['staff'], lacksGroups: false });
  await guarded.close();
  await real.close();
});
