import { expect, test } from 'vitest';
import { SERVER_TABLES } from '../src/init/config/servers.ts';
import { plan } from '../src/init/plan.ts';
import { splitLauncher } from '../src/init/wrapper.ts';
import { LAUNCHER, planOf } from './init-rig.ts';

function wrapped(text: string, syntax: 'json' | 'toml'): string {
  const { after } = planOf(text, 'wrap', syntax);
  expect(planOf(after, 'wrap', syntax).after).toBe(after);
  expect(planOf(after, 'unwrap', syntax).after).toBe(text);
  return after;
}

test('arguments on separate lines get one more line, and comments are kept', () => {
  const text = `// mine
{
  "servers": {
    /* files */
    "files": {
      "type": "stdio", // over pipes
      "command": "node", // the one on the path
      "args": [
        // first
        "server.js",
        "/srv", // the folder
      ],
      "env": { "A": "1" },
    },
  },
}
`;
  expect(wrapped(text, 'json')).toBe(
    text
      .replace('"command": "node"', '"command": "npx"')
      .replace('"server.js",', '"-y", "@sallyport/cli", "wrap", "--server", "files", "node",\n        "server.js",'),
  );
});

test('missing arguments are added after the command, in the style of the file', () => {
  const wrap = '"-y", "@sallyport/cli", "wrap", "--server", "a"';
  const dense = wrap.replaceAll(', ', ',');
  expect(wrapped('{"mcpServers":{"a":{"command":"x"}}}', 'json')).toBe(
    `{"mcpServers":{"a":{"command":"npx","args":[${dense},"x"]}}}`,
  );
  expect(wrapped('{"mcpServers": {"a": {"command": "x", "env": {}}}}', 'json')).toBe(
    `{"mcpServers": {"a": {"command": "npx", "args": [${wrap}, "x"], "env": {}}}}`,
  );
  expect(wrapped('{ "mcpServers": {\r\n\t"a": {\r\n\t\t"command" : "x"\r\n\t}\r\n} }', 'json')).toBe(
    `{ "mcpServers": {\r\n\t"a": {\r\n\t\t"command" : "npx",\r\n\t\t"args" : [${wrap}, "x"]\r\n\t}\r\n} }`,
  );
});

test('an empty list of arguments is restored as an empty list', () => {
  for (const list of ['[]', '[ ]', '[\n]', '[ /* none */ ]'])
    for (const order of [`"command": "x", "args": ${list}`, `"args": ${list}, "command": "x"`])
      expect(wrapped(`{"mcpServers": {"a": {${order}}}}`, 'json')).toContain('"a", "x" ');
});

test('the command keeps its spelling', () => {
  const text = '{"mcpServers": {"a": {"command": "C:\\u005cnode.exe", "args": ["x\\/y"]}}}';
  expect(wrapped(text, 'json')).toContain('"C:\\u005cnode.exe", "x\\/y"]');
});

test('TOML keeps comments, quotes and lines, for every form of its tables', () => {
  const text = `# mine
model = "o5"

[mcp_servers.files] # local
command = "npx" # from npm
args = [
  "-y", # yes
  'server',
]
startup_timeout_sec = 20

[mcp_servers.files.env]
TOKEN = "hunter2"

  [mcp_servers."with blank"]
  command = """x""" # why
  env = { A = "1" }

[mcp_servers]
inline = { command = 'y', args = [] }
dotted.command = 'C:\\bin\\x'
other = { command = "z" }`;
  const before = '"-y", "@sallyport/cli", "wrap", "--server"';
  for (const each of [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`, `${text}\n`])
    expect(wrapped(each, 'toml').split(before)).toHaveLength(6);
  expect(wrapped(text, 'toml')).toBe(
    text
      .replace('  "-y", #', `  ${before}, "files", "npx",\n  "-y", #`)
      .replace('command = """x""" # why', `command = "npx" # why\n  args = [${before}, "with blank", """x"""]`)
      .replace("command = 'y', args = []", `command = "npx", args = [${before}, "inline", 'y' ]`)
      .replace(
        "dotted.command = 'C:\\bin\\x'",
        `dotted.command = "npx"\ndotted.args = [${before}, "dotted", 'C:\\bin\\x']`,
      )
      .replace('command = "z"', `command = "npx", args = [${before}, "other", "z"]`),
  );
  expect(wrapped('mcp_servers.a.command = "x"', 'toml')).toBe(
    `mcp_servers.a.command = "npx"\nmcp_servers.a.args = [${before}, "a", "x"]`,
  );
});

test('a table array does not contain servers, and stays unchanged', () => {
  const text = '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n[profiles.mcp_servers.x]\ncommand = "y"\n';
  expect(planOf(text, 'wrap', 'toml').after).toBe(text);
});

test('a file whose changed text does not read back as intended is not changed', () => {
  const text = '[mcp_servers.a]\n"comm\\u0061nd" = "x"\n';
  const planned = plan(text, 'toml', { action: 'wrap', launcher: LAUNCHER, tables: Object.values(SERVER_TABLES) });
  expect(planned).toMatchObject({ type: 'malformed', reason: expect.stringContaining('by hand') });
  // If only the second list were changed, the server would get the wrapper's words from the first.
  const list = '"args": ["wrap", "--server", "a", "x"]';
  const twice = `{"mcpServers": {"a": {"command": "sallyport", ${list}, ${list}}}}`;
  expect(plan(twice, 'json', { action: 'unwrap', launcher: LAUNCHER, tables: [SERVER_TABLES.plain] })).toMatchObject({
    type: 'malformed',
  });
});

test('deep nesting does not crash the parser', () => {
  const options = { action: 'wrap', launcher: LAUNCHER, tables: Object.values(SERVER_TABLES) } as const;
  expect(plan('['.repeat(100_000), 'json', options)).toMatchObject({ type: 'malformed', reason: 'nested too deeply' });
  expect(plan(`a = ${'['.repeat(100_000)}`, 'toml', options)).toMatchObject({ type: 'malformed' });
});

const outcomesOf = (servers: object, action: 'wrap' | 'unwrap' = 'wrap', launcher = LAUNCHER): readonly string[] =>
  planOf(JSON.stringify({ mcpServers: servers }), action, 'json', launcher).outcomes.map(({ type, name, reason }) =>
    `${name} ${type} ${reason}`.trim(),
  );

test('servers that cannot be wrapped are left, with the reason', () => {
  expect(
    outcomesOf({
      open: { type: 'http', url: 'http://example.com/mcp' },
      token: { url: 'https://example.com/mcp', oauth: {} },
      nothing: {},
      number: { command: 7 },
      text: 'node',
      odd: { command: 'node', args: 'server.js' },
      empty: { command: ' ' },
      dash: { command: '--help' },
      line: { command: 'npx -y server' },
      path: { command: 'C:\\Program Files\\node.exe' },
      mixed: { command: 'node', args: [1, 'x'] },
    }),
  ).toEqual([
    'open left its address is not encrypted',
    'token left its setting oauth has no counterpart; wrap it by hand: sallyport wrap <address>',
    'nothing left it has no command',
    'number left its command is not a string',
    'text left its value is not a table',
    'odd left its args is not a list',
    'empty left its command is empty',
    'dash left its command begins with a dash',
    'line left its command is a whole command line; move its arguments to args first',
    'path changed',
    'mixed changed',
  ]);
});

test('a wrapper is recognized with any launcher, even if it was added by hand', () => {
  const server = (...words: readonly string[]) => ({ command: words[0], args: words.slice(1) });
  const servers = {
    ours: server('npx', '-y', '@sallyport/cli', 'wrap', '--server', 'ours', 'node', 'x'),
    pinned: server('npx', '-y', '@sallyport/cli@0.1.0', 'wrap', '--server', 'pinned', 'node'),
    global: server('/usr/bin/sallyport', 'wrap', 'node', 'x'),
    source: server('node', '/opt/main.js', 'wrap', '--server', 'source', 'node', 'x'),
    installed: server('node', '/opt/sallyport/dist/main.cjs', 'wrap', 'node', 'x'),
    options: server('sallyport', 'wrap', '--mode', 'annotate', '--server', 'options', 'node', 'x'),
    after: server('sallyport', 'wrap', '--server', 'after', '--mode', 'annotate', 'node', 'x'),
    bare: server('sallyport', 'wrap'),
    stranger: server('gift', 'wrap', '--server', 'other', 'node'),
    first: server('wrap', '--server', 'first', 'node'),
  };
  expect(outcomesOf(servers)).toEqual([
    'ours left already wrapped',
    'pinned left already wrapped, by npx -y @sallyport/cli@0.1.0',
    'global left already wrapped, by /usr/bin/sallyport',
    'source left already wrapped, by node /opt/main.js',
    'installed left already wrapped, by node /opt/sallyport/dist/main.cjs',
    'options left already wrapped, by sallyport',
    'after left already wrapped, by sallyport',
    'bare left already wrapped, by sallyport',
    'stranger changed',
    'first changed',
  ]);
  expect(outcomesOf(servers, 'unwrap')).toEqual([
    'ours changed',
    'pinned changed',
    'global changed',
    'source changed',
    'installed changed',
    'options left the option --mode was added to the wrapper by hand; remove the wrapper by hand',
    'after left the option --mode was added to the wrapper by hand; remove the wrapper by hand',
    'bare left no command follows the wrapper; remove the wrapper by hand',
    'stranger left not wrapped',
    'first left not wrapped',
  ]);
  expect(outcomesOf({ gift: server('gift', 'wrap', 'node') }, 'wrap', ['gift'])).toEqual(['gift left already wrapped']);
});

test('a launcher is split into words, and quotes protect blanks', () => {
  expect(splitLauncher(' node  "C:\\My Files\\main.js" \'a "b"\' ')).toEqual([
    'node',
    'C:\\My Files\\main.js',
    'a "b"',
  ]);
});
