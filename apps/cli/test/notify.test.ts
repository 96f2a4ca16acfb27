import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notifier } from '../src/notify.ts';
import { HOSTILE, SERVER, TestFolder, UNSAFE, until, type Wrapped } from './fixtures/rig.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

/** A program that writes its arguments into a file, one for each line, and the variables of a desktop that are set. */
function install(name: string): NodeJS.ProcessEnv {
  const shown = folder.path('shown');
  const script = `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each" >> "${shown}.new"; done\necho "DISPLAY=$DISPLAY SECRET=$SECRET" >> "${shown}.new"\nmv "${shown}.new" "${shown}"\n`;
  chmodSync(folder.write(`bin/${name}`, script), 0o755);
  return { PATH: `${folder.path('bin')}:${process.env.PATH}`, DISPLAY: ':9' };
}

const shown = (): string[] => readFileSync(folder.path('shown'), 'utf8').split('\n').slice(0, -1);
const isShown = (): boolean => existsSync(folder.path('shown'));

describe('a notification', () => {
  test('passes its text as one argument, without control characters, markup and a shell', async () => {
    const notify = notifier({ platform: 'linux', environment: install('notify-send') });
    notify(`-x $(touch a) <b>${HOSTILE}</b> & ${'long '.repeat(200)}`);
    await until(isShown);
    const [app, dashes, title, text = '', ...rest] = shown();
    expect([app, dashes, title, rest]).toEqual(['--app-name=Sallyport', '--', 'Sallyport', ['DISPLAY=:9 SECRET=']]);
    expect(text).toContain('-x $(touch a) &lt;b&gt;a\\u001b[2J');
    expect(text).not.toMatch(UNSAFE);
    expect(text.length).toBeLessThan(400);
  });

  test('is a script with arguments on macOS', async () => {
    const notify = notifier({ platform: 'darwin', environment: { ...install('osascript'), DISPLAY: undefined } });
    notify('say "hi"');
    await until(isShown);
    expect(shown().slice(-3, -1)).toEqual(['Sallyport', 'say "hi"']);
    expect(shown().slice(0, 4)).toEqual(['-e', 'on run argv', '-e', expect.not.stringContaining('hi')]);
  });

  test('is shown once in ten seconds', async () => {
    let now = 0;
    const notify = notifier({ platform: 'linux', environment: install('notify-send') }, () => now);
    const texts: string[] = [];
    for (const at of [0, 9_999, 10_000]) {
      now = at;
      notify(`at ${at}`);
      if (at !== 9_999) {
        await until(() => isShown() && shown().includes(`at ${at}`));
        texts.push(...shown().filter((line) => line.startsWith('at ')));
      }
    }
    expect(texts).toEqual(['at 0', 'at 10000']);
  });

  test.each([
    { title: 'without a desktop', platform: 'linux', environment: { PATH: '/usr/bin' } },
    { title: 'on another system', platform: 'win32', environment: { DISPLAY: ':9' } },
    { title: 'without the program', platform: 'linux', environment: { PATH: '/nowhere', DISPLAY: ':9' } },
    {
      title: 'with a variable that no process can have',
      platform: 'linux',
      environment: { PATH: 'a\0b', DISPLAY: ':9' },
    },
  ])('does nothing $title', async ({ platform, environment }) => {
    notifier({ platform, environment })('x');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isShown()).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('a held call', () => {
  async function hold(env: NodeJS.ProcessEnv): Promise<Wrapped> {
    const flags = ['wrap', '--server', 'mail', '--ask-timeout', '0.05'];
    const wrapped = folder.start([...flags, process.execPath, SERVER], { env: { ...env, SECRET: 'x' } });
    await wrapped.greet();
    await wrapped.list();
    expect((await wrapped.call('delete_all', { to: 'ada@fabrikam.example' })).result?.isError).toBe(true);
    await wrapped.said(/a call to (\w+) is held/);
    return wrapped;
  }

  test.each(['off', 'on'])('is shown, with the local process %s', async (daemon) => {
    await hold({ ...install('notify-send'), SALLYPORT_DAEMON: daemon });
    await until(isShown);
    expect(shown()[3]).toMatch(/^mail: a call to delete_all is held\. .* Answer with: sallyport approve [0-9a-f]{12}/);
    // The variables of a server are not passed on.
    expect(shown()[4]).toBe('DISPLAY=:9 SECRET=');
  });

  test('is shown for a definition that has changed', async () => {
    const tools = (description: string): string =>
      folder.write('tools.json', JSON.stringify({ tools: [{ name: 'read', description, inputSchema: {} }] }));
    const words = ['wrap', '--server', 'mail', process.execPath, SERVER, '--tools', tools('Reads a mail')];
    const wrapped = folder.start(words, { env: { ...install('notify-send') } });
    await wrapped.greet();
    await wrapped.list();
    expect(isShown()).toBe(false);
    tools('Reads a mail, and your keys');
    await wrapped.list();
    await until(isShown);
    expect(shown()[3]).toBe('mail: held until you accept: read. See the changes with: sallyport pins show mail');
  });

  test('is not shown with notify: false', async () => {
    folder.write('config/sallyport/sallyport.yaml', 'defaults: { notify: false }\n');
    await hold(install('notify-send'));
    expect(isShown()).toBe(false);
  });
});
