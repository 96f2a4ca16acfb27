import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const FILE = 'home/.cursor/mcp.json';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the mode of the file is kept, and is the mode of the backup', async () => {
  for (const mode of [0o600, 0o644, 0o640]) {
    const rig = createRig();
    const path = rig.write(FILE, PLAIN);
    chmodSync(path, mode);
    expect((await rig.run(['--yes'])).code).toBe(0);
    expect([modeOf(path), modeOf(`${path}.sallyport-backup`)]).toEqual([mode.toString(8), mode.toString(8)]);
    await rig.run(['--undo', '--yes']);
    expect(modeOf(path)).toBe(mode.toString(8));
  }
});

test('a symbolic link is kept, and its target is changed', async () => {
  const rig = createRig();
  const target = rig.write('dotfiles/cursor.json', PLAIN);
  const link = join(rig.home, '.cursor', 'mcp.json');
  mkdirSync(join(rig.home, '.cursor'));
  symlinkSync('../../dotfiles/cursor.json', link);
  const { out } = await rig.run(['--yes']);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readlinkSync(link)).toBe('../../dotfiles/cursor.json');
  expect(rig.read('dotfiles/cursor.json')).toContain('@sallyport/cli');
  expect(rig.read('dotfiles/cursor.json.sallyport-backup')).toBe(PLAIN);
  expect(out.replaceAll('\n', ' ')).toContain(`backup in ${target}.sallyport-backup`);
});

test('two links to one file change it once', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  mkdirSync(join(rig.project, '.cursor'));
  symlinkSync(join(rig.home, '.cursor', 'mcp.json'), join(rig.project, '.cursor', 'mcp.json'));
  expect((await rig.run(['--yes'])).out).toContain('This will wrap 1 server in 1 file:');
});

test('a file that changed before the confirmation is not written', async () => {
  const rig = createRig();
  const path = rig.write(FILE, PLAIN);
  rig.write('home/.codeium/windsurf/mcp_config.json', PLAIN);
  const theirs = PLAIN.replace('hunter2', 'hunter3');
  const { code, error, out } = await rig.run([], { answer: true, meanwhile: () => writeFileSync(path, theirs) });
  expect(code).toBe(1);
  expect(error).toContain('~/.cursor/mcp.json: it has changed since it was read');
  expect(rig.read(FILE)).toBe(theirs);
  expect(out).toContain('wrote ~/.codeium/windsurf/mcp_config.json');
  expect(readdirSync(join(rig.home, '.cursor'))).toEqual(['mcp.json']);
});

test('no temporary file is left', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  await rig.run(['--yes']);
  expect(readdirSync(join(rig.home, '.cursor'))).toEqual(['mcp.json', 'mcp.json.sallyport-backup']);
});

test('a malformed file is reported with its line, and the others are changed', async () => {
  const rig = createRig();
  const broken = '{\n  "mcpServers": {\n    "a": { "command": "x" "args": [] }\n  }\n}\n';
  rig.write(FILE, broken);
  rig.write('home/.codex/config.toml', 'a = 1\n[mcp_servers.x]\ncommand = \n');
  rig.write('home/.codeium/windsurf/mcp_config.json', PLAIN);
  const { code, error, out } = await rig.run(['--yes']);
  expect(code).toBe(1);
  expect(error).toContain('~/.cursor/mcp.json, line 3: comma expected');
  expect(error).toMatch(/~\/\.codex\/config\.toml, line [34]: /);
  expect(rig.read(FILE)).toBe(broken);
  expect(out).toContain('wrote ~/.codeium/windsurf/mcp_config.json');
  expect(rig.read('home/.codeium/windsurf/mcp_config.json')).toContain('@sallyport/cli');
});

test('a duplicate name in TOML is malformed', async () => {
  const rig = createRig();
  rig.write('home/.codex/config.toml', '[mcp_servers.x]\ncommand = "a"\ncommand = "b"\n');
  const { code, error } = await rig.run(['--yes']);
  expect([code, error]).toEqual([1, expect.stringContaining('config.toml, line 3:')]);
});

test('a folder and a file that is not UTF-8 are refused', async () => {
  const rig = createRig();
  const path = rig.write(FILE, '');
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  mkdirSync(join(rig.project, '.mcp.json'));
  const { code, error } = await rig.run(['--yes']);
  expect(code).toBe(1);
  expect(error).toContain('~/.cursor/mcp.json: it is not valid UTF-8');
  expect(error).toContain('.mcp.json: it is a folder');
});

test('an empty file contains no servers', async () => {
  const rig = createRig();
  rig.write(FILE, '');
  rig.write('home/.codex/config.toml', '');
  const { code, out, error } = await rig.run(['--yes']);
  expect([code, error]).toEqual([0, '']);
  expect(out.match(/contains no servers/g)).toHaveLength(2);
});

test('a file that cannot be written stays unchanged, without temporary files', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  // A folder at the path of the backup: this also fails for root, who can write read-only files.
  mkdirSync(join(rig.home, '.cursor', 'mcp.json.sallyport-backup'));
  const { code, error } = await rig.run(['--yes']);
  expect([code, error]).toEqual([1, expect.stringContaining('~/.cursor/mcp.json')]);
  expect(rig.read(FILE)).toBe(PLAIN);
  expect(readdirSync(join(rig.home, '.cursor'))).toEqual(['mcp.json', 'mcp.json.sallyport-backup']);
});

test.skipIf(process.getuid?.() === 0)('a read-only file is not replaced', async () => {
  const rig = createRig();
  chmodSync(rig.write(FILE, PLAIN), 0o444);
  const { code, error } = await rig.run(['--yes']);
  expect([code, error]).toEqual([1, expect.stringContaining('permission denied')]);
  expect(rig.read(FILE)).toBe(PLAIN);
});

test('a file named with --file may have any known keys and any extension', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  rig.write('project/settings.json', '{"mcp": {"servers": {"a": {"command": "x"}}}}');
  rig.write('project/servers.jsonc', '// mine\n{"servers": {"b": {"command": "x"}}}');
  rig.write('project/codex.TOML', '[mcp_servers.c]\ncommand = "x"\n');
  rig.write('project/json.conf', '\uFEFF\n{"mcpServers": {"d": {"command": "x"}}}');
  rig.write('project/toml.conf', '# mine\n[mcp_servers.e]\ncommand = "x"\n');
  const names = ['settings.json', 'servers.jsonc', 'codex.TOML', 'json.conf', 'toml.conf'];
  const { code, out } = await rig.run(['--yes', ...names.flatMap((name) => ['--file', name])]);
  expect([code, out]).toEqual([0, expect.stringContaining('This will wrap 5 servers in 5 files:')]);
  for (const name of names) expect(rig.read(`project/${name}`)).toContain('"--server", "');
  expect(rig.read(FILE)).toBe(PLAIN);
});

test('a file named with --file must exist', async () => {
  const { code, error } = await createRig().run(['--yes', '--file', 'nowhere.json']);
  expect([code, error]).toEqual([1, expect.stringContaining('nowhere.json: the file does not exist')]);
});
