import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const VSCODE = PLAIN.replace('mcpServers', 'servers');
const ZED = PLAIN.replace('mcpServers', 'context_servers').replace('{', '{\n  // Zed allows comments.');
const CLINE = 'saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
const ROO = 'rooveterinaryinc.roo-cline/settings/mcp_settings.json';
const CODEX = '[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "server"]\n';

const WRAPPED_JSON =
  '"args": ["-y", "@sallyport/cli", "wrap", "--server", "files", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"],';
const WRAPPED_TOML = 'args = ["-y", "@sallyport/cli", "wrap", "--server", "files", "npx", "-y", "server"]';

const PLACES: readonly (readonly [platform: NodeJS.Platform, client: string, path: string, text: string])[] = [
  ['linux', 'claude-desktop', 'home/.config/Claude/claude_desktop_config.json', PLAIN],
  ['darwin', 'claude-desktop', 'home/Library/Application Support/Claude/claude_desktop_config.json', PLAIN],
  ['win32', 'claude-desktop', 'home/AppData/Roaming/Claude/claude_desktop_config.json', PLAIN],
  [
    'win32',
    'claude-desktop',
    'home/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
    PLAIN,
  ],
  ['linux', 'claude-code', 'home/.claude.json', PLAIN],
  ['win32', 'claude-code', 'project/.mcp.json', PLAIN],
  ['darwin', 'cursor', 'home/.cursor/mcp.json', PLAIN],
  ['linux', 'cursor', 'project/.cursor/mcp.json', PLAIN],
  ['linux', 'vscode', 'home/.config/Code/User/mcp.json', VSCODE],
  ['darwin', 'vscode', 'home/Library/Application Support/Code/User/mcp.json', VSCODE],
  ['win32', 'vscode', 'home/AppData/Roaming/Code/User/mcp.json', VSCODE],
  ['linux', 'vscode', 'home/.config/Code - Insiders/User/mcp.json', VSCODE],
  ['linux', 'vscode', 'project/.vscode/mcp.json', VSCODE],
  ['linux', 'codex', 'home/.codex/config.toml', CODEX],
  ['win32', 'codex', 'project/.codex/config.toml', CODEX],
  ['linux', 'windsurf', 'home/.codeium/windsurf/mcp_config.json', PLAIN],
  ['linux', 'gemini', 'home/.gemini/settings.json', PLAIN],
  ['linux', 'gemini', 'project/.gemini/settings.json', PLAIN],
  ['darwin', 'copilot', 'home/.copilot/mcp-config.json', PLAIN],
  ['linux', 'copilot', 'project/.github/mcp.json', PLAIN],
  ['linux', 'zed', 'home/.config/zed/settings.json', ZED],
  ['darwin', 'zed', 'home/.config/zed/settings.json', ZED],
  ['win32', 'zed', 'home/AppData/Roaming/Zed/settings.json', ZED],
  ['linux', 'zed', 'project/.zed/settings.json', ZED],
  ['linux', 'cline', `home/.config/Code/User/globalStorage/${CLINE}`, PLAIN],
  ['darwin', 'cline', `home/Library/Application Support/Code/User/globalStorage/${CLINE}`, PLAIN],
  ['linux', 'cline', 'home/.cline/data/settings/cline_mcp_settings.json', PLAIN],
  ['win32', 'roo', `home/AppData/Roaming/Code/User/globalStorage/${ROO}`, PLAIN],
  ['linux', 'roo', 'project/.roo/mcp.json', PLAIN],
  ['linux', 'junie', 'home/.junie/mcp/mcp.json', PLAIN],
  ['linux', 'junie', 'project/.junie/mcp/mcp.json', PLAIN],
  ['linux', 'kiro', 'home/.kiro/settings/mcp.json', PLAIN],
  ['linux', 'kiro', 'project/.kiro/settings/mcp.json', PLAIN],
  ['win32', 'lm-studio', 'home/.lmstudio/mcp.json', PLAIN],
];

test.each(PLACES)(
  'on %s the configuration of %s at %s is found, wrapped and unwrapped',
  async (platform, client, path, text) => {
    const rig = createRig();
    rig.write(path, text);
    const wrapped = await rig.run(['--yes', '--project', '--client', client], { platform });
    expect(wrapped).toMatchObject({ code: 0, error: '' });
    expect(rig.read(path)).toContain(text === CODEX ? WRAPPED_TOML : WRAPPED_JSON);
    expect(rig.read(path)).toContain(text === CODEX ? 'command = "npx"' : '"command": "npx"');
    const again = await rig.run(['--yes', '--project'], { platform });
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing to change.')]);
    expect((await rig.run(['--undo', '--yes'], { platform })).code).toBe(0);
    expect(rig.read(path)).toBe(text);
  },
);

test('--client leaves other clients unchanged', async () => {
  const rig = createRig();
  rig.write('home/.cursor/mcp.json', PLAIN);
  rig.write('home/.codeium/windsurf/mcp_config.json', PLAIN);
  const { code } = await rig.run(['--yes', '--client', 'windsurf', '--client', 'codex']);
  expect(code).toBe(0);
  expect(rig.read('home/.cursor/mcp.json')).toBe(PLAIN);
  expect(rig.read('home/.codeium/windsurf/mcp_config.json')).not.toBe(PLAIN);
});

test('environment variables that move the folders of clients are respected', async () => {
  const rig = createRig();
  const moved = ['claude/.claude.json', 'config/Claude/claude_desktop_config.json', 'codex/config.toml'];
  for (const path of moved) rig.write(`home/${path}`, path.endsWith('.toml') ? CODEX : PLAIN);
  const environment = {
    CLAUDE_CONFIG_DIR: join(rig.home, 'claude'),
    XDG_CONFIG_HOME: join(rig.home, 'config'),
    CODEX_HOME: join(rig.home, 'codex'),
  };
  expect((await rig.run(['--yes'], { environment })).out).toContain('This will wrap 3 servers in 3 files:');
  const windows = createRig();
  const roaming = windows.write('home/r/Claude/claude_desktop_config.json', PLAIN);
  const folder = join(roaming, '..', '..');
  const { out } = await windows.run(['--dry-run'], { platform: 'win32', environment: { APPDATA: folder } });
  expect(out).toContain('This will wrap 1 server in 1 file:');
});

test("servers of Claude Code's projects are wrapped too, and listed with their project", async () => {
  const rig = createRig();
  const text = JSON.stringify(
    {
      numStartups: 3,
      mcpServers: { notes: { type: 'stdio', command: 'notes', args: [], env: {} } },
      projects: {
        '/srv/one': { history: [], mcpServers: { files: { command: 'node', args: ['one.js'] } } },
        '/srv/two': { mcpServers: { files: { command: 'node', args: ['two.js'] } } },
        '/srv/three': { allowedTools: [] },
      },
    },
    null,
    2,
  );
  rig.write('home/.claude.json', text);
  const { out } = await rig.run(['--yes']);
  for (const name of ['notes', 'files (/srv/one)', 'files (/srv/two)'])
    expect(out).toMatch(new RegExp(`${name.replace(/[()]/g, '\\$&')} +wrap`));
  const { mcpServers, projects, numStartups } = JSON.parse(rig.read('home/.claude.json'));
  const before = ['-y', '@sallyport/cli', 'wrap', '--server'];
  expect(numStartups).toBe(3);
  expect(mcpServers.notes).toEqual({ type: 'stdio', command: 'npx', args: [...before, 'notes', 'notes'], env: {} });
  expect(projects['/srv/one'].mcpServers.files).toEqual({
    command: 'npx',
    args: [...before, 'files', 'node', 'one.js'],
  });
  expect(projects['/srv/two'].mcpServers.files.args.at(-1)).toBe('two.js');
  await rig.run(['--yes', '--undo']);
  expect(rig.read('home/.claude.json')).toBe(text);
});

test('a file found twice is changed once', async () => {
  const rig = createRig();
  const file = rig.write('project/.cursor/mcp.json', PLAIN);
  const { out } = await rig.run(['--yes', '--project', '--client', 'cursor', '--file', file]);
  expect(out).toContain('This will wrap 1 server in 1 file:');
});

test('if no configuration is found, the searched paths are listed', async () => {
  const { code, out } = await createRig().run(['--client', 'cursor']);
  expect(code).toBe(0);
  expect(out).toMatch(/No configuration of an MCP client was found.*~\/\.cursor\/mcp\.json.*--file/s);
});

const OPENCODE: readonly (readonly [title: string, text: string, expected: string])[] = [
  [
    'one line',
    '{"mcp": {"files": {"type": "local", "command": ["npx", "-y", "server"], "environment": {"A": "hunter2"}}}}',
    '"command": ["npx", "-y", "@sallyport/cli", "wrap", "--server", "files", "npx", "-y", "server"]',
  ],
  [
    'lines',
    '{\n  "mcp": {\n    "files": {\n      "command": [\n        "x",\n        "y"\n      ]\n    }\n  }\n}\n',
    '"--server",\n        "files",\n        "x",\n        "y"\n',
  ],
  ['no blanks', '{"mcp":{"files":{"command":["x","y"]}}}', '"--server","files","x","y"]'],
  ['one word', '{"mcp": {"files": {"command": ["x"]}}}', '"--server", "files", "x"]'],
  ['the second version', '{"mcp": {"servers": {"files": {"command": ["x"]}}}}', '"--server", "files", "x"]'],
];

test.each(OPENCODE)('a command that is a list is wrapped and unwrapped: %s', async (_, text, expected) => {
  for (const path of [
    'home/.config/opencode/opencode.json',
    'home/.config/opencode/opencode.jsonc',
    'project/opencode.json',
  ]) {
    const rig = createRig();
    rig.write(path, text);
    const { code, out } = await rig.run(['--yes', '--project', '--diff']);
    expect([code, out]).toEqual([0, expect.stringContaining('This will wrap 1 server in 1 file:')]);
    expect(out).not.toContain('hunter2');
    expect(rig.read(path)).toContain(expected);
    expect((await rig.run(['--yes', '--project'])).out).toContain('Nothing to change.');
    await rig.run(['--undo', '--yes']);
    expect(rig.read(path)).toBe(text);
  }
});

test('an empty list, a number in one and a list elsewhere are left', async () => {
  const rig = createRig();
  const text = '{"mcp": {"a": {"command": []}, "c": {"command": [1]}}}';
  rig.write('project/opencode.json', text);
  rig.write('home/.cursor/mcp.json', '{"mcpServers": {"a": {"command": ["x"]}}}');
  const { out } = await rig.run(['--yes']);
  expect(out).toContain('Nothing to change.');
  expect(rig.read('project/opencode.json')).toBe(text);
});

describe('files of a project', () => {
  test('stay as they are without --project, and are named', async () => {
    const rig = createRig();
    rig.write('project/.vscode/mcp.json', '{"servers": {"files": {"command": "npx"}}}');
    rig.write('home/.cursor/mcp.json', PLAIN);
    const { out } = await rig.run(['--yes']);
    expect(rig.read('project/.vscode/mcp.json')).toBe('{"servers": {"files": {"command": "npx"}}}');
    expect(existsSync(join(rig.project, '.vscode/mcp.json.sallyport-backup'))).toBe(false);
    expect(out).toContain(`Left alone, because others who use this project start the same servers:
  ${join(rig.project, '.vscode/mcp.json')}
To wrap it for everyone:
  npx -y @sallyport/cli init --project
`);
    expect((await rig.run(['--yes'])).out).toContain('Nothing to change.\n\nLeft alone');
    await rig.run(['--yes', '--project']);
    expect(rig.read('project/.vscode/mcp.json')).toContain('wrap');
    expect((await rig.run(['--yes'])).out).not.toContain('Left alone');
  });

  const ABSOLUTE = '/opt/node/bin/node /opt/ann/sallyport/main.js';
  const SHARED = ['.mcp.json', '.cursor/mcp.json', '.gemini/settings.json', '.github/mcp.json', '.roo/mcp.json'];

  test.each(SHARED)('%s gets a command without a path, the files of the user the launcher', async (path) => {
    const rig = createRig();
    rig.write(`project/${path}`, PLAIN);
    rig.write('home/.cursor/mcp.json', PLAIN);
    await rig.run(['--yes', '--project', '--launcher', ABSOLUTE]);
    expect(rig.read(`project/${path}`)).toContain(WRAPPED_JSON);
    expect(rig.read(`project/${path}`)).not.toContain('/opt/ann');
    expect(rig.read('home/.cursor/mcp.json')).toContain('"command": "/opt/node/bin/node"');
    expect((await rig.run(['--yes', '--project', '--launcher', ABSOLUTE])).out).toContain('Nothing to change.');
    await rig.run(['--undo', '--yes', '--launcher', ABSOLUTE]);
    expect(rig.read(`project/${path}`)).toBe(PLAIN);
  });

  test('get the name sallyport if it is on the PATH', async () => {
    const rig = createRig();
    rig.write('project/.mcp.json', PLAIN);
    rig.write('home/bin/sallyport', '');
    const environment = { PATH: join(rig.home, 'bin') };
    await rig.run(['--yes', '--project', '--launcher', ABSOLUTE], { environment });
    expect(rig.read('project/.mcp.json')).toContain('"command": "sallyport"');
    expect(rig.read('project/.mcp.json')).toContain('"args": ["wrap", "--server", "files", "npx"');
  });

  test('get a launcher that names no path as it is', async () => {
    const rig = createRig();
    rig.write('project/.mcp.json', PLAIN);
    await rig.run(['--yes', '--project', '--launcher', 'pnpm dlx @sallyport/cli']);
    expect(rig.read('project/.mcp.json')).toContain('"command": "pnpm"');
  });
});

test('the report says which clients were looked for', async () => {
  const rig = createRig();
  rig.write('home/.gemini/settings.json', PLAIN);
  const { out } = await rig.run(['--dry-run']);
  const flat = out.replace(/\s+/g, ' ');
  expect(flat).toContain('Looked for: Claude Desktop, Claude Code,');
  expect(flat).toContain('Found: Gemini CLI.');
  const one = await rig.run(['--dry-run', '--client', 'gemini']);
  expect(one.out).toContain('Looked for: Gemini CLI. Found: Gemini CLI. Name');
});
