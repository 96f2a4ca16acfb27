import { createBoundary, type Decision, defineTool } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { guardedFiles } from '../src/guarded-files.ts';

const tools = [
  defineTool({ name: 'read_file', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'write_file', effect: 'write', origin: 'workspace', modelText: ['content'] }),
  defineTool({ name: 'shell', effect: 'execute', origin: 'external' }),
];

async function check(tool: string, given: object, said = 'Have a look around.'): Promise<Decision> {
  const conversation = createBoundary({ tools, gate: { rules: guardedFiles } }).conversation('c');
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
