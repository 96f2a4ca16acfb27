import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
// @ts-expect-error oidc-provider has no types of its own.
import Provider from 'oidc-provider';
import { bodyOf, type Local, serve } from '../upstream/rig.ts';

export const CLIENT = { clientId: 'gateway', clientSecret: 'hush-client-secret' };

export interface Accounts {
  /** The authorization server. */
  readonly issuer: Local;
  /** An MCP server whose tool `whoami` says whose token a call has. */
  readonly server: Local;
  /** What reached the token endpoint: the grant types, in order. */
  readonly grants: string[];
  /** Makes all access tokens invalid; refresh tokens stay valid. */
  expire(): void;
  /** Logs in as an account in a new browser. Returns the address that the authorization server sends the browser back to. */
  login(url: string, account: string): Promise<URL>;
  close(): Promise<void>;
}

/** A browser that keeps cookies and follows redirects, until one leads to another origin. */
class Browser {
  readonly #cookies = new Map<string, string>();
  text = '';

  async open(url: URL, form?: URLSearchParams): Promise<URL> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: form };
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      this.#cookies.set(name, value);
    }
    this.text = await answer.text();
    const location = answer.headers.get('location');
    if (location === null) return url;
    const next = new URL(location, url);
    return next.origin === url.origin ? this.open(next) : next;
  }
}

/** A real authorization server (oidc-provider), and an MCP server that takes its tokens. */
export async function startAccounts(redirectUri: string): Promise<Accounts> {
  const grants: string[] = [];
  const valid = new Set<string>();
  let handle: (...given: unknown[]) => unknown = () => undefined;
  const issuer = await serve((request, response) => void handle(request, response));
  const provider = new Provider(issuer.origin, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: true } },
  });
  provider.on('grant.success', (context: { oidc: { params: { grant_type: string } } }) =>
    grants.push(context.oidc.params.grant_type),
  );
  provider.on('access_token.saved', ({ jti }: { jti: string }) => valid.add(jti));
  handle = provider.callback();

  const server = await serve(async (request, response) => {
    const header = request.headers.authorization ?? '';
    const token = await provider.AccessToken.find(header.replace(/^Bearer /, ''));
    if (token === undefined || !valid.has(token.jti)) return response.writeHead(401).end();
    const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
    mcp.registerTool('whoami', { description: 'Says who calls.', inputSchema: {} }, async () => ({
      content: [{ type: 'text', text: `account=${token.accountId}.` }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never);
    await mcp.connect(transport as never);
    const text = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : undefined;
    return transport.handleRequest(request, response, text);
  });

  async function login(url: string, account: string): Promise<URL> {
    const browser = new Browser();
    let page = await browser.open(new URL(url));
    while (page.origin === issuer.origin) {
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(browser.text) ?? [];
      if (prompt === undefined) throw new Error(`The login ended at ${page.href}.`);
      page = await browser.open(page, new URLSearchParams({ prompt, login: account, password: 'any' }));
    }
    return page;
  }

  return {
    issuer,
    server,
    grants,
    expire: () => valid.clear(),
    login,
    close: async () => void (await Promise.all([issuer.close(), server.close()])),
  };
}
