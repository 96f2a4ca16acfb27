import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatewayCommand } from '../src/gateway/gateway.ts';
import { withGateway } from '../src/peer.ts';
import { Place, type Ran, runCommand, type Said, until, type Wrapped } from './fixtures/rig.ts';
import { KEY, storeIfAny } from './fixtures/store.ts';

const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SALLYPORT_KEY: KEY };

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

function run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  return runCommand(gatewayCommand, place, words, { env });
}

function runMain(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return place.run(words, { env });
}

describe('before anything is there', () => {
  test.each([
    [['gateway']],
    [['gateway', 'workspace']],
    [['gateway', 'key']],
    [['gateway', 'forget']],
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
    [{}, 'DATABASE_URL is not set', 'set it to a PostgreSQL database'],
    [{ DATABASE_URL: 'postgres://x/y' }, 'SALLYPORT_KEY is not set', 'openssl rand -hex 32'],
    [{ ...NOWHERE, SALLYPORT_KEY: 'abc' }, 'SALLYPORT_KEY must be at least 64', 'openssl rand -hex 32'],
    [NOWHERE, 'SALLYPORT_SECRETS_KEY is not set', 'openssl rand -hex 32'],
    [{ ...NOWHERE, SALLYPORT_SECRETS_KEY: KEY, PORT: '0' }, 'PORT must be a whole number', 'see --help'],
  ])('settings %# that it cannot start with', async (env, message, next) => {
    const said = await run([], env);
    expect(said.code).toBe(2);
    expect(said.error).toContain(`error: ${message}`);
    expect(said.error).toContain(next);
  });

  test('a database that does not answer', async () => {
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

  test('where the package is not installed, it says how to install it', async () => {
    const missing = (name: string) => async (): Promise<never> => {
      const message = `Cannot find package '${name}' imported from somewhere`;
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    const work = async (): Promise<void> => undefined;
    await expect(withGateway(work, missing('@sallyport/gateway'))).rejects.toMatchObject({
      name: 'CommandError',
      next: expect.stringContaining('npm install @sallyport/gateway (with -g if that is global'),
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
    SALLYPORT_KEY: KEY,
    SALLYPORT_SECRETS_KEY: randomBytes(32).toString('hex'),
    PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
  };
  const origin = `http://127.0.0.1:${environment.PORT}`;

  async function serve(words: readonly string[] = []): Promise<Wrapped> {
    const served = place.start(['gateway', ...words], { env: environment });
    await until(() => served.error.includes('Listening at') || served.child.exitCode !== null);
    expect(served.error).toContain(`Listening at ${origin}\n`);
    return served;
  }

  async function statusWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    return (await fetch(`${origin}/mcp/none`, { method: 'POST', headers, body })).status;
  }

  test('makes the tables, serves, takes keys that the operator makes, drains and exits with 0', async () => {
    const served = await serve();
    expect(served.error).toContain('Applied: 0001_');
    expect((await fetch(`${origin}/ready`)).status).toBe(200);

    const made = await run(['workspace', 'acme'], environment);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sp_\w{8}_[\w-]{43}\n$/) });
    expect(made.error).not.toContain(made.out.trim());
    expect(await statusWith(made.out.trim())).toBe(403);

    const words = ['key', 'acme', '--principal', 'ada', '--scopes', 'mcp,approve', '--expires', '30d'];
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

  test('an address that is taken, and a database that has its form already', async () => {
    const served = await serve();
    const { code, error } = await runMain(['gateway', '--no-migrate'], environment);
    expect(error).toContain('EADDRINUSE');
    expect(error).not.toContain('newest form');
    expect(code).toBe(1);
    expect(served.error).not.toContain('Applied');
    served.child.kill('SIGINT');
    expect(await served.ended).toBe(0);
  });

  test('tables of a later version are refused, with --no-migrate too', async () => {
    await store?.attacker.unsafe("insert into migrations (name, checksum) values ('0099_later.sql', 'x')");
    for (const words of [[], ['--no-migrate']]) {
      const { code, error } = await runMain(['gateway', ...words], environment);
      expect(error).toContain('later version (0099_later.sql)');
      expect(code).toBe(1);
    }
    await store?.attacker.unsafe("delete from migrations where name = '0099_later.sql'");
  });

  test('a key that the database does not know, and forgetting that nobody confirms', async () => {
    await run(['workspace', 'known'], environment);
    const other = { ...environment, SALLYPORT_KEY: randomBytes(32).toString('hex') };
    const said = await run(['workspace', 'other'], other);
    expect(said).toMatchObject({ code: 2, out: '', error: expect.stringContaining('set that key') });
    const served = await runMain(['gateway'], other);
    expect(served).toMatchObject({ code: 2, error: expect.stringContaining('SALLYPORT_KEY is not the key') });
    const words = ['forget', '--before', '2020-01-01'];
    expect(await run(words, environment)).toMatchObject({ code: 1, error: expect.stringContaining('--yes') });
    const forgotten = await run([...words, '--yes'], environment);
    expect(forgotten).toMatchObject({ code: 0, out: 'Removed: 0 entries of conversations, 0 approvals.\n' });
  });

  test('names that are taken or not there, scopes that do not exist', async () => {
    await run(['workspace', 'twice'], environment);
    const again = await run(['workspace', 'twice'], environment);
    expect(again).toMatchObject({ code: 1, out: '', error: expect.stringContaining('choose another name') });
    expect((await run(['workspace', 'No Name'], environment)).code).toBe(2);
    const nobody = await run(['key', 'nowhere', '--principal', 'ada', '--scopes', 'mcp'], environment);
    expect(nobody).toMatchObject({ code: 2, error: expect.stringContaining('no workspace named') });
    const scopes = await run(['key', 'twice', '--principal', 'ada', '--scopes', 'mcp,root'], environment);
    expect(scopes).toMatchObject({
      code: 2,
      out: '',
      error: expect.stringContaining('`scopes` must be one or more of'),
    });
  });
});
