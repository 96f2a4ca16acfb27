import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const FILE = 'home/.cursor/mcp.json';
const BACKUP = `${FILE}.sallyport-backup`;

test("the user's changes after init are kept", async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  await rig.run(['--yes']);
  const edit = (text: string): string =>
    text
      .replace('"/srv"', '"/srv", "/home"')
      .replace('hunter2', 'hunter3')
      .replace('  "mcpServers": {', '  // mine\n  "mcpServers": {\n    "new": { "command": "x" },');
  rig.write(FILE, edit(rig.read(FILE)));
  const { code, out } = await rig.run(['--undo', '--yes']);
  expect([code, out]).toEqual([0, expect.stringMatching(/new +leave: not wrapped/)]);
  expect(rig.read(FILE)).toBe(edit(PLAIN));
});

test('a file that its client has rewritten is still unwrapped', async () => {
  const rig = createRig();
  const value = { mcpServers: { a: { command: 'x' }, b: { command: 'y', args: ['z'] } } };
  rig.write(FILE, JSON.stringify(value));
  await rig.run(['--yes']);
  rig.write(FILE, JSON.stringify(JSON.parse(rig.read(FILE)), null, 4));
  await rig.run(['--undo', '--yes']);
  expect(rig.read(FILE)).toBe(JSON.stringify(value, null, 4));
});

test('comments added around the wrapper are kept', async () => {
  const cases = [
    ['"a": {"command": "x"}', '"x"]', '"x"] /* here */', '"a": {"command": "x" /* here */'],
    ['"a": {"command": "x"}', ', "args"', ', /* here */ "args"', '/* here */ "args": []'],
    ['"a": {"command": "x", "args": ["y"]}', ' "y"', '\n// here\n"y"', '[// here\n"y"]'],
    ['"a": {"command": "x", "args": []}', '"x" ]', '"x" ,]', '"args": []'],
  ] as const;
  for (const [server, from, to, left] of cases) {
    const rig = createRig();
    rig.write(FILE, `{"mcpServers": {${server}\n}}`);
    await rig.run(['--yes']);
    const text = rig.read(FILE);
    expect(text).toContain(from);
    rig.write(FILE, text.replace(from, to));
    expect(await rig.run(['--undo', '--yes'])).toMatchObject({ code: 0, error: '' });
    expect(rig.read(FILE)).toContain(left);
    expect(rig.read(FILE)).toContain('"command": "x"');
  }
});

test('arguments before the command are removed together with their comma', async () => {
  const rig = createRig();
  const wrapper = '"-y", "@sallyport/cli", "wrap", "--server", "a", "x"';
  rig.write(FILE, `{"mcpServers": {"a": {"args": [${wrapper}], "command": "npx"}}}`);
  await rig.run(['--undo', '--yes']);
  expect(rig.read(FILE)).toBe('{"mcpServers": {"a": {"command": "x"}}}');
  const toml = 'home/.codex/config.toml';
  rig.write(toml, `mcp_servers.a.args = [${wrapper}]\nmcp_servers.a.command = "npx"\n`);
  await rig.run(['--undo', '--yes']);
  expect(rig.read(toml)).toBe('mcp_servers.a.command = "x"\n');
});

test('the backup holds the file from before the first wrapping, and is removed after the last unwrapping', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  await rig.run(['--yes']);
  expect(rig.read(BACKUP)).toBe(PLAIN);
  rig.write(FILE, rig.read(FILE).replace('"mcpServers": {', '"mcpServers": {\n"new": { "command": "x" },'));
  expect((await rig.run(['--yes'])).out).toMatch(/new +wrap\n/);
  expect(rig.read(BACKUP)).toBe(PLAIN);
  const { out } = await rig.run(['--undo', '--yes']);
  expect(out).toContain('wrote ~/.cursor/mcp.json, backup removed');
  expect(existsSync(`${rig.home}/.cursor/mcp.json.sallyport-backup`)).toBe(false);
});

test('an outdated backup is replaced', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  rig.write(BACKUP, 'old');
  await rig.run(['--yes']);
  expect(rig.read(BACKUP)).toBe(PLAIN);
});

test('the backup is kept while a wrapper remains that must be removed by hand', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  await rig.run(['--yes']);
  const byHand = '"hand": { "command": "sallyport", "args": ["wrap", "--mode", "annotate", "x"] }';
  rig.write(FILE, rig.read(FILE).replace('"mcpServers": {', `"mcpServers": {\n${byHand},`));
  const { out } = await rig.run(['--undo', '--yes']);
  expect(out.replace(/\s+/g, ' ')).toContain(
    'hand leave: the option --mode was added to the wrapper by hand; remove the wrapper by hand',
  );
  expect(out).toContain('backup in ~/.cursor/mcp.json.sallyport-backup');
  expect(rig.read(BACKUP)).toBe(PLAIN);
});

test('another launcher is written and removed, whether or not --undo names it', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const launcher = 'node "/opt/my tools/main.js"';
  expect((await rig.run(['--launcher', launcher])).out).toContain(
    `To write the changes:\n  node "/opt/my tools/main.js" init --no-hooks --launcher 'node "/opt/my tools/main.js"' --yes\n`,
  );
  const wrapped = await rig.run(['--yes', '--launcher', launcher]);
  expect(rig.read(FILE)).toContain('"command": "node"');
  expect(rig.read(FILE)).toContain('"args": ["/opt/my tools/main.js", "wrap", "--server", "files", "npx", "-y"');
  expect(wrapped.out).toContain('To remove the wrapper again:\n  node "/opt/my tools/main.js" init --undo\n');
  expect((await rig.run(['--yes'])).out.replace(/\s+/g, ' ')).toContain(
    'already wrapped, by node "/opt/my tools/main.js"',
  );
  await rig.run(['--undo', '--yes']);
  expect(rig.read(FILE)).toBe(PLAIN);
});

describe('files of projects', () => {
  const NOTE = / are only looked for in the working folder: run --undo in each project\.\n$/;
  const joined = (out: string): string => `${out.replaceAll(/\s+/g, ' ').trim()}\n`;

  test('init says that it changes files of the project', async () => {
    const rig = createRig();
    rig.write(FILE, PLAIN);
    expect((await rig.run(['--project', '--dry-run'])).out).not.toContain('project in this folder');
    rig.write('project/.mcp.json', PLAIN);
    expect(joined((await rig.run(['--project', '--dry-run'])).out)).toContain(
      '1 of these files belongs to the project in this folder: run --undo for it here too.',
    );
    rig.write('project/.cursor/mcp.json', PLAIN);
    expect(joined((await rig.run(['--yes', '--project'])).out)).toContain(
      '2 of these files belong to the project in this folder: run --undo for them here too.',
    );
    expect((await rig.run(['--undo', '--dry-run'])).out).not.toContain('of these files');
  });

  test('--undo says that those of other projects stay as they are', async () => {
    const rig = createRig();
    const said = 'Files of a project (such as .mcp.json, .cursor/mcp.json, .vscode/mcp.json)';
    expect(joined((await rig.run(['--undo'])).out)).toMatch(NOTE);
    rig.write(FILE, PLAIN);
    expect((await rig.run(['--yes'])).out).not.toContain('in each project');
    const undone = joined((await rig.run(['--undo', '--yes'])).out);
    expect(undone).toContain(said);
    expect(undone).toMatch(NOTE);
    const again = joined((await rig.run(['--undo'])).out);
    expect(again).toContain('Nothing to change.');
    expect(again).toMatch(NOTE);
  });

  test('--undo names those of the clients that were asked for', async () => {
    const rig = createRig();
    const one = joined((await rig.run(['--undo', '--client', 'cursor'])).out);
    expect(one).toContain('Files of a project (.cursor/mcp.json) are only looked for');
    expect((await rig.run(['--undo', '--client', 'windsurf'])).out).not.toContain('in each project');
    const file = rig.write('project/.mcp.json', PLAIN);
    expect((await rig.run(['--undo', '--file', file])).out).not.toContain('in each project');
  });
});
