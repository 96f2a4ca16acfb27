import { join } from 'node:path';
import { gemini } from './wires.mjs';

// Its own rules let everything pass.
const OPTIONS = ['-m', 'gemini-2.5-pro', '--approval-mode', 'yolo'];

/** https://geminicli.com/docs/reference/configuration */
export const geminiCli = {
  host: 'gemini-cli',
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  bin: 'gemini',
  wire: gemini,
  environment: ({ provider }) => ({ GOOGLE_GEMINI_BASE_URL: provider.url, GEMINI_API_KEY: 'none' }),
  files: () => ({
    '.gemini/settings.json': {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    },
  }),
  calls: ({ project }) => ({
    read: (path) => ({ name: 'read_file', input: { file_path: join(project, path) } }),
    edit: (path, from, to) => ({
      name: 'replace',
      input: { file_path: join(project, path), instruction: 'Correct it.', old_string: from, new_string: to },
    }),
    shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run a command' } }),
  }),
  headless: (prompt) => [...OPTIONS, '-p', prompt],
  dialog: {
    start: (prompt) => [...OPTIONS, '-i', prompt],
    question: /Allow execution of/,
    yes: ['Enter'],
    no: ['Escape'],
  },
};
