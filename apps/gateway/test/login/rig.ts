import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error oidc-provider has no types of its own.
import Provider from 'oidc-provider';
import type { Replica } from '../fixture/replica.ts';

/** A real OpenID provider, where each person logs in by their name. */
export interface TestProvider {
  readonly issuer: string;
  /** The groups of each person. */
  readonly groups: Record<string, readonly string[]>;
  /** What userinfo has in place of the truth, by the name of a person; an error if it fails for them. */
  readonly userinfo: Record<string, Record<string, unknown> | Error>;
  close(): Promise<void>;
}

export const CLIENT = { client_id: 'sallyport', client_secret: 'a secret of the gateway' };
/** The default public URL of a gateway. */
export const PUBLIC = 'http://localhost:8080';

/** Of a Koa context. */
interface UserinfoAnswer {
  readonly path: string;
  readonly body?: { readonly sub?: string };
  status: number;
}

export interface ProviderOptions {
  /** Leaves all claims but the subject to userinfo, as the provider does by default. @default false */
  readonly hasThinTokens?: boolean;
  /** Signs userinfo. @default false */
  readonly signsUserinfo?: boolean;
}

export async function startProvider({
  hasThinTokens = false,
  signsUserinfo = false,
}: ProviderOptions = {}): Promise<TestProvider> {
  const groups: Record<string, readonly string[]> = {};
  const userinfo: TestProvider['userinfo'] = {};
  let handle: ReturnType<Provider['callback']> = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${PUBLIC}/login/callback`],
        ...(signsUserinfo ? { userinfo_signed_response_alg: 'RS256' } : {}),
      },
    ],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    claims: hasThinTokens ? { openid: ['sub'], groups: ['groups'] } : { openid: ['sub', 'groups'] },
    conformIdTokenClaims: hasThinTokens,
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...(groups[sub] && { groups: groups[sub] }) }),
    }),
    extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => ({ groups: groups[accountId] ?? [] }),
    features: {
      devInteractions: { enabled: true },
      jwtUserinfo: { enabled: signsUserinfo },
      // Access tokens for the gateway, as agents use them.
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: 'mcp approve:own',
          audience,
          accessTokenFormat: 'jwt',
        }),
      },
    },
  });
  provider.use(async (answer: UserinfoAnswer, next: () => Promise<void>) => {
    await next();
    const more = answer.path === '/me' ? userinfo[answer.body?.sub ?? ''] : {};
    if (more instanceof Error) answer.status = 500;
    else Object.assign(answer.body ?? {}, more);
  });
  handle = provider.callback();
  return {
    issuer,
    groups,
    userinfo,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser that keeps cookies and follows redirects one by one. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** All cookies as they were set. */
  readonly set: string[] = [];

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) },
    });
    for (const text of response.headers.getSetCookie()) {
      this.set.push(text);
      const [pair = ''] = text.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(text)) this.cookies.delete(name);
      else this.cookies.set(name, value.join('='));
    }
    return response;
  }
}

/** The location that a response leads to. */
function locationOf(response: Response, base: string): string {
  return new URL(response.headers.get('location') ?? '', base).href;
}

/** A person at the provider: from the authorization request to the URL of the gateway that the provider leads to. */
export async function atProvider(authorize: string, person: string): Promise<string> {
  const browser = new Browser();
  let url = authorize;
  for (let step = 0; step < 12; step++) {
    const response = await browser.send(url);
    if (response.status >= 300 && response.status < 400) {
      url = locationOf(response, url);
      if (url.startsWith(PUBLIC)) return url;
      continue;
    }
    const page = await response.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (prompt === undefined) throw new Error(`${response.status} ${page.slice(0, 300)}`);
    const [, action = url] = /action="([^"]+)"/.exec(page) ?? [];
    const answer = await browser.send(new URL(action, url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, login: person, password: 'x' }).toString(),
    });
    url = locationOf(answer, url);
    if (url.startsWith(PUBLIC)) return url;
  }
  throw new Error('The login did not end.');
}

/** The tokens of a person for an agent, by an authorization code of the agent's own. */
export async function tokensOf(
  { issuer }: TestProvider,
  person: string,
  scope: string,
): Promise<{ readonly access_token: string; readonly id_token: string }> {
  const verifier = 'v'.repeat(43);
  const redirect_uri = `${PUBLIC}/login/callback`;
  const asked = new URLSearchParams({
    client_id: CLIENT.client_id,
    redirect_uri,
    response_type: 'code',
    scope,
    resource: PUBLIC,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const returned = new URL(await atProvider(`${issuer}/auth?${asked}`, person));
  const code = returned.searchParams.get('code') ?? '';
  const encoded = Object.values(CLIENT).map(encodeURIComponent).join(':');
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(encoded).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier: verifier,
    }).toString(),
  });
  return (await response.json()) as { access_token: string; id_token: string };
}

/** Begins a login, and returns the authorization request at the provider. */
export async function begin(replica: Replica, browser: Browser, query = ''): Promise<string> {
  const response = await browser.send(`${replica.origin}/login${query}`);
  if (response.status !== 303) throw new Error(`${response.status} ${await response.text()}`);
  return response.headers.get('location') as string;
}

/** The same URL at one replica. */
export const at = (replica: Replica, url: string): string => url.replace(PUBLIC, replica.origin);

/** Logs a person in. */
export async function logIn(replica: Replica, browser: Browser, person: string, query = ''): Promise<Response> {
  const callback = await atProvider(await begin(replica, browser, query), person);
  return browser.send(at(replica, callback));
}
