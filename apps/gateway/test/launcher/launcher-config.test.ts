import { expect, test } from 'vitest';
import { readLauncherConfig } from '../../src/launcher/launcher-config.ts';
import { ConfigError } from '../../src/operate/config-error.ts';
import { SECRETS } from '../../src/operate/environment.ts';

const USER = 1000;
const command = (workspace: string, more = {}): unknown => ({ command: 'npx', workspaces: [workspace], ...more });
const NEEDED = {
  SALLYPORT_LAUNCHER: '/run/sallyport/launcher.sock',
  SALLYPORT_COMMANDS: JSON.stringify({ files: command('acme') }),
};

test('a launcher needs a socket and commands', () => {
  const { commands, socket, maxChildren } = readLauncherConfig(NEEDED, USER);
  expect([Object.keys(commands), socket, maxChildren]).toEqual([['files'], '/run/sallyport/launcher.sock', 100]);
  for (const name of Object.keys(NEEDED))
    expect(() => readLauncherConfig({ ...NEEDED, [name]: '' }, USER)).toThrow(new RegExp(`^${name} is not set: `));
});

test.each(SECRETS.flatMap((name) => [name, `${name}_FILE`]))('a launcher refuses to know %s', (name) => {
  const read = (): unknown => readLauncherConfig({ ...NEEDED, [name]: 'hunter2' }, USER);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`${name} is set: remove it`);
  expect(read).not.toThrow('hunter2');
});

test('one error names all wrong settings of a launcher', () => {
  const read = (): unknown => readLauncherConfig({ REDIS_URL: 'x', SALLYPORT_MAX_CHILDREN: 'x' }, USER);
  expect(read).toThrow(
    /^REDIS_URL is set.*\nSALLYPORT_LAUNCHER is not.*\nSALLYPORT_COMMANDS is not.*\nSALLYPORT_MAX_CHILDREN must.*$/,
  );
});

test('commands of different workspaces never run as one user', () => {
  const read = (commands: Record<string, unknown>, user: number) => () =>
    readLauncherConfig({ ...NEEDED, SALLYPORT_COMMANDS: JSON.stringify(commands) }, user);
  expect(read({ a: command('acme'), b: command('globex') }, USER)).toThrow("could read each other's secrets");
  expect(read({ a: command('acme'), b: command('*') }, USER)).toThrow("could read each other's secrets");
  expect(read({ a: command('acme'), b: command('acme') }, USER)).not.toThrow();
  const [one, other] = [{ user: 1001 }, { user: 1002 }];
  expect(read({ a: command('acme', one), b: command('globex', one) }, 0)).toThrow("could read each other's secrets");
  expect(read({ a: command('acme', one), b: command('globex', other) }, 0)).not.toThrow();
  expect(read({ a: command('acme') }, 0)).toThrow('would run as root');
  expect(read({ a: command('acme', { user: 0 }) }, 0)).toThrow('would run as root');
  expect(read({ a: command('acme', one) }, USER)).toThrow('only root can switch to');
});
