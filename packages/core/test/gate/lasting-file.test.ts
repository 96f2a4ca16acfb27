import { describe, expect, it } from 'vitest';
import { createBoundary, defineTool } from '../../src/index.ts';
import { signs } from '../world.ts';

const TOOLS = [defineTool({ name: 'Write', origin: 'workspace', effect: 'write', modelText: ['content'] })];

// Folders of people, in pieces: no file of this repository names one of a machine.
const FOLDERS: Readonly<Record<string, string>> = {
  HOME: ['', 'home', 'ann'].join('/'),
  MAC: ['', 'Users', 'ann'].join('/'),
  ROOT: ['', 'root'].join('/'),
  WINDOWS: ['C:', 'Users', 'ann'].join('\\'),
};

async function effectOfWriting(given: string): Promise<string> {
  const path = given.replace(/HOME|MAC|ROOT|WINDOWS/, (name) => FOLDERS[name] ?? name);
  const conversation = createBoundary({ tools: TOOLS, classifier: signs }).conversation('c');
  conversation.addUserMessage('Work on the project and save what you change.');
  await conversation.request();
  const { outcome, effect } = await conversation.check({
    id: 'c',
    tool: 'Write',
    arguments: { file_path: path, content: 'x' },
  });
  return `${outcome} ${effect}`;
}

describe('writing a file that acts later is to configure', () => {
  it.each([
    '.git/config',
    'app/.git/hooks/pre-commit',
    'app//./.git/config',
    '.GIT/config',
    'GIT~1/config',
    '.g\u200cit/config',
    '\u200d.git/config',
    '.gitmodules',
    '.husky/pre-commit',
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.yarn/releases/yarn.cjs',
    '.lintstagedrc.json',
    '.pre-commit-config.yaml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    '.github/workflows/ci.yml',
    '.github/copilot-instructions.md',
    'docs/copilot-instructions.md',
    '.devcontainer/devcontainer.json',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.venv/bin/python',
    'node_modules/.bin/eslint',
    '.cache/../.git/config',
    '~/.bashrc',
    '~/.cache/x/y.sh',
    '~ann/.profile',
    'HOME/.bash_aliases',
    'HOME/.zprofile',
    'HOME/.bash_login',
    'HOME/.vimrc',
    'HOME/.tmux.conf',
    'HOME/.emacs.d/init.el',
    'HOME/.cargo/config.toml',
    'HOME/.local/bin/git',
    'HOME/bin/git',
    'ROOT/.ssh/authorized_keys',
    '/usr/local/bin/git',
    '/usr/local/lib/python3/site.py',
    '/etc/cron.d/job',
    '/private/etc/hosts',
    '/var/spool/cron/ann',
    'MAC/Library/LaunchAgents/a.plist',
    'file://HOME/.bashrc',
    'file://HOME/app/%2egit/config',
    'src/../.git/config',
    'HOME/app/../../../etc/passwd',
    '../../../../etc/passwd',
    'HOME/app/../.profile',
    '/tmp/..HOME/bin/git',
    'AGENTS.md',
    'docs/AGENTS.override.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    '.mcp.json',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
    '.codex/config.toml',
    'WINDOWS\\proj\\.git\\hooks\\pre-commit',
    'WINDOWS\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.bat',
    'C:\\ProgramData\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.bat',
    'C:\\Windows\\System32\\drivers\\etc\\hosts',
    'WINDOWS\\Documents\\WindowsPowerShell\\Microsoft.PowerShell_profile.ps1',
    'WINDOWS\\_vimrc',
    '/mnt/c/Windows/win.ini',
  ])('%s', async (path) => {
    expect(await effectOfWriting(path)).toBe('ask configure');
  });
});

describe('writing another file stays a write', () => {
  it.each([
    'src/index.ts',
    '.runkit_example.js',
    './src/../src/index.ts',
    '../lib/etc.ts',
    'https://shop.example/.well-known/a',
    'HOME/project/bin/cli.js',
    '/usr/src/app/index.ts',
    '/tmp/.tmpA1b2C3/notes.md',
    '/workspace/lib/etc/a.ts',
    'WINDOWS\\project\\src\\a.ts',
    'WINDOWS\\AppData\\Local\\Temp\\a.txt',
    'package.json',
    '.gitignore',
    'packages/app/.gitattributes',
    '.editorconfig',
    '.env',
    '.env.local',
    '.env.production.local',
    'HOME/project/.env.example',
    '.nvmrc',
    '.node-version',
    '.python-version',
    '.tool-versions',
    '.npmignore',
    '.dockerignore',
    '.eslintrc',
    '.eslintrc.cjs',
    '.eslintignore',
    '.prettierrc',
    '.prettierrc.json',
    '.prettierignore',
    '.stylelintrc.json',
    '.babelrc',
    '.browserslistrc',
    '.runkit_example.js',
    '.changeset/brave-cats-sing.md',
    '.storybook/main.ts',
    '.next/cache/a.json',
    'node_modules/.cache/a.json',
    'src/crontab.ts',
    'docs/agents.html',
  ])('%s', async (path) => {
    expect(await effectOfWriting(path)).toBe('allow write');
  });
});
