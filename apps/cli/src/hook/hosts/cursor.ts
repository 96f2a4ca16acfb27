import { CURSOR_MCP, canAsk } from '../can-ask.ts';
import type { HookAnswer, HookEvent } from '../event.ts';
import {
  callOf,
  type Fields,
  type HostHooks,
  type HostOutput,
  NO_OPINION,
  output,
  refusalOf,
  sessionOf,
  textOf,
} from './host.ts';

/** Some fields are JSON in a string. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Plain text, such as the output of a command.
    return value;
  }
}

/** The files that the user attached, and rules. */
function attachedIn({ attachments }: Fields): readonly string[] {
  const all = Array.isArray(attachments) ? (attachments as readonly Fields[]) : [];
  return all.flatMap(({ file_path, filePath }) => textOf(file_path ?? filePath) ?? []);
}

function read(input: Fields): HookEvent | undefined {
  const [root] = Array.isArray(input.workspace_roots) ? input.workspace_roots : [];
  const session = sessionOf(input.conversation_id, textOf(input.cwd) ?? root);
  if (session === undefined) return undefined;
  const call = callOf({ ...input, tool_input: decoded(input.tool_input) });
  switch (input.hook_event_name) {
    case 'beforeSubmitPrompt':
      return { type: 'prompt', text: textOf(input.prompt) ?? '', files: attachedIn(input), ...session };
    case 'beforeShellExecution':
      return { type: 'call', tool: 'Shell', arguments: { command: input.command }, ...session };
    case 'beforeMCPExecution':
      // Results do not name the server, so calls do not either.
      return call && { type: 'call', ...call, tool: `${CURSOR_MCP}${call.tool}`, ...session };
    case 'preToolUse':
      return call && !canAsk('cursor', call) ? { type: 'call', ...call, ...session } : undefined;
    case 'postToolUse':
      return call && { type: 'result', result: decoded(input.tool_output), ...call, ...session };
    case 'postToolUseFailure':
      return call && { type: 'result', result: input.error_message, isFailed: true, ...call, ...session };
    case 'sessionEnd':
      return { type: 'end', ...session };
    default:
      return undefined;
  }
}

function write({ hook_event_name: name }: Fields, answer: HookAnswer): HostOutput {
  const { outcome, reason, context } = answer;
  if (name === 'beforeSubmitPrompt') return output({ continue: true });
  if (context !== undefined) return output({ additional_context: context });
  if (outcome === 'allow') return NO_OPINION;
  // `preToolUse` accepts "ask" and does not obey it.
  if (outcome === 'ask' && name !== 'preToolUse') return output({ permission: 'ask', user_message: reason });
  return output({ permission: 'deny', user_message: reason, agent_message: refusalOf(answer) });
}

/** The contract: https://cursor.com/docs/hooks */
export const cursor: HostHooks = {
  host: 'cursor',
  name: 'Cursor',
  events: [
    'beforeSubmitPrompt',
    'preToolUse',
    'beforeShellExecution',
    'beforeMCPExecution',
    'postToolUse',
    'postToolUseFailure',
    'sessionEnd',
  ],
  lacks: [
    'It can ask you about shell commands and MCP tools only: other calls that would be asked about are denied, and you allow them with sallyport approve.',
    'Results of MCP tools do not name their server.',
  ],
  read,
  write,
};
