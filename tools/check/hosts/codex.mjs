import { responses } from './wires.mjs';

/** https://developers.openai.com/codex/config-reference */
export const codex = {
  host: 'codex',
  name: 'Codex CLI',
  package: '@openai/codex',
  bin: 'codex',
  wire: responses,
  environment: () => ({}),
  files: ({ provider, project }) => ({
    '.codex/config.toml': `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted"
base_url = "${provider.url}/v1"
wire_api = "responses"

[projects."${project}"]
trust_level = "trusted"
`,
  }),
  calls: () => {
    const shell = (cmd) => ({ name: 'exec_command', input: { cmd } });
    return {
      read: (path) => shell(`cat ${path}`),
      edit: (path, from, to) => ({
        name: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch\n`,
      }),
      shell,
    };
  },
  headless: (prompt) => ['exec', prompt],
  /** It skips hooks until a person trusts them. */
  async trust({ waitFor, type }) {
    await waitFor(/Hooks need review/);
    await type('Down');
    await waitFor(/\u203a 2\. Trust all/);
    await type('Enter');
    // News about models may follow.
    await waitFor(/^(?!.*Hooks need review)/s);
  },
};
