import { createBoundary, type Decision, defineTool } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { guardedFiles } from '../src/guarded-files.ts';
import { WRITE } from '../src/hook/tools/kinds.ts';

const PROJECT = ['', 'home', 'ann', 'project'].join('/');

const tools = [
  defineTool({ name: 'read_file', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'read_note', effect: 'read' }),
  defineTool({ name: 'Grep', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'create_note', effect: 'write', modelText: ['body'] }),
  defineTool({ ...WRITE, name: 'edit_note' }),
  defineTool({ name: 'shell', effect: 'execute', origin: 'external' }),
];

async function check(tool: string, given: object, folder = PROJECT): Promise<Decision> {
  const rules = guardedFiles('/srv/state', { home: '/data/people/ann', folder: () => folder });
  const conversation = createBoundary({ tools, gate: { rules } }).conversation('c');
  await conversation.render([]);
  await conversation.frame(conversation.addUserMessage('Have a look around.'));
  return conversation.check({ id: 'one', tool, arguments: given });
}

describe('files with keys of programs', () => {
  test.each([
    '/proc/self/environ',
    '/proc/12/task/12/environ',
    '~/.claude/.credentials.json',
    '~/.codex/auth.json',
    '~/.gemini/oauth_creds.json',
    '~/.config/github-copilot/apps.json',
    '~/.config/hub',
    '~/.config/rclone/rclone.conf',
    '~/.config/op/config',
    '~/.config/sops/age/keys.txt',
    '~/.config/ngrok/ngrok.yml',
    '~/.oci/config',
    '~/.databrickscfg',
    '~/.s3cfg',
    '~/.boto',
    '~/.my.cnf',
    '~/.m2/settings.xml',
    '~/.gradle/gradle.properties',
    '~/.gem/credentials',
    '~/.yarnrc.yml',
    '~/.config/composer/auth.json',
    '~/.cache/huggingface/token',
    '~/.pulumi/credentials.json',
    '~/.fly/config.yml',
    '~/.local/share/opencode/auth.json',
    '~/.config/solana/id.json',
    '~/.config/google-chrome/Default/Cookies',
    '~/Library/Application Support/Google/Chrome/Default/Cookies',
    '~/.mozilla/firefox/x7kq9.default/logins.json',
    '~/.bash_history',
    '~/.zsh_history',
    '~/.env',
    '~/.cargo/credentials.toml',
    '~/.terraform.d/credentials.tfrc.json',
    '/data/people/ann/.env',
  ])('%s is not read', async (path) => {
    expect((await check('read_file', { path })).rules).toContain('secretFiles');
    expect((await check('shell', { command: `cat '${path}'` })).rules).toContain('secretFiles');
  });

  test.each(['grep -r token ~/.claude', 'rg token ~/.codex', 'cp -r ~/.mozilla /tmp/x', 'grep -r KEY /proc'])(
    'a search: %s',
    async (command) => {
      expect((await check('shell', { command })).rules).toContain('secretFiles');
    },
  );
});

describe('files of a project and of programs without keys', () => {
  test.each([
    '.npmrc',
    '.yarnrc.yml',
    '.env',
    '.env.example',
    'src/auth.json',
    `${PROJECT}/.npmrc`,
    `${PROJECT}/.yarnrc.yml`,
    `${PROJECT}/.env.example`,
    `${PROJECT}/config/secrets.yml`,
    '~/.cargo/registry/src/index/oauth/src/token.rs',
    '~/.nvm/versions/node/v24/lib/node_modules/npm/lib/auth.js',
    '~/.claude/skills/auth/SKILL.md',
    '~/.claude/projects/p/authors.json',
    '~/.config/Code/User/keybindings.json',
    '~/.cursor/worktrees/shop/abc/src/design/tokens.json',
    '~/.cursor/worktrees/shop/abc/config/secrets.example.yaml',
    '~/.cursor/worktrees/shop/auth',
    '~/.worktrees/shop/tokens.json',
    '~/.cache/shop/build/web/auth.json',
    '/proc/cpuinfo',
  ])('%s is read', async (path) => {
    expect((await check('read_file', { path })).outcome).toBe('allow');
  });

  test.each(['grep -rn NOTE ~/.claude/skills', 'rg token ~/.config/nvim'])('a search: %s', async (command) => {
    expect((await check('shell', { command })).rules).not.toContain('secretFiles');
  });
});

test.each(['ls src/auth', 'ls src/auth/', 'cat src/design/tokens.json'])(
  'in a worktree below a hidden folder: %s',
  async (command) => {
    const folder = '/data/people/ann/.cursor/worktrees/shop/abc';
    expect((await check('shell', { command }, folder)).rules).not.toContain('secretFiles');
  },
);

describe('a path in an argument of another name', () => {
  test.each([
    { name: ['', 'home', 'user', '.ssh', 'id_rsa'].join('/') },
    { title: '~/.aws/credentials' },
    { target: '$HOME/.ssh/config' },
    { name: 'C:\\Users\\ann\\.ssh\\config' },
    { name: '~/Library/Application Support/../Keychains/a' },
    { name: '~/.claude/.credentials.json\n' },
  ])('%j is asked about', async (given) => {
    expect(await check('read_note', given)).toMatchObject({ outcome: 'ask', rules: ['secretFiles'] });
  });

  test.each([
    { tool: 'read_note', given: { name: '/notes/today' } },
    { tool: 'read_note', given: { name: 'the file ~/.ssh/config' } },
    { tool: 'create_note', given: { body: '/etc/hosts and ~/.ssh/config are read by ssh, as its manual says.' } },
    { tool: 'create_note', given: { body: '~/.ssh/config\nis read by ssh.' } },
    { tool: 'Grep', given: { pattern: '/', path: 'src' } },
    { tool: 'Grep', given: { pattern: '~/.aws/credentials', path: 'src' } },
    { tool: 'edit_note', given: { path: 'a.md', old_string: '~/.aws/credentials', new_string: '~/.aws/config' } },
    { tool: 'edit_note', given: { path: 'a.md', edits: [{ oldString: '~/.aws/credentials', newString: '~/.ssh/a' }] } },
    { tool: 'edit_note', given: { path: 'a.md', content: '~/.aws/credentials' } },
  ])('$given of $tool is not', async ({ tool, given }) => {
    expect((await check(tool, given)).rules).not.toContain('secretFiles');
  });
});

describe('the judge of hooks', () => {
  const state = '/srv/state';
  test.each([
    { tool: 'read_file', given: { path: `${state}/judge-key` } },
    { tool: 'read_file', given: { path: '~/.local/state/sallyport/judge-key' } },
    { tool: 'shell', given: { command: 'secret-tool lookup service sallyport-judge account /srv/state' } },
    { tool: 'shell', given: { command: 'security find-generic-password -s sallyport-judge -w' } },
  ])('has a key that is guarded: $given', async ({ tool, given }) => {
    expect(await check(tool, given)).toMatchObject({ outcome: 'ask', rule: 'secretFiles' });
  });

  test.each([
    { tool: 'edit_note', given: { path: `${state}/judge.json`, content: '{}' } },
    { tool: 'edit_note', given: { path: '~/.local/state/sallyport/judge.json', content: '{}' } },
    { tool: 'shell', given: { command: 'echo {} > ~/.local/state/sallyport/judge.json' } },
    { tool: 'shell', given: { command: 'cp /tmp/x ~/AppData/Local/sallyport/state/judge.json' } },
  ])('is changed by no call: $given', async ({ tool, given }) => {
    expect(await check(tool, given)).toMatchObject({ outcome: 'ask', rule: 'ownFiles' });
  });

  test.each(['docs/judge-key.md', 'src/judge.json', 'judges/key.ts'])('is not %s', async (path) => {
    expect((await check('edit_note', { path, content: 'x' })).outcome).toBe('allow');
  });
});
