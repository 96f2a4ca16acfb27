import { createBoundary, type Decision, defineTool } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { guardedFiles } from '../src/guarded-files.ts';

const HOME = ['', 'home', 'ann'].join('/');

const tools = [
  defineTool({ name: 'read_file', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'write_file', effect: 'write', origin: 'workspace', modelText: ['content'] }),
  defineTool({ name: 'navigate', effect: 'fetch', origin: 'external' }),
  defineTool({ name: 'shell', effect: 'execute', origin: 'external' }),
];

async function check(tool: string, given: object, said = 'Have a look around.'): Promise<Decision> {
  const conversation = createBoundary({ tools, gate: { rules: guardedFiles('/srv/state') } }).conversation('c');
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
  expect((await check('read_file', given, 'Look at ~/.ssh/config and explain it.')).outcome).toBe('allow');
});
