import { createBoundary, type Decision, defineTool } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { guardedFiles } from '../src/guarded-files.ts';

const HOME = ['', 'home', 'ann'].join('/');
const PROJECT = `${HOME}/project`;

const tools = [
  defineTool({ name: 'read_file', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'write_file', effect: 'write', origin: 'workspace', modelText: ['content'] }),
  defineTool({ name: 'navigate', effect: 'fetch', origin: 'external' }),
  defineTool({ name: 'shell', effect: 'execute', origin: 'external' }),
  defineTool({ name: 'Grep', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'list_directory', effect: 'read', origin: 'workspace' }),
];

async function check(
  tool: string,
  given: object,
  { said = 'Have a look around.', folder }: { readonly said?: string; readonly folder?: string } = {},
): Promise<Decision> {
  const rules = guardedFiles('/srv/state', { home: '/data/people/ann', folder: () => folder });
  const conversation = createBoundary({ tools, gate: { rules } }).conversation('c');
  await conversation.render([]);
  await conversation.frame(conversation.addUserMessage(said));
  return conversation.check({ id: 'one', tool, arguments: given });
}

const ROWS: readonly { title: string; origin: string; tool: string; payload: object; expected: string }[] = [
  {
    title: 'a private key',
    origin: 'model',
    tool: 'read_file',
    payload: { path: '~/.ssh/id_rsa' },
    expected: 'secretFiles',
  },
  {
    title: 'cloud credentials',
    origin: 'model',
    tool: 'shell',
    payload: { command: 'cat ~/.aws/credentials' },
    expected: 'secretFiles',
  },
  {
    title: 'a key by its name',
    origin: 'model',
    tool: 'shell',
    payload: { command: 'cp id_ed25519 x' },
    expected: 'secretFiles',
  },
  {
    title: 'a token of npm',
    origin: 'model',
    tool: 'read_file',
    payload: { path: '~/.npmrc' },
    expected: 'secretFiles',
  },
  {
    title: 'an answer to a held call',
    origin: 'model',
    tool: 'write_file',
    payload: { path: '~/.local/state/sallyport/approvals/1a2b.json', content: '{}' },
    expected: 'ownFiles',
  },
  {
    title: 'the settings of sallyport',
    origin: 'model',
    tool: 'write_file',
    payload: { path: '~/.config/sallyport/sallyport.yaml', content: 'x' },
    expected: 'ownFiles',
  },
  {
    title: 'the hooks of a host',
    origin: 'model',
    tool: 'write_file',
    payload: { path: '~/.gemini/settings.json', content: '{}' },
    expected: 'ownFiles',
  },
];

describe('another spelling of a path', () => {
  test.each([
    `${HOME}/project/../.aws/credentials`,
    `${HOME}//.aws/credentials`,
    `${HOME}/./.kube/config`,
    '.aws/credentials',
    '../../.ssh/config',
    `${['', 'Users', 'ann'].join('/')}/.AWS/credentials`,
    'C:\\Users\\ann\\.aws\\credentials',
    `file://${HOME}/.aws/credentials`,
    `file://${HOME}/%2eaws/credentials`,
    '~/.local/state/sallyport/logins/a.json',
    '~/.local/state/sallyport/key',
  ])('%s is not read', async (path) => {
    expect(await check('read_file', { path })).toMatchObject({ outcome: 'ask', rules: ['secretFiles'] });
  });

  test.each([
    'cat ~/".aws"/credentials',
    'cat ~/.a\\ws/credentials',
    'cat ~/.a?s/credentials',
    'cat ~/.[a]ws/credentials',
    'cd ~ && cat .aws/credentials',
    'cat ../../.aws/credentials',
  ])('%s is not run', async (command) => {
    expect((await check('shell', { command })).rules).toContain('secretFiles');
  });

  test.each([
    '~/.claude/./settings.json',
    '~/.claude//settings.json',
    '~/.claude/x/../settings.json',
    '~/.claude.json',
    '~/.codex/hooks.json',
    '~/.codex/config.toml',
    '~/.copilot/settings.json',
    '~/.config/opencode/plugins/sallyport.js',
    '~/.codeium/windsurf/hooks.json',
    '.windsurf/hooks.json',
    '~/.config/sallyport/./sallyport.yaml',
    '~/.local/state/sallyport/daemon/a.sock',
    '/srv/state/approvals/1a2b.json',
    '/srv/x/../state/approvals/1a2b.json',
  ])('%s is not written', async (path) => {
    expect((await check('write_file', { path, content: '{}' })).rules).toContain('ownFiles');
  });

  test('a page from the disk is a file', async () => {
    const url = `file://${HOME}/.ssh/config`;
    expect((await check('navigate', { url })).rules).toContain('secretFiles');
  });

  test('a long command takes no long time', async () => {
    const started = performance.now();
    await check('shell', { command: `cat ${'a/../'.repeat(20_000)}${'/.'.repeat(20_000)}` });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('a search through a folder with keys in it is asked about', () => {
  test.each([
    'grep -rh -A 40 "BEGIN OPENSSH PRIVATE KEY" ~',
    `grep -rhs "" ${HOME}`,
    `grep -rhs "" ${HOME}/*`,
    'grep -re PRIVATE ~ src',
    'grep -r KEY /data/people/ann',
    'grep -r KEY /data',
    'grep -r KEY ~/project/../..',
    'rg --hidden PRIVATE ~',
    'rg PRIVATE ~/.config',
    'diff -r ~ /tmp',
    'git diff ~ /tmp',
    'cd ~ && grep -r aws_secret .',
    'cd ~ && grep -r aws_secret',
    'cd ~ && cd missing; grep -r aws_secret .',
    'cd / && cd home && grep -r aws_secret .',
    'cd; rg aws_secret',
    'cp -r ~ /tmp/x',
    'tar -czf /tmp/x.tgz -C ~ .',
    'tar --directory=/home -cf - .',
    'rsync -a ~/ /tmp/x',
    'grep -r KEY ..',
    'find ~ -type f -exec cat {} +',
    'grep -r . /srv/state',
  ])('%s', async (command) => {
    expect((await check('shell', { command })).rules).toContain('secretFiles');
  });

  test.each([
    { path: HOME },
    { path: '~' },
    { path: '/' },
    { path: '/Users' },
    { path: HOME, glob: '**/.ssh/*' },
    { path: 'C:\\Users\\ann' },
    { path: '/p', glob: '**/.ssh/*' },
    { path: '/p', glob: 'id_ed*' },
    { path: '/p', include: ['~/.aws/*'] },
  ])('a tool with %j', async (given) => {
    expect(await check('Grep', { pattern: 'PRIVATE', ...given })).toMatchObject({
      outcome: 'ask',
      rules: ['secretFiles'],
    });
  });

  test.each([
    { tool: 'shell', given: { command: 'grep -r KEY .' }, folder: HOME },
    { tool: 'shell', given: { command: 'grep -r KEY .', cwd: HOME }, folder: '/p' },
    { tool: 'shell', given: { command: 'grep -r KEY .', cwd: '..' }, folder: `${HOME}/p` },
    { tool: 'Grep', given: { pattern: 'KEY', path: '..' }, folder: `${HOME}/p` },
    { tool: 'Grep', given: { pattern: 'KEY' }, folder: HOME },
  ])('$tool with $given in $folder', async ({ tool, given, folder }) => {
    expect((await check(tool, given, { folder })).rules).toContain('secretFiles');
  });
});

test.each([
  'cat ~/Library/Keychains/login.keychain-db',
  'cd ~/.config && cat gh/hosts.yml',
  'cat /srv/state/logins/a.json',
])('%s is not run', async (command) => {
  expect((await check('shell', { command })).rules).toContain('secretFiles');
});

describe('everyday commands are not asked about as uses of keys', () => {
  test.each([
    'ls ~',
    'ls -la ~',
    'cd ~/project',
    'cd ~/project && grep -rn "KEY" src',
    'cd ~/project; rg KEY',
    'grep -rn KEY ~/project',
    'grep -rn "/home/ann" src',
    'grep -rn "~" .',
    'grep -rn PRIVATE .',
    'grep -n KEY ~/notes.md',
    'rg PRIVATE packages',
    'diff -r src ../other/src',
    'cp -r src /tmp/x',
    'git diff HEAD~ -- src',
    'tree ~',
    'cd packages/a && grep -r KEY ..',
    'grep -rn "a|b" src 2>&1 | head',
  ])('%s', async (command) => {
    expect((await check('shell', { command })).rules).not.toContain('secretFiles');
  });

  test.each([
    { tool: 'Grep', given: { pattern: 'id_rsa|BEGIN PRIVATE', path: PROJECT, glob: '*.ts' } },
    { tool: 'Grep', given: { pattern: 'PRIVATE' } },
    { tool: 'Grep', given: { pattern: 'PRIVATE', path: 'src' } },
    { tool: 'Grep', given: { pattern: 'PRIVATE', path: '/data/people/ann/project' } },
    { tool: 'list_directory', given: { path: '~' } },
  ])('$tool with $given', async ({ tool, given }) => {
    expect((await check(tool, given, { folder: PROJECT })).outcome).toBe('allow');
  });

  test('a search above the folder in which the host works', async () => {
    const command = 'grep -r KEY ..';
    expect((await check('shell', { command }, { folder: `${HOME}/p/src` })).rules).not.toContain('secretFiles');
  });
});

describe('the files of sallyport, after the folder was entered', () => {
  test.each([
    'cd /srv/state && mv sessions old',
    'cd /srv && mv state old',
    'cd /srv/; mv state/sessions old',
    'mv /srv/state /tmp/x',
    'cd ~/.claude && mv settings.json old.json',
    'cd missing; cd /srv/state; mv sessions old',
  ])('%s', async (command) => {
    expect((await check('shell', { command })).rules).toContain('ownFiles');
  });

  test('a path in the folder in which the host works', async () => {
    const given = { path: 'settings.json', content: '{}' };
    expect((await check('write_file', given, { folder: `${HOME}/.claude` })).rules).toContain('ownFiles');
    expect((await check('shell', { command: 'mv sessions old' }, { folder: '/srv/state' })).rules).toContain(
      'ownFiles',
    );
  });

  test.each(['cd /srv && ls', 'cd /srv && mv statement old', 'mv sessions old'])('not %s', async (command) => {
    expect((await check('shell', { command })).rules).not.toContain('ownFiles');
  });
});

describe('files that the user did not name', () => {
  test.each(ROWS)('$title', async ({ tool, payload, expected }) => {
    const { outcome, rules } = await check(tool, payload);
    expect(outcome).toBe('ask');
    expect(rules).toContain(expected);
  });
});

test.each([
  { tool: 'read_file', payload: { path: '~/project/.env' } },
  { tool: 'read_file', payload: { path: '~/project/src/ssh.ts' } },
  { tool: 'read_file', payload: { path: '~/project/.npmrc' } },
  { tool: 'read_file', payload: { path: '~/project/test/x.aws' } },
  { tool: 'read_file', payload: { path: '~/sallyport/keys.md' } },
  { tool: 'shell', payload: { command: 'cat src/*.ts' } },
  { tool: 'write_file', payload: { path: '~/project/README.md', content: 'Put the key into ~/.ssh/id_rsa.' } },
  { tool: 'read_file', payload: { path: '~/.gemini/settings.json' } },
  { tool: 'write_file', payload: { path: '~/sallyport/packages/cli/src/log/log.ts', content: 'x' } },
])('$payload of $tool is not asked about', async ({ tool, payload }) => {
  expect((await check(tool, payload)).outcome).toBe('allow');
});

test('a file that the user names is read', async () => {
  const given = { path: '~/.ssh/config' };
  expect((await check('read_file', given, { said: 'Look at ~/.ssh/config and explain it.' })).outcome).toBe('allow');
});
