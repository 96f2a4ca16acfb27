import type { HookEvent } from '../event.ts';
import { callOf, type Fields, type HostHooks, permissionOutput, promptOf, sessionOf } from './host.ts';

/** VS Code and Cursor run the hooks of Claude Code too, with fields of their own. They have hooks of their own here. */
function isOfAnotherHost(input: Fields): boolean {
  return ['sessionId', 'hookEventName', 'timestamp', 'conversation_id', 'cursor_version'].some((name) => name in input);
}

/** The modes in which Claude Code may answer its own dialogs. */
const UNATTENDED: ReadonlySet<unknown> = new Set(['auto', 'bypassPermissions', 'dontAsk']);

/** A command that the user stops has a result, with what it printed until then. */
function stopped({ tool_response }: Fields): { readonly isFailed?: true } {
  return (tool_response as Fields | null | undefined)?.interrupted === true ? { isFailed: true } : {};
}

/** A call without what changes nothing: models often say that the sandbox stays on. */
function plainCallOf(input: Fields): ReturnType<typeof callOf> {
  const { dangerouslyDisableSandbox: isOff, ...given } = (input.tool_input ?? {}) as Fields;
  return callOf(isOff === false ? { ...input, tool_input: given } : input);
}

/** Peers, channels, timers and programs submit prompts too. Earlier versions of Claude Code do not say who did. */
function isTyped({ source }: Fields): boolean {
  return source === undefined || source === 'user';
}

function read(input: Fields): HookEvent | undefined {
  const session = isOfAnotherHost(input) ? undefined : sessionOf(input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const call = plainCallOf(input);
  switch (input.hook_event_name) {
    case 'UserPromptSubmit':
      return isTyped(input)
        ? { ...promptOf(input.prompt), ...session }
        : { type: 'result', tool: 'message', arguments: {}, result: input.prompt, ...session };
    case 'PreToolUse':
      return (
        call && {
          type: 'call',
          ...call,
          ...session,
          ...(UNATTENDED.has(input.permission_mode) && { isUnattended: true }),
        }
      );
    case 'PostToolUse':
      return call && { type: 'result', result: input.tool_response, ...call, ...session, ...stopped(input) };
    case 'PostToolUseFailure':
      return call && { type: 'result', result: input.error, isFailed: true, ...call, ...session };
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
