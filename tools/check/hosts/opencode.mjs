import { join } from 'node:path';
import { anthropic } from './wires.mjs';

const NEEDED = { '@opencode-ai/plugin': '*' };

/** https://opencode.ai/docs/config */
export const opencode = {
  host: 'opencode',
  name: 'opencode',
  package: 'opencode-ai',
  bin: 'opencode',
  wire: anthropic,
  environment: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  files: ({ provider }) => ({
    // Without this it installs a package for plugins from npm first.
    '.config/opencode/node_modules/@opencode-ai/plugin/package.json': { name: '@opencode-ai/plugin' },
    '.config/opencode/package.json': { dependencies: NEEDED },
    '.config/opencode/package-lock.json': { packages: { '': { dependencies: NEEDED } } },
    '.config/opencode/opencode.json': {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/model',
      small_model: 'scripted/model',
      provider: {
        scripted: {
          npm: '@ai-sdk/anthropic',
          options: { baseURL: `${provider.url}/v1`, apiKey: 'none' },
          models: { model: { name: 'Scripted', tool_call: true, limit: { context: 200000, output: 8000 } } },
        },
      },
    },
  }),
  calls: ({ project }) => ({
    read: (path) => ({ name: 'read', input: { filePath: join(project, path) } }),
    edit: (path, from, to) => ({
      name: 'edit',
      input: { filePath: join(project, path), oldString: from, newString: to },
    }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run a command' } }),
  }),
  headless: (prompt) => ['run', prompt],
};
