import type { HookAnswer, HookEvent } from '../event.ts';
import { type Fields, type HostHooks, type HostOutput, promptOf, refusalOf, sessionOf, textOf } from './host.ts';

type Call = { readonly tool: string; readonly arguments: unknown };

function serverCall({ mcp_server_name, mcp_tool_name, mcp_tool_arguments = {} }: Fields): Call {
  return { tool: `mcp__${String(mcp_server_name)}__${String(mcp_tool_name)}`, arguments: mcp_tool_arguments };
}

function read({ agent_action_name: name, trajectory_id, tool_info }: Fields): HookEvent | undefined {
  const info = (tool_info ?? {}) as Fields;
  // It starts hooks in the folder of the workspace.
  const session = sessionOf(trajectory_id, textOf(info.cwd) ?? process.cwd());
  if (session === undefined) return undefined;
  const { command_line: command, file_path, mcp_result, user_prompt } = info;
  switch (name) {
    case 'pre_user_prompt':
      return { ...promptOf(user_prompt), ...session };
    case 'pre_run_command':
      return { type: 'call', tool: 'run_command', arguments: { command }, ...session };
    case 'pre_read_code':
      return { type: 'call', tool: 'read_code', arguments: info, ...session };
    case 'pre_write_code':
      return { type: 'call', tool: 'write_code', arguments: info, ...session };
    case 'pre_mcp_tool_use':
      return { type: 'call', ...serverCall(info), ...session };
    case 'post_read_code':
      return { type: 'files', files: textOf(file_path) === undefined ? [] : [String(file_path)], ...session };
    case 'post_mcp_tool_use':
      return { type: 'result', result: mcp_result, ...serverCall(info), ...session };
    default:
      return undefined;
  }
}

/** It takes no JSON. The model reads what is printed with exit code 2. */
function write(_: Fields, answer: HookAnswer): HostOutput {
  if (answer.outcome === 'allow') return { stdout: '', exitCode: 0 };
  return { stdout: '', stderr: `${refusalOf(answer)}\n`, exitCode: 2 };
}

/** The contract: https://docs.windsurf.com/windsurf/cascade/hooks */
export const windsurf: HostHooks = {
  host: 'windsurf',
  name: 'Windsurf',
  events: [
    'pre_user_prompt',
    'pre_read_code',
    'pre_write_code',
    'pre_run_command',
    'pre_mcp_tool_use',
    'post_read_code',
    'post_mcp_tool_use',
  ],
  lacks: [
    'It cannot ask you: a call that would be asked about is denied, and you allow it with sallyport approve.',
    'It does not tell what a command prints, what a search finds or what a page says, so what the agent reads there is not known.',
    'It takes no notes about results, and does not tell when a session ends.',
    'Instruction files are read without an event, so what they say is not known.',
  ],
  read,
  write,
};
