import { afterAll, beforeEach } from 'vitest';
import { Bus } from '../../src/cache/bus.ts';
import { Approvals } from '../../src/store/approvals.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type Browser, CLIENT, type ProviderOptions, PUBLIC, startProvider, type TestProvider } from './rig.ts';

export const SESSION = '__Host-sallyport-session';
export const ATTEMPT = '__Host-sallyport-login';
/** The headers of a page of the gateway. */
export const OWN: Readonly<Record<string, string>> = { origin: PUBLIC };

interface Me {
  readonly principal: string;
  readonly workspace: string;
  readonly scopes: readonly string[];
}

export interface Stage {
  readonly installation: Installation;
  readonly provider: TestProvider;
  readonly one: Replica;
  readonly two: Replica;
  readonly acme: string;
  readonly globex: string;
  /** Who the gateway takes a browser for; the status if it does not know. */
  whoIs(browser: Browser, replica?: Replica): Promise<Me | number>;
  /** Holds a call, and returns its id. */
  hold(workspace: string, principal: string, tool: string): Promise<string>;
  /** Posts JSON to the second replica. */
  post(browser: Browser, path: string, headers: Record<string, string>, body?: unknown): Promise<Response>;
}

/** Two replicas and a provider for one test file, which reach the origins in `open` too. Before each test, people are in the same groups. */
export async function openStage(open: readonly string[] = [], options: ProviderOptions = {}): Promise<Stage> {
  const installation = await Installation.make();
  const provider = await startProvider(options);
  const bus = new Bus();
  const environment = {
    SALLYPORT_OPEN: [provider.issuer, ...open].join(),
    SALLYPORT_OIDC_ISSUER: provider.issuer,
    SALLYPORT_OIDC_CLIENT_ID: CLIENT.client_id,
    SALLYPORT_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    SALLYPORT_OIDC_SCOPE: options.hasThinTokens === true ? 'openid groups' : 'openid',
    SALLYPORT_JWT_ISSUER: provider.issuer,
    SALLYPORT_JWT_JWKS_URL: `${provider.issuer}/jwks`,
    SALLYPORT_JWT_GROUPS_CLAIM: 'groups',
    SALLYPORT_OIDC_GROUPS: JSON.stringify({
      staff: { workspace: 'acme', scopes: ['approve:own'] },
      security: { workspace: 'acme', scopes: ['approve:any', 'pins'] },
      partners: { workspace: 'globex', scopes: ['approve:any', 'pins', 'admin'] },
      makers: { workspace: 'acme', scopes: ['mcp', 'approve:own'] },
      ghosts: { workspace: 'nowhere', scopes: ['admin'] },
    }),
  };
  const [one, two] = [await installation.start({ environment }), await installation.start({ environment })];
  const [acme, globex] = [await installation.workspace('acme'), await installation.workspace('globex')];
  const approvals = new Approvals(installation.test.database, bus);
  afterAll(async () => {
    bus.close();
    await installation.drop();
    await provider.close();
  });
  beforeEach(() => {
    const people = { ada: ['staff'], carol: ['staff', 'security'], eve: ['partners'], dora: ['cooks'] };
    Object.assign(provider.groups, people);
  });

  async function whoIs(browser: Browser, replica = two): Promise<Me | number> {
    const response = await browser.send(`${replica.origin}/api/v1/me`);
    return response.status === 200 ? ((await response.json()) as Me) : response.status;
  }

  async function hold(workspace: string, principal: string, tool: string): Promise<string> {
    const enough = new AbortController();
    const question = {
      server: 'mail',
      conversation: 'c',
      tool,
      arguments: '{}',
      rule: 'r',
      reason: 'w',
      evidence: [],
      scopes: [],
    };
    await approvals.approver({ workspace, principal }, () => enough.abort())(question, enough.signal);
    const found = (await approvals.pending(workspace)).find((each) => each.question.tool === tool);
    return found?.id as string;
  }

  function post(
    browser: Browser,
    path: string,
    headers: Record<string, string>,
    body: unknown = {},
  ): Promise<Response> {
    return browser.send(`${two.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  return { installation, provider, one, two, acme, globex, whoIs, hold, post };
}
