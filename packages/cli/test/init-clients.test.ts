import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const VSCODE = PLAIN.replace('mcpServers', 'servers');
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
];

test.each(PLACES)(
  'on %s the configuration of %s at %s is found, wrapped and unwrapped',
  async (platform, client, path, text) => {
    const rig = createRig();
    rig.write(path, text);
    const wrapped = await rig.run(['--yes', '--client', client], { platform });
    expect(wrapped).toMatchObject({ code: 0, error: '' });
    expect(rig.read(path)).toContain(text === CODEX ? WRAPPED_TOML : WRAPPED_JSON);
    expect(rig.read(path)).toContain(text === CODEX ? 'command = "npx"' : '"command": "npx"');
    const again = await rig.run(['--yes'], { platform });
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
  expect((await rig.run(['--yes'], { environment })).out).toContain('3 servers to wrap in 3 files');
  const windows = createRig();
  const roaming = windows.write('home/r/Claude/claude_desktop_config.json', PLAIN);
  const folder = join(roaming, '..', '..');
  const { out } = await windows.run(['--dry-run'], { platform: 'win32', environment: { APPDATA: folder } });
  expect(out).toContain('1 server to wrap in 1 file');
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
  expect(out).toContain('notes, files (/srv/one), files (/srv/two)');
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
  const { out } = await rig.run(['--yes', '--client', 'cursor', '--file', file]);
  expect(out).toContain('1 server to wrap in 1 file');
});

test('if no configuration is found, the searched paths are listed', async () => {
  const { code, out } = await createRig().run(['--client', 'cursor']);
  expect(code).toBe(0);
  expect(out).toMatch(/No configuration of an MCP client was found.*~\/\.cursor\/mcp\.json.*--file/s);
});
