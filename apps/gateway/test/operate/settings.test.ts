import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/operate/config.ts';
import { ConfigError } from '../../src/operate/config-error.ts';
import { allVariables, KEY, LOGIN, NEEDED, OWNER, read, SECRET, TOKENS, variables } from './variables.ts';

/** The rows of the table of settings: the name, and the default. */
function documented(): Map<string, string> {
  const [, section = ''] = /## Settings\n([\s\S]*?)\n## /.exec(read('../../docs/operations.md')) ?? [];
  const rows = [...section.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value.replaceAll('`', '').trim()]));
}

test('the operations page lists exactly the settings of the code', () => {
  expect([...documented().keys()].toSorted()).toEqual(variables());
  expect(variables().length).toBeGreaterThan(10);
});

test('secrets can be in files, and the operations page says which', () => {
  const files = allVariables().filter((name) => name.endsWith('_FILE'));
  const names = files.map((name) => name.replace(/_FILE$/, ''));
  expect(names).toEqual([...SECRET, OWNER, 'SALLYPORT_COMMANDS'].toSorted());
  const [, listed = ''] = /\n(.*) can be in a file/.exec(read('../../docs/operations.md')) ?? [];
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(names);
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('counts without its last line end', () => {
    const { DATABASE_URL, ...others } = NEEDED;
    for (const end of ['', '\n', '\r\n']) {
      const environment = { ...others, DATABASE_URL_FILE: fileWith('url', `${DATABASE_URL}${end}`) };
      expect(readConfig(environment).databaseUrl).toBe(DATABASE_URL);
    }
    const key = { SALLYPORT_KEY: '', SALLYPORT_KEY_FILE: fileWith('key', `${KEY}\n`) };
    expect(readConfig({ ...NEEDED, ...key }).keyFor('a')).toEqual(readConfig(NEEDED).keyFor('a'));
    const login = { ...LOGIN, SALLYPORT_OIDC_CLIENT_SECRET_FILE: fileWith('client', 'secret\n') };
    expect(readConfig({ ...NEEDED, ...login }).login?.clientSecret).toBe('secret');
    const redis = { REDIS_URL_FILE: fileWith('redis', 'redis://x\n') };
    expect(readConfig({ ...NEEDED, ...redis }).redisUrl).toBe('redis://x');
    const commands = fileWith('commands', '{"a":{"command":"npx","workspaces":["acme"]}}\n');
    const trusted = { SALLYPORT_CHILDREN: 'trusted', SALLYPORT_COMMANDS_FILE: commands };
    expect(Object.keys(readConfig({ ...NEEDED, ...trusted }).children.commands)).toEqual(['a']);
  });

  test('is refused together with the setting itself, and if it cannot be read', () => {
    const both = { ...NEEDED, SALLYPORT_KEY_FILE: fileWith('both', KEY) };
    expect(() => readConfig(both)).toThrow('SALLYPORT_KEY and SALLYPORT_KEY_FILE are both set: remove one.');
    const missing = { ...NEEDED, SALLYPORT_KEY: '', SALLYPORT_KEY_FILE: join(folder, 'none') };
    expect(() => readConfig(missing)).toThrow('SALLYPORT_KEY_FILE cannot be read (ENOENT)');
  });
});

test('the defaults on the operations page are those of the code', () => {
  const { children } = readConfig(NEEDED);
  const { host, port, rate, proxies, connections, memory, turnLimit, logLevel, isAudited } = readConfig(NEEDED);
  const { tokens, login } = readConfig({ ...NEEDED, ...TOKENS, ...LOGIN });
  expect(Object.fromEntries(documented())).toMatchObject({
    HOST: host,
    PORT: String(port),
    SALLYPORT_RATE: String(rate),
    SALLYPORT_MAX_CHILDREN: String(children.max),
    SALLYPORT_CHILD_IDLE: String(children.idle),
    SALLYPORT_PROXIES: String(proxies),
    SALLYPORT_CONNECTIONS: String(connections),
    SALLYPORT_MEMORY: String(memory),
    SALLYPORT_TURN_LIMIT: String(turnLimit),
    SALLYPORT_LOG_LEVEL: logLevel,
    SALLYPORT_AUDIT: isAudited ? 'on' : 'off',
    SALLYPORT_JWT_WORKSPACE_CLAIM: tokens?.workspaceClaim,
    SALLYPORT_JWT_SCOPES_CLAIM: tokens?.scopesClaim,
    SALLYPORT_OIDC_SCOPE: login?.scope,
    SALLYPORT_OIDC_GROUPS_CLAIM: login?.groupsClaim,
  });
});

test('settings that the operations page calls required are required', () => {
  const needed = [...documented()].filter(([, value]) => value === 'required').map(([name]) => name);
  expect(needed.toSorted()).toEqual(Object.keys(NEEDED).toSorted());
  for (const name of needed) expect(() => readConfig({ ...NEEDED, [name]: '' })).toThrow(ConfigError);
  expect(() => readConfig({ ...NEEDED, ...TOKENS, SALLYPORT_JWT_JWKS_URL: '' })).toThrow(ConfigError);
});

test('a key ring yields its first key and all keys', () => {
  const other = '1'.repeat(64);
  const ring = readConfig({ ...NEEDED, SALLYPORT_KEY: `${other}, ${KEY}` });
  expect(ring.keyFor('a')).toEqual(readConfig({ ...NEEDED, SALLYPORT_KEY: other }).keyFor('a'));
  expect(ring.keysFor('a')).toEqual([ring.keyFor('a'), readConfig(NEEDED).keyFor('a')]);
  expect(ring.keyFor('a')).not.toEqual(ring.keyFor('b'));
  for (const wrong of [',', `${KEY},short`, 'x'.repeat(64)])
    expect(() => readConfig({ ...NEEDED, SALLYPORT_KEY: wrong })).toThrow('openssl rand -hex 32');
  expect(() => readConfig({ ...NEEDED, SALLYPORT_LOG_LEVEL: 'loud' })).toThrow('one of debug');
});

test.each([
  { DATABASE_URL: 'mysql://x:hunter2@y/z' },
  { DATABASE_URL: 'hunter2' },
  { REDIS_URL: 'http://hunter2@x' },
  { SALLYPORT_SECRETS_KEY: `${KEY},hunter2` },
  { SALLYPORT_OPEN: '10.0.0.0/99' },
  { SALLYPORT_OPEN: 'acme=10.0.0.0/99' },
  { SALLYPORT_OPEN: 'acme=' },
  { SALLYPORT_OPEN: 'ACME=http://host:8080' },
  { SALLYPORT_OPEN: 'http://' },
  { SALLYPORT_OPEN: 'http://host/path' },
  { SALLYPORT_PUBLIC_URL: 'gateway.example' },
  { ...TOKENS, SALLYPORT_JWT_JWKS_URL: 'id.example' },
  { SALLYPORT_COMMANDS: '{"a":{"command":7}}' },
  { SALLYPORT_AUDIT_FEED: 'http://siem.example/hunter2' },
  { SALLYPORT_AUDIT_FEED: 'https://127.0.0.1/hunter2' },
  { SALLYPORT_AUDIT_FEED_AUTHORIZATION: 'Bearer hunter2\nx: y' },
  { SALLYPORT_COMMANDS: '{"a":{"command":"npx"}}' },
  { SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":[]}}' },
  { SALLYPORT_OIDC_GROUPS: '{"a":{"workspace":"acme","scopes":["hunter2"]}}' },
  { SALLYPORT_OIDC_GROUPS: '{"a":{"workspace":"acme","scopes":[]}}' },
  { SALLYPORT_OIDC_GROUPS: '{"a":{"workspace":"acme","scopes":["mcp"],"scope":"hunter2"}}' },
  { SALLYPORT_OIDC_GROUPS: '[]' },
  { SALLYPORT_OIDC_GROUPS: 'hunter2' },
  { SALLYPORT_OIDC_CLIENT_ID: 'gateway', SALLYPORT_OIDC_ISSUER: 'http://hunter2.example' },
  { ...LOGIN, SALLYPORT_OIDC_CLIENT_ID: '' },
  {
    SALLYPORT_OIDC_ISSUER: 'https://id.example',
    SALLYPORT_PUBLIC_URL: 'https://g.example',
    SALLYPORT_OIDC_CLIENT_ID: 'https://g.example',
  },
  { ...LOGIN, SALLYPORT_PUBLIC_URL: 'http://gateway.example' },
  { ...TOKENS, SALLYPORT_OIDC_CLIENT_ID: 'gateway', SALLYPORT_OIDC_ISSUER: 'https://hunter2.example' },
  { ...LOGIN, SALLYPORT_OIDC_CLIENT_SECRET_FILE: '/nowhere/hunter2' },
  { ...LOGIN, SALLYPORT_OIDC_CLIENT_SECRET_FILE: '/dev/null', SALLYPORT_OIDC_CLIENT_SECRET: 'hunter2' },
  { SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":["acme"],"stateless":"yes"}}' },
  { SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":["acme"]}}' },
  { SALLYPORT_LAUNCHER: '/run/x.sock', SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":["acme"]}}' },
  ...['["*"]', '["acme","globex"]'].map((workspaces) => ({
    SALLYPORT_CHILDREN: 'trusted',
    SALLYPORT_COMMANDS: `{"a":{"command":"npx","workspaces":${workspaces}}}`,
  })),
  {
    SALLYPORT_CHILDREN: 'trusted',
    SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":["acme"]},"b":{"command":"npx","workspaces":["globex"]}}',
  },
  {
    SALLYPORT_CHILDREN: 'trusted',
    SALLYPORT_COMMANDS: '{"a":{"command":"npx","workspaces":["acme"],"user":1001}}',
  },
  { SALLYPORT_CHILDREN: 'yes' },
  { SALLYPORT_LAUNCHER: 'acme=/run/hunter2.sock,/run/b.sock' },
  { PORT: '70000' },
  { SALLYPORT_PROXIES: '-1' },
])('an invalid setting is refused by name, without its value: %j', (environment) => {
  const name = Object.keys(environment).at(-1);
  const read = (): unknown => readConfig({ ...NEEDED, ...environment });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name} `));
  expect(read).not.toThrow('hunter2');
});

/** The names of the settings that an error is about, in its order. */
function wrongIn(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => problem.split(' ')[0] ?? '');
    throw error;
  }
  return [];
}

test.each([
  { title: 'without any setting', payload: {}, expected: ['DATABASE_URL', 'SALLYPORT_KEY', 'SALLYPORT_SECRETS_KEY'] },
  {
    title: 'of every group',
    payload: {
      ...{ DATABASE_URL: 'x', DATABASE_OWNER_URL: 'x', SALLYPORT_KEY: 'x', PORT: 'x', SALLYPORT_OPEN: 'x' },
      ...{ REDIS_URL: 'x', SALLYPORT_SECRETS_KEY: 'x', SALLYPORT_AUDIT_FEED_AUTHORIZATION: '\n' },
      ...{ SALLYPORT_CHILDREN: 'x', SALLYPORT_COMMANDS: 'x', SALLYPORT_CHILD_IDLE: 'x' },
      ...{ SALLYPORT_JWT_ISSUER: 'x', SALLYPORT_OIDC_GROUPS: 'x', SALLYPORT_RATE: 'x', SALLYPORT_LOG_LEVEL: 'x' },
    },
    expected: [
      ...['DATABASE_URL', 'DATABASE_OWNER_URL', 'SALLYPORT_KEY', 'PORT', 'SALLYPORT_OPEN', 'REDIS_URL'],
      ...['SALLYPORT_SECRETS_KEY', 'SALLYPORT_AUDIT_FEED_AUTHORIZATION', 'SALLYPORT_CHILDREN', 'SALLYPORT_COMMANDS'],
      ...['SALLYPORT_CHILD_IDLE', 'SALLYPORT_JWT_JWKS_URL', 'SALLYPORT_OIDC_GROUPS', 'SALLYPORT_RATE'],
      'SALLYPORT_LOG_LEVEL',
    ],
  },
  {
    title: 'once, if others depend on it',
    payload: { ...NEEDED, ...LOGIN, PORT: 'x', SALLYPORT_OPEN: 'x', SALLYPORT_AUDIT_FEED: 'http://siem.internal' },
    expected: ['PORT', 'SALLYPORT_OPEN'],
  },
])('one error names all wrong settings $title', ({ payload, expected }) => {
  expect(wrongIn(payload)).toEqual(expected);
});

test('a child process gets PATH and HOME, and otherwise only what is configured', () => {
  const SALLYPORT_COMMANDS = '{"files":{"command":"npx","workspaces":["acme"],"env":{"TOKEN":"t","HOME":"/srv"}}}';
  const environment = { PATH: '/bin', HOME: '/root', OTHER: 'x', SALLYPORT_CHILDREN: 'trusted', SALLYPORT_COMMANDS };
  const { children } = readConfig({ ...NEEDED, ...environment });
  expect(children.commands.files?.env).toEqual({ PATH: '/bin', HOME: '/srv', TOKEN: 't' });
});

test('addresses are opened for all workspaces, or for one', () => {
  const { open, openFor } = readConfig({
    ...NEEDED,
    SALLYPORT_OPEN: 'http://a.internal:8080, acme=http://mail.internal:8080,acme=10.1.0.0/16, b=10.2.0.0/16',
  });
  expect(open).toEqual(['http://a.internal:8080']);
  expect(openFor).toEqual({ acme: ['http://mail.internal:8080', '10.1.0.0/16'], b: ['10.2.0.0/16'] });
});
