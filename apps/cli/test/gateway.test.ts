import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatewayCommand } from '../src/gateway/gateway.ts';
import { withGateway } from '../src/peer.ts';
import { type Ran, runCommand, type Said, TestFolder, until, type Wrapped } from './fixtures/rig.ts';
import { KEY, storeIfAny } from './fixtures/store.ts';

// Without the anchors of the user who runs the tests.
const NOWHERE = { SALLYPORT_ANCHORS: 'off', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SALLYPORT_KEY: KEY };

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

function run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  return runCommand(gatewayCommand, testFolder, words, { env });
}

function runMain(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return testFolder.run(words, { env });
}

describe('without a database', () => {
  test.each([
    [['gateway']],
    [['gateway', 'workspace']],
    [['gateway', 'key']],
    [['gateway', 'forget']],
    [['gateway', 'launcher']],
    [['gateway', 'policy']],
    [['gateway', 'apply']],
    [['audit']],
    [['audit', 'verify']],
    [['audit', 'export']],
    [['audit', 'remove']],
  ])('%j has help with an example', async (words) => {
    const { code, out } = await runMain([...words, '--help'], {});
    expect(code).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}\S*(?:key=\$\()?sallyport/);
  });

  test.each([
    [{}, ['DATABASE_URL', 'SALLYPORT_KEY', 'SALLYPORT_SECRETS_KEY']],
    [{ DATABASE_URL: 'postgres://x/y', SALLYPORT_SECRETS_KEY: KEY }, ['SALLYPORT_KEY']],
    [{ ...NOWHERE, SALLYPORT_KEY: 'abc' }, ['SALLYPORT_KEY', 'SALLYPORT_SECRETS_KEY']],
    [NOWHERE, ['SALLYPORT_SECRETS_KEY']],
    [{ ...NOWHERE, SALLYPORT_SECRETS_KEY: KEY, PORT: '0' }, ['PORT']],
  ])('settings %# are all refused at once, each with its name and a next step', async (env, variables) => {
    const said = await run([], env);
    expect(said.code).toBe(2);
    const lines = variables.map((name) => `error: .*\\b${name}\\b.*\\n next: .+\\n`);
    expect(said.error).toMatch(new RegExp(`^${lines.join('')}$`));
  });

  test('an unreachable database is reported with exit code 3, without the key', async () => {
    for (const words of [
      [],
      ['workspace', 'acme'],
      ['key', 'acme', '--principal', 'ada', '--scopes', 'mcp'],
      ['forget', '--before', '2020-01-01', '--yes'],
    ]) {
      const said = await run(words, { ...NOWHERE, SALLYPORT_SECRETS_KEY: KEY });
      expect(said).toMatchObject({ code: 3, out: '' });
      expect(said.error).toContain('ECONNREFUSED');
      expect(said.error).not.toContain(KEY);
    }
  });

  test.each([
    [['key', 'acme', '--principal', 'ada']],
    [['key', 'acme', '--principal', 'ada', '--scopes', 'mcp', '--expires', 'soon']],
    [['forget', '--before', 'yesterday']],
    [['forget', '--before', '2999-01-01']],
    [['workspace']],
    [['worksapce', 'acme']],
  ])('wrong usage: %j', async (words) => {
    expect((await runMain(['gateway', ...words], NOWHERE)).code).toBe(2);
  });

  test('a missing gateway package is reported with the command that installs it', async () => {
    const missing = (name: string) => async (): Promise<never> => {
      const message = `Cannot find package '${name}' imported from somewhere`;
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    const work = async (): Promise<void> => undefined;
    await expect(withGateway(work, missing('@sallyport/gateway'))).rejects.toMatchObject({
      name: 'CommandError',
      next: expect.stringContaining('npm install @sallyport/gateway (add -g if the CLI is installed globally'),
      exitCode: 2,
    });
    await expect(withGateway(work, missing('postgres'))).rejects.toThrow("Cannot find package 'postgres'");
  });
});

const store = await storeIfAny();
afterAll(() => store?.drop());

describe.skipIf(store === undefined)('with a database', () => {
  const environment = {
    DATABASE_URL: store?.url,
    DATABASE_OWNER_URL: store?.ownerUrl,
    SALLYPORT_ANCHORS: 'off',
    SALLYPORT_KEY: KEY,
    SALLYPORT_SECRETS_KEY: randomBytes(32).toString('hex'),
    PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
  };
  const origin = `http://127.0.0.1:${environment.PORT}`;

  async function serve(): Promise<Wrapped> {
    const served = testFolder.start(['gateway'], { env: environment });
    await until(() => served.error.includes('Listening on') || served.child.exitCode !== null);
    expect(served.error).toContain(`Listening on ${origin}\n`);
    return served;
  }

  async function statusWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    return (await fetch(`${origin}/mcp/none`, { method: 'POST', headers, body })).status;
  }

  test('refuses to serve before the migration, and migrates once', async () => {
    const early = await runMain(['gateway'], environment);
    expect(early).toMatchObject({ code: 3, error: expect.stringContaining('run sallyport gateway migrate') });
    const alone = { DATABASE_OWNER_URL: store?.ownerUrl };
    expect(await run(['migrate'], alone)).toMatchObject({ code: 0, error: expect.stringContaining('Applied: 0001_') });
    expect(await run(['migrate'], alone)).toMatchObject({ code: 0, error: 'Nothing to migrate.\n' });
    const unset = await run(['migrate'], {});
    expect(unset).toMatchObject({ code: 2, error: expect.stringContaining('DATABASE_OWNER_URL') });
  });

  test('does not serve as the role that owns the tables', async () => {
    const { code, error } = await runMain(['gateway'], { ...environment, DATABASE_URL: store?.ownerUrl });
    expect(error).toContain('owns the tables');
    expect(code).toBe(2);
  });

  test('serves, accepts keys that the operator creates, drains and exits with 0', async () => {
    const served = await serve();
    expect((await fetch(`${origin}/ready`)).status).toBe(200);

    const made = await run(['workspace', 'acme'], environment);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sp_\w{8}_[\w-]{43}\n$/) });
    expect(made.error).not.toContain(made.out.trim());
    expect(await statusWith(made.out.trim())).toBe(403);

    const words = ['key', 'acme', '--principal', 'ada', '--scopes', 'mcp,approve:own', '--expires', '30d'];
    const key = (await run(words, environment)).out.trim();
    expect(await statusWith(key)).toBe(404);
    expect(await statusWith(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBe(401);

    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(served.lines.length).toBeGreaterThan(3);
    for (const line of served.lines) expect(JSON.parse(line)).toHaveProperty('level');
    const all = `${served.lines.join('\n')}${served.error}`;
    for (const secret of [key, made.out.trim(), KEY, environment.SALLYPORT_SECRETS_KEY])
      expect(all).not.toContain(secret);
  });

  test('an address in use is refused', async () => {
    const served = await serve();
    const { code, error } = await runMain(['gateway'], environment);
    expect(error).toContain('EADDRINUSE');
    expect(code).toBe(1);
    served.child.kill('SIGINT');
    expect(await served.ended).toBe(0);
  });

  test('tables of a later version are refused', async () => {
    await store?.attacker.unsafe("insert into migrations (name, checksum) values ('0099_later.sql', 'x')");
    for (const words of [[], ['migrate']]) {
      const { code, error } = await runMain(['gateway', ...words], environment);
      expect(error).toContain('0099_later.sql');
      expect(code).toBe(1);
    }
    await store?.attacker.unsafe("delete from migrations where name = '0099_later.sql'");
  });

  test('a key of another database is refused, and forget needs a confirmation', async () => {
    await run(['workspace', 'known'], environment);
    const other = { ...environment, SALLYPORT_KEY: randomBytes(32).toString('hex') };
    const said = await run(['workspace', 'other'], other);
    expect(said).toMatchObject({ code: 2, out: '', error: expect.stringContaining('SALLYPORT_KEY') });
    const served = await runMain(['gateway'], other);
    expect(served).toMatchObject({ code: 2, error: expect.stringContaining('SALLYPORT_KEY') });
    const words = ['forget', '--before', '2020-01-01'];
    expect(await run(words, environment)).toMatchObject({ code: 1, error: expect.stringContaining('--yes') });
    const forgotten = await run([...words, '--yes'], environment);
    expect(forgotten).toMatchObject({ code: 0, out: 'Removed: 0 conversation entries, 0 approvals.\n' });
  });

  test('names in use, unknown workspaces and unknown scopes are refused', async () => {
    await run(['workspace', 'twice'], environment);
    const again = await run(['workspace', 'twice'], environment);
    expect(again).toMatchObject({ code: 1, out: '', error: expect.stringContaining('error: ') });
    expect((await run(['workspace', 'No Name'], environment)).code).toBe(2);
    const unknown = await run(['key', 'nowhere', '--principal', 'ada', '--scopes', 'mcp'], environment);
    expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('workspace') });
    const scopes = await run(['key', 'twice', '--principal', 'ada', '--scopes', 'mcp,root'], environment);
    expect(scopes).toMatchObject({ code: 2, out: '', error: expect.stringContaining('scopes') });
  });
});
