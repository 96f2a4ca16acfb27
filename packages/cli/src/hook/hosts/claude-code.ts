import type { HookEvent } from '../event.ts';
import { callOf, type Fields, type HostHooks, permissionOutput, promptOf, sessionOf } from './host.ts';

/** VS Code and Cursor run the hooks of Claude Code too, with fields of their own. They have hooks of their own here. */
function isOfAnotherHost(input: Fields): boolean {
  return ['sessionId', 'hookEventName', 'timestamp', 'conversation_id', 'cursor_version'].some((name) => name in input);
}

function read(input: Fields): HookEvent | undefined {
  const session = isOfAnotherHost(input) ? undefined : sessionOf(input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const call = callOf(input);
  switch (input.hook_event_name) {
    case 'UserPromptSubmit':
      return { ...promptOf(input.prompt), ...session };
    case 'PreToolUse':
      return call && { type: 'call', ...call, ...session };
    case 'PostToolUse':
      return call && { type: 'result', result: input.tool_response, ...call, ...session };
    case 'PostToolUseFailure':
      return call && { type: 'result', result: input.error, ...call, ...session };
    case 'SessionEnd':
      return { type: 'end', ...session };
    default:
      return undefined;
  }
}

/** The contract: https://code.claude.com/docs/en/hooks */
export const claudeCode: HostHooks = {
  host: 'claude-code',
  name: 'Claude Code',
  events: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionEnd'],
  lacks: ['Instruction files such as CLAUDE.md are read without an event, so what they say is not known.'],
  read,
  write: (input, answer) => permissionOutput(input.hook_event_name, answer),
};
