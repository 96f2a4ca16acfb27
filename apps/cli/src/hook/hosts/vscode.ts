import type { HookEvent } from '../event.ts';
import { callOf, type Fields, type HostHooks, permissionOutput, sessionOf, textOf } from './host.ts';

/** The documented names differ from version to version: `sessionId` and `session_id`. */
function eventName({ hookEventName, hook_event_name }: Fields): unknown {
  return hookEventName ?? hook_event_name;
}

function read(input: Fields): HookEvent | undefined {
  const session = sessionOf(input.sessionId ?? input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const call = callOf(input);
  switch (eventName(input)) {
    case 'UserPromptSubmit':
      return { type: 'prompt', text: textOf(input.prompt) ?? '', ...session };
    case 'PreToolUse':
      return call && { type: 'call', ...call, ...session };
    case 'PostToolUse':
      return call && { type: 'result', result: input.tool_response, ...call, ...session };
    default:
      return undefined;
  }
}

/** The contract: https://code.visualstudio.com/docs/agent-customization/hooks */
export const vscode: HostHooks = {
  host: 'vscode',
  name: 'VS Code',
  events: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse'],
  lacks: [
    'It does not tell when a session ends, and it tells no result of a call that failed.',
    'Files that you attach to a message and instruction files are read without an event, so what they say is not known.',
    'Hooks are a preview there, and an organization can switch them off.',
  ],
  read,
  write: (input, answer) => permissionOutput(eventName(input), answer),
};
