import { randomBytes } from 'node:crypto';
import type { Timer } from '@sallyport/core/stages';
import type { Question } from '@sallyport/mcp-proxy';
import { Bus } from '../../src/cache/bus.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { type Config, readConfig, readKeys } from '../../src/operate/config.ts';
import { createLog } from '../../src/operate/log.ts';
import { Approvals } from '../../src/store/approvals.ts';
import { PinBook } from '../../src/store/pins/pins.ts';
import { Findings, type FoundSpan } from '../../src/store/policy/findings.ts';
import { Keys, SCOPES, type Scope } from '../../src/store/secrets/keys.ts';
import { PersonTokens } from '../../src/store/secrets/person-tokens.ts';
import { Vault } from '../../src/store/secrets/vault.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { freshDatabase, REDIS_URL, randomName, type TestDatabase } from '../fixture/database.ts';

/** A workspace with one object of each kind. All its texts contain its name. */
export interface World {
  readonly name: string;
  readonly workspace: string;
  /** A key with all scopes. */
  readonly key: string;
  readonly keyId: string;
  readonly approval: string;
  /** The id of a lasting approval. */
  readonly lasting: string;
  readonly submission: { readonly id: string; readonly digest: string };
  readonly server: string;
  readonly pin: string;
  readonly finding: string;
}

interface Asking {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Rig {
  readonly gateway: Gateway;
  readonly opened: TestDatabase;
  readonly keys: Keys;
  /** Every line that was logged. */
  readonly logged: string[];
  /** Every answer that was read. */
  readonly answered: string[];
  /** The answers that were refusals. */
  readonly refused: string[];
  readonly config: Config;
  ask(method: string, path: string, asking?: Asking): Promise<{ status: number; body: never; headers: Headers }>;
  world(name: string): Promise<World>;
  keyOf(workspace: string, scopes?: readonly Scope[], principal?: string): Promise<string>;
  /** Holds a call of a principal, and returns its id. @default principal 'agent' */
  hold(workspace: string, conversation: string, principal?: string): Promise<string>;
  holdPin(workspace: string, server: string, text: string): Promise<string>;
  /** Stores a finding of likelihood `low`, and returns its id. */
  find(workspace: string, principal: string, span: Pick<FoundSpan, 'server' | 'tag' | 'text'>): Promise<string>;
  pinTool(workspace: string, server: string, tool: string): Promise<void>;
  /** All rows of a workspace, by table. */
  rowsOf(workspace: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** A credential of a server, which must never be returned or logged. */
export const SECRET = 'hush-credential-of-upstream-4711';
export const ADDRESS = 'https://8.8.8.8/mcp';

const questionIn = (conversation: string): Question => ({
  server: 'mail',
  conversation,
  tool: 'send',
  arguments: '{"to":"x@y.example"}',
  rule: 'r',
  reason: 'why',
  scopes: ['once', 'task', 'conversation', 'always'],
  fixed: ['/to'],
  keys: { task: ['task'], conversation: ['conversation'], always: ['always'] },
  evidence: [{ path: '/to', source: 'read', excerpt: { before: 'write to ', match: conversation, after: '' } }],
});

/** `timer` is passed to the gateway. */
export async function openRig(timer?: Timer): Promise<Rig> {
  const SALLYPORT_KEY = randomBytes(32).toString('hex');
  const opened = await freshDatabase(readKeys({ SALLYPORT_KEY }).keyFor('audit'));
  const config = readConfig({
    DATABASE_URL: opened.url,
    REDIS_URL,
    SALLYPORT_KEY,
    SALLYPORT_ANCHORS: 'off',
    SALLYPORT_SECRETS_KEY: randomBytes(32).toString('hex'),
    SALLYPORT_RATE: '10000000',
    SALLYPORT_CHILDREN: 'trusted',
    SALLYPORT_COMMANDS: JSON.stringify({
      echo: { command: 'node', args: ['-e', SECRET], env: { KEY: SECRET }, workspaces: ['mine'] },
    }),
  });
  const logged: string[] = [];
  const answered: string[] = [];
  const refused: string[] = [];
  const gateway = createGateway({
    config: { ...config, port: 0 },
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    ...(timer === undefined ? {} : { timer }),
  });
  const bus = new Bus();
  const keys = new Keys(opened.database, bus, config.keyFor('keys'));
  const approvals = new Approvals(opened.database, bus);
  const book = new PinBook(opened.database, bus);
  const findings = new Findings(opened.database);

  async function keyOf(
    workspace: string,
    scopes: readonly Scope[] = SCOPES,
    principal: string = randomName('person'),
  ): Promise<string> {
    return (await keys.create(workspace, { principal, label: 'test', scopes }, 'rig')).text;
  }

  async function hold(workspace: string, conversation: string, principal = 'agent'): Promise<string> {
    const question = questionIn(conversation);
    const enough = new AbortController();
    const asker = { workspace, principal, terms: 'terms' };
    await approvals.approver(asker, () => enough.abort())(question, enough.signal);
    const found = (await approvals.pending(workspace)).find((each) => each.question.conversation === conversation);
    return found?.id as string;
  }

  async function holdPin(workspace: string, server: string, text: string): Promise<string> {
    const held = { type: 'instructions', before: 'be kind', after: text } as const;
    await book.store(workspace, server).hold([held], { type: 'instructions' });
    return (await book.held(workspace)).find((each) => each.server === server)?.digest as string;
  }

  const find: Rig['find'] = async (workspace, principal, span) => {
    await findings.add(workspace, principal, [{ ...span, likelihood: 'low' }]);
    return (await findings.list(workspace)).find(({ text }) => text === span.text)?.id as string;
  };

  const pinTool = (workspace: string, server: string, tool: string): Promise<void> =>
    Promise.resolve(book.store(workspace, server).add({ tools: { [tool]: { name: tool } }, accepted: {} } as never));

  const ask: Rig['ask'] = async (method, path, { key, body, headers = {} } = {}) => {
    const response = await gateway.fetch(
      new Request(`http://gateway/api/v1${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    answered.push(text);
    if (response.status >= 400) refused.push(text);
    const isJson = text !== '' && response.headers.get('content-type') === 'application/json';
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as never };
  };

  async function good(method: string, path: string, asking: Asking): Promise<never> {
    const { status, body } = await ask(method, path, asking);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async function world(name: string): Promise<World> {
    const workspace = await createWorkspace(opened.database, name);
    const { id: keyId, text: key } = await keys.create(
      workspace,
      { principal: `${name}-person`, label: name, scopes: SCOPES },
      'rig',
    );
    const server = `${name}-mail`;
    const credentials = { type: 'headers', headers: { authorization: `Bearer ${SECRET}` } };
    await good('PUT', `/servers/${server}`, { key, body: { kind: 'http', url: ADDRESS, credentials } });
    const person = {
      type: 'person',
      issuer: 'https://8.8.4.4',
      authorizationEndpoint: 'https://8.8.4.4/auth',
      tokenEndpoint: 'https://8.8.4.4/token',
      clientId: 'us',
      clientSecret: SECRET,
    };
    await good('PUT', `/servers/${name}-crm`, { key, body: { kind: 'http', url: ADDRESS, credentials: person } });
    const connection = { workspace, server: `${name}-crm`, principal: `${name}-person` };
    await new PersonTokens(opened.database, new Vault(config.secretsKey)).of(connection, '').connect(SECRET);
    const written = { id: `${name}-note`, conversation: `${name}-talk`, text: `${name} remembers` };
    const submission = await good('POST', '/submissions', { key, body: written });
    await good('PUT', '/policy', { key, body: { version: 0, body: { servers: { [server]: { trusted: true } } } } });
    const finding = await find(workspace, `${name}-person`, { server, tag: 'imperative', text: `${name} must` });
    await good('POST', '/feedback', { key, body: { finding, verdict: 'attack' } });
    await good('PUT', '/thresholds', { key, body: { server, tag: 'imperative', least: 'low' } });
    const lasting = await hold(workspace, `${name}-lasts`);
    await good('POST', `/approvals/${lasting}`, { key, body: { answer: 'approved', scope: 'always' } });
    const approval = await hold(workspace, `${name}-talk`);
    // After the held call: otherwise a message about it would be sent in the meantime.
    await good('PUT', `/webhooks/${name}-desk`, { key, body: { url: `https://8.8.8.8/${SECRET}`, format: 'json' } });
    const entries = [
      { type: 'read', id: 'r1', server, texts: [`${name} reads`], bare: [] },
      { type: 'call', id: 'c1', tool: `${server}.send`, arguments: { to: name } },
    ];
    for (const entry of entries)
      await opened.attacker`insert into log (workspace_id, conversation, body)
        values (${workspace}, ${`["${name}-person","own"]`}, ${JSON.stringify({ key: entry.id, entry })})`;
    const pin = await holdPin(workspace, server, `${name} obeys`);
    return { name, workspace, key, keyId, approval, lasting, submission, server, pin, finding };
  }

  // Without what the gateway changes by itself meanwhile: messages that are sent.
  async function rowsOf(workspace: string): Promise<Record<string, string>> {
    const tables = await opened.attacker<{ name: string }[]>`
      select table_name as name from information_schema.columns
        where table_schema = 'sallyport' and column_name = 'workspace_id' and table_name !~ '^audit_(p|[0-9]|checkpoints)|^notices$' order by 1`;
    const rows: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await opened.attacker`
        select count(*)::text || ' ' || coalesce(md5(string_agg(stable, ' ' order by stable)), '') as all
          from (select (to_jsonb(one) - 'sent_at' - 'failure')::text as stable
            from ${opened.attacker(name)} as one where workspace_id = ${workspace}) row`;
      rows[name] = row?.all;
    }
    return rows;
  }

  return {
    gateway,
    opened,
    keys,
    logged,
    answered,
    refused,
    config,
    ask,
    world,
    keyOf,
    hold,
    holdPin,
    find,
    pinTool,
    rowsOf,
    async close() {
      await gateway.drain();
      keys.close();
      bus.close();
      await opened.drop();
    },
  };
}
