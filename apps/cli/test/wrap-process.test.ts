import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wrapCommand } from '../src/wrap/wrap.ts';
import { runCommand, SERVER, TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const NODE = process.execPath;

describe('words after the command go to the server', () => {
  const cases: readonly (readonly [title: string, before: readonly string[], after: readonly string[]])[] = [
    ['without --', [], ['--mode', 'zzz', '--help', '-h', '--', '--schema', 'a b', '']],
    ['with --', ['--server', 'x', '--'], ['--', '--help', '--quiet', '--server']],
  ];
  test.each(cases)('%s', async (_, before, after) => {
    const words = ['--log', testFolder.path('log'), '--print-arguments', ...after];
    const { code, out } = await testFolder.run(['wrap', ...before, NODE, SERVER, ...words]);
    expect(testFolder.log()).toEqual([JSON.stringify(words)]);
    expect(out).toBe('');
    // The exit code of the server.
    expect(code).toBe(7);
  });

  test('a second -- of a launcher is removed', async () => {
    const { code } = await testFolder.run(['wrap', '--', '--', NODE, SERVER, '--print-arguments']);
    expect(code).toBe(7);
  });
});

describe('a server that cannot be started', () => {
  test('because it does not exist exits with 127', async () => {
    expect(await testFolder.run(['wrap', '/no/such/server'])).toEqual({
      code: 127,
      out: '',
      error:
        'error: the server cannot be started: spawn /no/such/server ENOENT\n next: check that /no/such/server is installed and that you may run it.\n',
    });
  });

  test('because a part of its path is a file exits with 127: Node.js throws this error instead of emitting it', async () => {
    testFolder.write('file', '');
    const said = await runCommand(wrapCommand, testFolder, [testFolder.path('file/server\u001b[2J')]);
    expect(said.code).toBe(127);
    expect(said.error).toBe(
      `error: the server cannot be started: spawn ENOTDIR\n next: check that ${testFolder.path('file/server\\u001b[2J')} is installed and that you may run it.\n`,
    );
  });
});

describe('wrong usage', () => {
  const cases: readonly (readonly [words: readonly string[], error: RegExp])[] = [
    [[], /^error: the server's command is missing\.\n next: add it, for example: sallyport wrap /],
    [['--ask-timeout', '0', 'x'], /Expected seconds: a number greater than 0, at most 3600/],
    [['--ask-timeout', 'soon', 'x'], /Expected seconds/],
    [['--limit', '0', 'x'], /Expected kilobytes: a number from 1 to 100000/],
    [['--preset', 'nope', 'x'], /Allowed choices are/],
    [['--mode', 'nope', 'x'], /Allowed choices are frame, annotate/],
  ];
  test.each(cases)('%j', async (words, error) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const said = await runCommand(wrapCommand, testFolder, words);
    const whole = said.error + write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    expect(whole).toMatch(error);
    expect(said.code).toBe(2);
  });

  test('an invalid key is refused, not replaced by a random one', async () => {
    const make: typeof wrapCommand = (io) =>
      wrapCommand({ ...io, environment: { ...io.environment, SALLYPORT_KEY: 'short' } });
    const { code, error } = await runCommand(make, testFolder, [NODE, SERVER]);
    expect(error).toMatch(
      /^error: SALLYPORT_KEY must be 64 or more hexadecimal digits; received 5 characters\.\n next: /,
    );
    expect(code).toBe(2);
  });

  test('exits with 2, even in subcommands', async () => {
    const [wrapped, pins] = await Promise.all([testFolder.run(['wrap']), testFolder.run(['pins', 'show'])]);
    expect(wrapped).toEqual({
      code: 2,
      out: '',
      error:
        "error: the server's command is missing.\n next: add it, for example: sallyport wrap npx -y some-mcp-server\n",
    });
    expect(pins.code).toBe(2);
  });
});

test('a settings file in the working folder is not read', async () => {
  mkdirSync(testFolder.path('work'));
  // The file would be refused if it were read.
  writeFileSync(testFolder.path('work/sallyport.yaml'), 'nonsense: true\n');
  const words = ['wrap', NODE, SERVER, '--print-arguments'];
  expect((await testFolder.run(words, { cwd: testFolder.path('work') })).code).toBe(7);
});
