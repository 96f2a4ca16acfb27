import { describe, expect, test } from 'vitest';
import { createRig, planOf } from './init-rig.ts';

const SECRET = 'Bearer hunter2';

const JSON_FORMS = [
  {
    title: 'only an address',
    payload: '{"mcpServers": {"web": {"url": "https://example.com/mcp"}}}',
    expected: ['--entry', 'url', 'https://example.com/mcp'],
  },
  {
    title: 'Claude Code and VS Code: a type and headers',
    payload: `{"mcpServers": {"web": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "${SECRET}"}}}}`,
    expected: [
      '--entry',
      'url:http:headers',
      '--header-env',
      'Authorization=SALLYPORT_HEADER_1',
      'https://example.com/mcp',
    ],
  },
  {
    title: 'Windsurf: serverUrl, on several lines, with a comment',
    payload: `{\n  "mcpServers": {\n    "web": {\n      // mine\n      "serverUrl": "https://example.com/mcp", // here\n      "disabled": true\n    }\n  }\n}\n`,
    expected: ['--entry', 'serverUrl', 'https://example.com/mcp'],
  },
  {
    title: 'Gemini CLI: httpUrl and no headers',
    payload: '{"mcpServers": {"web": {"httpUrl":"https://example.com/mcp","headers":{},"timeout":5}}}',
    expected: ['--entry', 'httpUrl::headers', 'https://example.com/mcp'],
  },
  {
    title: 'a server on this machine',
    payload: '{"mcpServers": {"web": {"type": "sse", "url": "http://localhost:3845/sse"}}}',
    expected: ['--entry', 'url:sse', 'http://localhost:3845/sse'],
  },
];

describe('a remote server is started by the wrapper, and undo restores the same bytes', () => {
  test.each(JSON_FORMS)('$title', ({ payload, expected }) => {
    const planned = planOf(payload, 'wrap', 'json');
    expect(planned.outcomes).toMatchObject([{ type: 'changed', isRemote: true }]);
    const plain = planned.after.replace(/ \/\/ .*$/gm, '');
    const { command, args, url, serverUrl, httpUrl, type } = JSON.parse(plain).mcpServers.web;
    expect({ url, serverUrl, httpUrl }).toEqual({});
    expect(['stdio', undefined]).toContain(type);
    expect([command, ...args].slice(-expected.length)).toEqual(expected);
    expect(args.join(' ')).not.toContain('hunter2');
    expect(planned.masked.after).not.toContain('hunter2');
    expect(planOf(planned.after, 'unwrap', 'json').after).toBe(payload);
    expect(planOf(planned.after, 'wrap', 'json').after).toBe(planned.after);
  });

  test('the secret of a header moves to the environment of the entry', () => {
    const { after } = planOf(JSON_FORMS[1]?.payload ?? '', 'wrap', 'json');
    expect(JSON.parse(after).mcpServers.web.env).toEqual({ SALLYPORT_HEADER_1: SECRET });
  });

  test.each([
    [
      'inline',
      `[mcp_servers.web]\nurl = "https://example.com/mcp" # here\nhttp_headers = { "X-Key" = "k", B = "v" }\n`,
    ],
    [
      'a table of its own',
      `[mcp_servers.web]\nurl = "https://example.com/mcp"\nenabled = true\n\n[mcp_servers.web.http_headers]\nA = "v"\n`,
    ],
  ])('Codex, with headers as %s', async (_, text) => {
    const rig = createRig();
    rig.write('home/.codex/config.toml', text);
    await rig.run(['--yes']);
    expect(rig.read('home/.codex/config.toml')).toContain('SALLYPORT_HEADER_1');
    await rig.run(['--undo', '--yes']);
    expect(rig.read('home/.codex/config.toml')).toBe(text);
  });

  test('opencode, whose command is a list', async () => {
    const rig = createRig();
    const text = '{"mcp": {"a": {"type": "remote", "url": "https://a.example/mcp", "headers": {"K": "v"}}}}';
    rig.write('project/opencode.json', text);
    await rig.run(['--yes', '--project']);
    const { a } = JSON.parse(rig.read('project/opencode.json')).mcp;
    expect(a).toMatchObject({ type: 'local', environment: { SALLYPORT_HEADER_1: 'v' } });
    expect(a.command.slice(-3)).toEqual(['--header-env', 'K=SALLYPORT_HEADER_1', 'https://a.example/mcp']);
    await rig.run(['--undo', '--yes']);
    expect(rig.read('project/opencode.json')).toBe(text);
  });
});

test('a note says once that a login follows', async () => {
  const rig = createRig();
  rig.write(
    'home/.cursor/mcp.json',
    '{"mcpServers": {"a": {"url": "https://a.example"}, "b": {"url": "https://b.example"}}}',
  );
  const { out } = await rig.run(['--yes']);
  expect(out.match(/open it in your browser on first use/g)).toHaveLength(1);
});

test.each([
  ['a token from a variable of the client', { bearer_token_env_var: 'X' }],
  ['a header that is not a text', { headers: { A: 1 } }],
  ['a header with an unusual name', { headers: { 'a b': 'c' } }],
  ['a type that is not known', { type: 'websocket' }],
])('%s is left', (_, more) => {
  const text = JSON.stringify({ mcpServers: { web: { url: 'https://example.com/mcp', ...more } } });
  const planned = planOf(text, 'wrap', 'json');
  expect(planned.outcomes).toMatchObject([{ type: 'left' }]);
  expect(planned.after).toBe(text);
});
