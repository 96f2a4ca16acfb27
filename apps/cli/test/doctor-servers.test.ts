import { existsSync, readdirSync } from 'node:fs';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFront } from '../conformance/http/oauth.ts';
import { reportHooks, reportServers } from '../src/doctor/servers-report.ts';
import { claudeCode } from '../src/hook/hosts/claude-code.ts';
import { PinFiles } from '../src/pins/pin-files.ts';
import { answering, serve, startFixture } from './fixtures/remote-rig.ts';
import { HOSTILE, linesOf, runCommand, SALLYPORT, SERVER, TestFolder, UNSAFE } from './fixtures/rig.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

const [NODE = '', MAIN = ''] = SALLYPORT;
const wrapped = (name: string, ...command: readonly string[]) => ({
  command: NODE,
  args: [MAIN, 'wrap', '--server', name, ...command],
});

async function report(
  startsProject = false,
  timeout = 30_000,
): Promise<{ lines: string[]; isFine: boolean; error: string }> {
  let isFine = true;
  const make = (io: Parameters<typeof reportServers>[0]) =>
    new Command().action(async () => {
      isFine = await reportServers({ ...io, cwd: folder.path('project') }, startsProject, timeout);
    });
  const { out, error } = await runCommand(make, folder, []);
  return { lines: linesOf(out), isFine, error };
}

function cursor(servers: Readonly<Record<string, unknown>>): void {
  folder.write('.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));
}

test('nothing is said without a server', async () => {
  expect(await report()).toEqual({ lines: [''], isFine: true, error: '' });
});

describe('a server of a client', () => {
  test.each([
    {
      title: 'that is wrapped and starts',
      server: wrapped('mail', NODE, SERVER),
      line: /^ {4}mail {2}wrapped, starts: 10 tools in \d+\.\d s$/,
      isFine: true,
    },
    {
      title: 'whose command does not exist',
      server: wrapped('mail', '/no/such/server'),
      line: /^ {4}mail {2}wrapped, but does not start: it ended before it answered; it printed:/,
      isFine: false,
    },
    {
      title: 'that ends at once',
      server: wrapped('mail', NODE, '-e', 'console.error("no token"); process.exit(3)'),
      line: /^ {4}mail {2}wrapped, but does not start: it ended before it answered; it printed:$/,
      isFine: false,
    },
    {
      title: 'whose wrapper does not exist',
      server: { command: '/no/such/sallyport', args: ['wrap', '--server', 'mail', 'x'] },
      line: /^ {4}mail {2}wrapped, but does not start: spawn/,
      isFine: false,
    },
    {
      title: 'that is not wrapped',
      server: { command: NODE, args: [SERVER] },
      line: /^ {4}mail {2}NOT WRAPPED: sallyport init --client cursor$/,
      isFine: true,
    },
    {
      title: 'that is remote',
      server: { url: 'https://mcp.example.com' },
      line: /^ {4}mail {2}NOT WRAPPED: sallyport init --client cursor$/,
      isFine: true,
    },
    {
      title: 'that is remote, and that init leaves',
      server: { url: 'https://mcp.example.com', oauth: { clientId: 'a' } },
      line: /^ {4}mail {2}NOT WRAPPED: its setting oauth has no counterpart; wrap it by hand:$/,
      isFine: true,
    },
    {
      title: 'whose command is a whole command line',
      server: { command: 'npx -y mail' },
      line: /^ {4}mail {2}NOT WRAPPED: its command is a whole command line;/,
      isFine: true,
    },
    {
      title: 'with a variable of the client',
      server: wrapped('mail', NODE, SERVER, '$' + '{input:token}'),
      line: /^ {4}mail {2}wrapped, not started: only the client can fill in \$\{input:token\}; try$/,
      isFine: true,
    },
  ])('$title', async ({ server, line, isFine }) => {
    cursor({ mail: server });
    const said = await report();
    expect(said.lines.slice(0, 3)).toEqual(['', 'Your servers:', '  Cursor']);
    expect(said.lines[3]).toMatch(line);
    expect(said.isFine).toBe(isFine);
  });

  test('gets the variables of its configuration, and does not change the pins of the user', async () => {
    const script = 'if (process.env.TOKEN !== "t") process.exit(1); import(process.argv[1]);';
    cursor({ mail: { ...wrapped('mail', NODE, '-e', script, SERVER), env: { TOKEN: 't' } } });
    expect((await report()).lines[3]).toContain('starts: 10 tools');
    expect(existsSync(folder.state)).toBe(false);
  });

  test('that does not answer is ended after the time limit', async () => {
    cursor({ mail: wrapped('mail', NODE, '-e', 'process.stdin.resume()') });
    const { lines, isFine } = await report(false, 1500);
    expect([lines[3], isFine]).toEqual(['    mail  wrapped, but does not start: no answer within 1.5 s', false]);
  });

  test('that init leaves is not counted as one that can be wrapped', async () => {
    cursor({ mail: { url: 'https://mcp.example.com', oauth: {} } });
    expect((await report()).lines.join('\n')).not.toContain('can be wrapped now');
  });

  test('says what went wrong, and not where its log is', async () => {
    const printed = 'npm error code E404\\nnpm error 404 Not Found\\nnpm error A complete log of this run: x.log\\n';
    cursor({ mail: wrapped('mail', NODE, '-e', `process.stderr.write("${printed}", () => process.exit(1))`) });
    const said = (await report()).lines.join(' ').replace(/\s+/g, ' ');
    expect(said).toContain('it printed: npm error code E404; npm error 404 Not Found');
    expect(said).not.toContain('x.log');
  });

  test('has its whole name in the report, and what is said about it after that', async () => {
    const name = 'a-server-with-a-long-name-that-begins-alike';
    cursor({ a: { command: NODE }, [`${name}-1`]: { command: NODE }, [`${name}-2`]: { command: NODE } });
    expect((await report()).lines.slice(3, 8)).toEqual([
      '    a  NOT WRAPPED: sallyport init --client cursor',
      `    ${name}-1`,
      '      NOT WRAPPED: sallyport init --client cursor',
      `    ${name}-2`,
      '      NOT WRAPPED: sallyport init --client cursor',
    ]);
  });

  test('has a name without control characters in the report', async () => {
    cursor({ [HOSTILE]: { command: NODE, args: [SERVER] } });
    expect((await report()).lines.filter((line) => UNSAFE.test(line))).toEqual([]);
  });
});

describe('a wrapped remote server', () => {
  test('starts as the client would start it, with its headers', async () => {
    const keys: unknown[] = [];
    const remote = await serve(
      answering((_, request) => {
        keys.push(request.headers['x-key']);
        return { tools: [] };
      }),
    );
    cursor({
      mail: {
        ...wrapped('mail', '--entry', 'url::headers', '--header-env', 'X-Key=SALLYPORT_HEADER_1', remote.origin),
        env: { SALLYPORT_HEADER_1: 'abc' },
      },
    });
    const { lines, isFine } = await report();
    await remote.close();
    expect([lines[3], isFine]).toEqual([expect.stringMatching(/^ {4}mail {2}wrapped, starts: 0 tools in/), true]);
    expect(keys).toEqual(['abc']);
  });

  test('that needs a login names the command, and opens no browser', async () => {
    const fixture = await startFixture();
    const front = await startFront();
    const address = front.address(fixture.port);
    cursor({ mail: wrapped('mail', '--entry', 'url', address) });
    const { lines, isFine } = await report();
    await front.close();
    await fixture.close();
    const said = lines.join(' ').replace(/\s+/g, ' ');
    expect(isFine).toBe(false);
    expect(said).toContain(`sallyport login ${address.split('?', 1)[0]}`);
  });

  test('that cannot be reached says so', async () => {
    cursor({ mail: wrapped('mail', '--entry', 'url', 'http://127.0.0.1:9/mcp') });
    const { lines, isFine } = await report();
    expect([lines[3], isFine]).toEqual([expect.stringContaining('The server cannot be'), false]);
  });
});

test('a server in a file of the project is started only on request', async () => {
  folder.write(
    'project/.mcp.json',
    JSON.stringify({ mcpServers: { repo: wrapped('repo', NODE, SERVER, '--log', folder.path('log')) } }),
  );
  expect((await report()).lines[3]).toContain('not started: it is in a file of this project');
  expect(folder.log()).toEqual([]);
  expect((await report(true)).lines[3]).toContain('starts: 10 tools');
  expect(folder.log()[0]).toMatch(/^started/);
});

test('a configuration that cannot be read is named with the line and what is wrong', async () => {
  folder.write('.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": }\n}');
  const { lines, isFine } = await report();
  expect(isFine).toBe(false);
  expect(lines.join(' ')).toMatch(
    /cannot be read, so their servers are not known: {3}~\/\.cursor\/mcp\.json, line 3: \w/,
  );
});

describe('the hooks of coding agents', () => {
  async function hooks(launcher?: string): Promise<{ lines: string[]; areFine: boolean }> {
    let areFine = true;
    const make = (io: Parameters<typeof reportHooks>[0]) =>
      new Command().action(async () => {
        areFine = await reportHooks({ ...io, ...(launcher !== undefined && { launcher }) });
      });
    const { out } = await runCommand(make, folder, []);
    return { lines: linesOf(out), areFine };
  }

  test('are not mentioned where there is no coding agent', async () => {
    expect(await hooks()).toEqual({ lines: [''], areFine: true });
  });

  test('are reported for each agent', async () => {
    folder.write('.gemini/settings.json', '{ "hooks": {} }');
    folder.write('.cursor/hooks.json', '{ "hooks": [');
    let command = 'sallyport hook claude-code';
    const entry = (): object => ({ hooks: [{ type: 'command', command }] });
    const install = (...events: readonly string[]): string =>
      folder.write(
        '.claude/settings.json',
        JSON.stringify({ hooks: Object.fromEntries(events.map((each) => [each, [entry()]])) }),
      );
    install('UserPromptSubmit', 'PreToolUse');
    expect(await hooks()).toEqual({
      lines: [
        '',
        'Hooks of your coding agents:',
        '  Claude Code  INCOMPLETE (2 of 10 events): sallyport init --client claude-code',
        '  Gemini CLI   NOT INSTALLED: sallyport init --client gemini',
        expect.stringMatching(/^ {2}Cursor {7}NOT KNOWN: ~\/\.cursor\/hooks\.json, line 1: close bracket expected$/),
        '',
      ],
      areFine: false,
    });
    install(...claudeCode.events);
    expect((await hooks()).lines[2]).toBe('  Claude Code  installed');
    // A checkout in a folder of any name.
    command = 'node /opt/cli/main.js hook claude-code';
    install(...claudeCode.events);
    expect((await hooks('node /opt/cli/main.js')).lines[2]).toBe('  Claude Code  installed');
  });
});

test('changed definitions that wait are named', async () => {
  cursor({ mail: { url: 'https://mcp.example.com' } });
  new PinFiles(folder.state).change('mail', (file) => ({
    ...file,
    held: [{ type: 'instructions', before: 'a', after: 'b' }],
  }));
  expect((await report()).lines).toContain('  mail: 1 changed definition waits for you: sallyport pins show mail');
});

test('no temporary folder is left', async () => {
  const before = readdirSync(folder.folder);
  cursor({ mail: wrapped('mail', NODE, SERVER) });
  await folder.run(['doctor'], { env: { TMPDIR: folder.folder } });
  expect(readdirSync(folder.folder).filter((name) => !before.includes(name) && name !== '.cursor')).toEqual([]);
});
