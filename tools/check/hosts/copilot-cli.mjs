import { join } from 'node:path';
import { anthropic } from './wires.mjs';

/** `copilot help providers`, `copilot help environment` */
export const copilotCli = {
  host: 'copilot-cli',
  hooks: 'vscode',
  name: 'Copilot CLI',
  package: '@github/copilot',
  bin: 'copilot',
  wire: anthropic,
  environment: ({ provider }) => ({
    COPILOT_PROVIDER_BASE_URL: provider.url,
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'claude-sonnet-4',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  files: ({ project }) => ({ '.copilot/config.json': { trustedFolders: [project] } }),
  calls: ({ project }) => ({
    read: (path) => ({ name: 'view', input: { path: join(project, path) } }),
    edit: (path, from, to) => ({ name: 'edit', input: { path: join(project, path), old_str: from, new_str: to } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run a command' } }),
  }),
  headless: (prompt) => ['--allow-all-tools', '-p', prompt],
  dialog: {
    start: (prompt) => ['--allow-all-tools', '-i', prompt],
    question: /Do you want to allow this tool call/,
    yes: ['Enter'],
    no: ['Escape'],
  },
};
