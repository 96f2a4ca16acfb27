import { join } from 'node:path';
import { anthropic } from './wires.mjs';

/** https://code.claude.com/docs/en/settings */
export const claudeCode = {
  host: 'claude-code',
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  bin: 'claude',
  wire: anthropic,
  environment: ({ provider }) => ({
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_AUTH_TOKEN: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  files: ({ project }) => ({
    '.claude/settings.json': { permissions: { allow: ['Read', 'Edit', 'Bash'] } },
    '.claude.json': {
      hasCompletedOnboarding: true,
      theme: 'dark',
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    },
  }),
  calls: ({ project }) => ({
    read: (path) => ({ name: 'Read', input: { file_path: join(project, path) } }),
    edit: (path, from, to) => ({
      name: 'Edit',
      input: { file_path: join(project, path), old_string: from, new_string: to },
    }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run a command' } }),
  }),
  headless: (prompt) => ['-p', prompt, '--output-format', 'json'],
  dialog: { start: (prompt) => [prompt], question: /Do you want to proceed\?/, yes: ['Enter'], no: ['Escape'] },
};
