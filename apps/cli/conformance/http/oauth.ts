// A real OAuth server (oidc-provider), and a front that lets only its tokens through to MCP servers on this machine.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error oidc-provider has no types of its own.
import Provider from 'oidc-provider';

const SCOPE = 'mcp';
/** Seconds that an access token is valid. */
const LIFETIME = 3600;

export interface Front {
  readonly origin: string;
  /** The address of the server that listens on this port. All of them have one login. */
  address(port: number): string;
  /** Makes all access tokens invalid; refresh tokens stay valid. */
  expire(): void;
  /** What reached the token endpoint: the grant types, in order. */
  readonly grants: string[];
  close(): Promise<void>;
}

interface AccessToken {
  readonly aud?: string | readonly string[];
  readonly jti: string;
}

function providerFor(issuer: string): Provider {
  const provider = new Provider(issuer, {
    clientDefaults: { token_endpoint_auth_method: 'none' },
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', SCOPE],
    issueRefreshToken: async (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: { AccessToken: LIFETIME, Interaction: LIFETIME, Session: LIFETIME, Grant: LIFETIME },
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: SCOPE,
          audience: resource,
          accessTokenTTL: LIFETIME,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  });
  provider.on('server_error', (_: unknown, cause: Error) => console.error(cause));
  return provider;
}

/** Passes a request on to the MCP server, without the token. */
function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { authorization: _, ...headers } = incoming.headers;
  const outgoing = request({ port, host: '127.0.0.1', method: incoming.method, path: '/mcp', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
    answer.on('close', () => answer.complete || response.destroy());
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

export async function startFront(): Promise<Front> {
  const grants: string[] = [];
  /** The access tokens that are valid, by their ids. */
  const valid = new Set<string>();
  let handle: (incoming: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((incoming, response) => handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = providerFor(origin);
  provider.on('grant.success', (ctx: { oidc: { params: { grant_type: string } } }) =>
    grants.push(ctx.oidc.params.grant_type),
  );
  provider.on('access_token.saved', ({ jti }: AccessToken) => valid.add(jti));
  const authorize = provider.callback();

  const isValid = async (header: string): Promise<boolean> => {
    const token: AccessToken | undefined = await provider.AccessToken.find(header.replace(/^Bearer /, ''));
    return token !== undefined && valid.has(token.jti) && [token.aud].flat().includes(resource);
  };
  const resource = `${origin}/mcp`;
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const guard = async (incoming: IncomingMessage, response: ServerResponse, port: string): Promise<unknown> => {
    if (await isValid(incoming.headers.authorization ?? '')) return forward(incoming, response, Number(port));
    return response
      .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="${SCOPE}"` })
      .end();
  };
  handle = (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', origin);
    if (pathname === '/mcp') return guard(incoming, response, searchParams.get('port') ?? '');
    if (!metadata.endsWith(pathname)) return authorize(incoming, response);
    const body = { resource, authorization_servers: [origin], scopes_supported: [SCOPE] };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  return {
    origin,
    address: (port) => `${resource}?port=${port}`,
    expire: () => valid.clear(),
    grants,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
