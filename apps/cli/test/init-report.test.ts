import { expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const FILE = 'home/.cursor/mcp.json';

test('the whole report of one file', async () => {
  const rig = createRig();
  rig.write(
    FILE,
    PLAIN.replace('    "files"', '    "web": { "url": "https://example.com/mcp?key=hunter2" },\n    "files"'),
  );
  const { out } = await rig.run(['--diff']);
  expect(out).toBe(`client  server                what is done
Cursor  web                   wrap
        files                 wrap

--- ~/.cursor/mcp.json
+++ ~/.cursor/mcp.json
@@ -1,9 +1,9 @@
 {
   "mcpServers": {
-    "web": { "url": "https://example.com/***" },
+    "web": { "command": "npx", "args": ["-y", "@sallyport/cli", "wrap", "--server", "web", "--entry", "url", "https://example.com/***"] },
     "files": {
       "command": "npx",
-      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"],
+      "args": ["-y", "@sallyport/cli", "wrap", "--server", "files", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"],
       "env": { "TOKEN": "***" }
     }
   }

This will wrap 2 servers in 1 file:
  ~/.cursor/mcp.json
Everything else stays as it is.
Looked for: Claude Desktop, Claude Code, Cursor, VS Code, Codex, Windsurf,
Gemini CLI, Copilot CLI, Zed, Cline, Roo Code, JetBrains Junie, opencode, Kiro,
LM Studio. Found: Cursor. Not looked for: extensions of Claude Desktop (.mcpb),
plugins of Claude Code, JetBrains AI Assistant. Name the file of another client
with --file.
Nothing was written. To write the changes:
  npx -y @sallyport/cli init --no-hooks --yes
`);
});

test('without --diff the report fits 80 columns, whatever the names', async () => {
  const rig = createRig();
  const server = { command: 'npx', args: ['-y', 'a-package-with-a-long-name', '--and', 'many', 'arguments'] };
  const names = ['a', 'a name that is much longer than its column', 'other'];
  for (const path of ['home/.cursor/mcp.json', 'project/.vscode/mcp.json', 'home/.claude.json'])
    rig.write(
      path,
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, server])), servers: {} }),
    );
  const { out } = await rig.run(['--project', '--dry-run']);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(out).toContain(`${' '.repeat(23)}a name that is much longer than its column\n${' '.repeat(45)}wrap\n`);
  expect(out).toContain('Everything else stays as it is.\nSee every change with --diff.\n');
  expect(out).not.toContain('@@');
});

test('a label of any length ends before the next column', async () => {
  const rig = createRig();
  for (const path of ['project/.mcp.json', 'project/.junie/mcp/mcp.json']) rig.write(path, PLAIN);
  const { out } = await rig.run(['--project', '--dry-run']);
  expect(out).toContain('Claude Code, this project      files                 wrap\n');
  expect(out).toContain('JetBrains Junie, this project  files                 wrap\n');
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the report is as wide as the terminal', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const widest = async (columns: number): Promise<number> => {
    const { out } = await rig.run(['--dry-run', '--client', 'cursor'], { hooks: true, columns });
    return Math.max(...out.split('\n').map((line) => line.length));
  };
  expect(await widest(60)).toBeLessThanOrEqual(60);
  expect(await widest(120)).toBeGreaterThan(100);
});

test('servers and hooks are in one sentence, and the wrapper is taken back in one', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const added = await rig.run(['--yes', '--client', 'cursor'], { hooks: true });
  expect(added.out).toContain(
    'This will wrap 1 server and add hooks to 1 host, in 2 files:\n  ~/.cursor/mcp.json\n  ~/.cursor/hooks.json\n',
  );
  const removed = await rig.run(['--undo', '--client', 'cursor'], { hooks: true });
  expect(removed.out).toContain('This will unwrap 1 server and remove the hooks of 1 host, in 2 files:\n');
});

const SECRETS: readonly (readonly [title: string, path: string, text: string])[] = [
  ['env', FILE, '{"mcpServers": {"a": {"command": "x", "env": {"A": "hunter2", "B": ["hunter2"], "C": 20222}}}}'],
  ['headers', FILE, '{"mcpServers": {"b": {"url": "https://x", "headers": {"A": "hunter2"}}, "a": {"command": "x"}}}'],
  ['a key next to the servers', FILE, '{"primaryApiKey": "hunter2", "mcpServers": {"a": {"command": "x"}}}'],
  ['a commented entry', FILE, '{"mcpServers": {\n// "KEY": "hunter2"\n// KEY=hunter2\n"a": {"command": "x"}}}'],
  ['an argument after its flag', FILE, '{"mcpServers": {"a": {"command": "x", "args": ["--api-key", "hunter2"]}}}'],
  ['an argument in its flag', FILE, '{"mcpServers": {"a": {"command": "x", "args": ["--token=hunter2 hunter2"]}}}'],
  ['a header as an argument', FILE, '{"mcpServers": {"a": {"command": "x", "args": ["Authorization: hunter2"]}}}'],
  ['an address', FILE, '{"mcpServers": {"a": {"command": "x", "args": ["pg://me:hunter2@host/hunter2?a=hunter2"]}}}'],
  ['the environment of docker', FILE, '{"mcpServers": {"a": {"command": "x", "args": ["-e", "MY_TOKEN=hunter2"]}}}'],
  ['env of Codex', 'home/.codex/config.toml', '[mcp_servers.a]\ncommand = "x"\nenv = { A = "hunter2", B = 20222 }\n'],
  ['env in lines', 'home/.codex/config.toml', '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nA = "hunter2"\n'],
  [
    'env over lines',
    'home/.codex/config.toml',
    '[mcp_servers.a]\nenv.A = """\nhunter2\nhunter2"""\ncommand = "x"\nargs = []\n# A = "hunter2"\n',
  ],
  ['a table array', 'home/.codex/config.toml', '[[keys]]\nkey = "hunter2"\n[mcp_servers.a]\ncommand = "x"\n'],
];

test.each(SECRETS)('a secret is not shown: %s', async (_, path, text) => {
  const rig = createRig();
  rig.write(path, text);
  for (const args of [[], ['--yes'], ['--undo'], ['--undo', '--yes']]) {
    const { out, error } = await rig.run([...args, '--diff']);
    const short = await rig.run(['--dry-run']);
    expect(short.out + short.error).not.toMatch(/hunter2|20222/);
    expect(out.slice(0, out.indexOf(' 1 file'))).toContain('***');
    expect(out).toContain('\n+');
    expect(out + error).not.toMatch(/hunter2|20222/);
  }
  expect(rig.read(path)).toBe(text);
});

test('a secret of many lines does not shift the diff', async () => {
  const rig = createRig();
  rig.write(
    'home/.codex/config.toml',
    '[mcp_servers.a]\nenv.A = """\nhunter2\nhunter2"""\ncommand = "x"\nargs = ["y"]\n',
  );
  const lines = [' env.A = "***', ' ', ' "', '-command = "x"', '-args = ["y"]', '+command = "npx"'];
  expect((await rig.run(['--diff'])).out).toContain(lines.join('\n'));
});

test('the command of a server is not masked', async () => {
  const rig = createRig();
  const server = {
    type: 'stdio',
    command: 'uvx',
    args: ['--from', 'pkg', 7],
    cwd: '/srv',
    timeout: 20,
    disabled: false,
  };
  rig.write(FILE, JSON.stringify({ mcpServers: { a: server } }));
  const { out } = await rig.run(['--diff']);
  for (const shown of ['"stdio"', '"uvx"', '"--from"', '"pkg"', '7', '"/srv"', '20']) expect(out).toContain(shown);
  expect(out.slice(0, out.indexOf(' 1 file'))).not.toContain('***');
});

test('the diff shows whole lines, and hides values that may be secret, and nothing else', async () => {
  const rig = createRig();
  const path = `/opt/${'a long folder/'.repeat(12)}config.json`;
  const hook = { type: 'command', command: '~/bin/mine.sh --token hunter2 --fast' };
  rig.write(
    'home/.claude/settings.json',
    JSON.stringify(
      { theme: 'dark', apiKeyHelper: 'hunter2', env: { A: 'hunter2' }, hooks: { PreToolUse: [{ hooks: [hook] }] } },
      null,
      2,
    ),
  );
  rig.write('home/.claude.json', JSON.stringify({ mcpServers: { a: { command: 'x', args: ['--config', path] } } }));
  const { out } = await rig.run(['--diff'], { hooks: true });
  expect(out).toContain('"command": "~/bin/mine.sh --token *** --fast"');
  expect(out).toContain(`"${path}"\n`);
  expect(out).not.toContain('hunter2');
  expect(out).not.toMatch(/ \.\.\. /);
});

test('control characters in a configuration are escaped', async () => {
  const rig = createRig();
  const name = '\u001b[2Kharmless\u202e';
  rig.write(
    'project/.mcp.json',
    JSON.stringify({ mcpServers: { [name]: { command: 'x\u009b2J\u200b', args: ['y'] } } }),
  );
  rig.write('project/.cursor/mcp.json', '{"mcpServers": {"a": {"command": "x\u009b2J\u200b\u202e"}}}');
  const { out } = await rig.run(['--project', '--diff']);
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(out).toContain('\\u001b[2Kharmless\\u202e');
  expect(out).toContain('x\\u009b2J\\u200b\\u202e');
});

test('colours are used on a terminal, unless NO_COLOR is set', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const colored = await rig.run(['--diff'], { answer: false });
  expect(colored.out).toContain('\u001b[31m-      "args": ["-y", "@model');
  expect(colored.out).toContain('\u001b[32m+      "args": ["-y", "@sallyport/cli"');
  expect((await rig.run(['--diff'], { answer: false, environment: { NO_COLOR: '1' } })).out).not.toContain('\u001b');
  expect((await rig.run(['--diff'])).out).not.toContain('\u001b');
});

test('a configuration on one long line is shown in lines', async () => {
  const rig = createRig();
  const before = { history: Array.from({ length: 500 }, (_, index) => index) };
  const text = JSON.stringify({ before, mcpServers: { a: { command: 'x', args: ['y'] } }, after: before });
  rig.write('home/.claude.json', text);
  const { out } = await rig.run(['--yes', '--diff']);
  expect(out).toContain('-      "command": "x",\n');
  expect(out).toContain('+      "command": "npx",\n');
  expect(out.split('\n').length).toBeLessThan(60);
});
