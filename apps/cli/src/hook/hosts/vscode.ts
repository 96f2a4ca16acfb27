import type { HookAnswer, HookEvent } from '../event.ts';
import {
  commonEvent,
  contentOf,
  type Fields,
  type HostHooks,
  type HostOutput,
  NO_OPINION,
  output,
  permissionOf,
  permissionOutput,
  resultIn,
  sessionOf,
  textOf,
} from './host.ts';
import { isOfProject } from './prompt-hooks.ts';

/** The documented names differ from version to version: `sessionId` and `session_id`. */
function eventName({ hookEventName, hook_event_name }: Fields): unknown {
  return hookEventName ?? hook_event_name;
}

/** Copilot CLI gives a result another name. */
function withResult(input: Fields): Fields {
  const { text_result_for_llm: text } = (input.tool_result ?? {}) as Fields;
  return text === undefined ? input : { ...input, tool_response: text };
}

function read(input: Fields): HookEvent | undefined {
  const session = sessionOf(input.sessionId ?? input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const name = eventName(input);
  const prompt = textOf(input.prompt);
  if (name === 'UserPromptSubmit' && prompt !== undefined && isOfProject(prompt, session.folder))
    return contentOf('message', prompt, session);
  return commonEvent(name, withResult(input), session);
}

/** Copilot CLI reads the same answers without what is around them. */
function write(input: Fields, answer: HookAnswer): HostOutput {
  const name = eventName(input);
  const common = permissionOutput(name, answer);
  const result = name === 'PostToolUse' && 'tool_result' in input ? resultIn(answer) : undefined;
  const flat = {
    ...(name === 'PreToolUse' && answer.outcome !== 'allow' && permissionOf(answer)),
    ...(result !== undefined && { modifiedResult: { resultType: 'success', textResultForLlm: result } }),
    ...('tool_result' in input && answer.context !== undefined && { additionalContext: answer.context }),
  };
  if (Object.keys(flat).length === 0) return common;
  return output({ ...(common === NO_OPINION ? {} : (JSON.parse(common.stdout) as Fields)), ...flat });
}

/** The contracts: https://code.visualstudio.com/docs/agent-customization/hooks and https://docs.github.com/en/copilot/reference/hooks-reference */
export const vscode: HostHooks = {
  host: 'vscode',
  name: 'VS Code and Copilot CLI',
  // VS Code has no event for a call that failed, or the end of a session.
  events: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionEnd'],
  lacks: [
    'VS Code does not tell when a session ends, and it tells no result of a call that failed.',
    'Files that you attach to a message in VS Code and instruction files are read without an event, so what they say is not known.',
    'Prompts that a plugin of Copilot CLI submits count as yours.',
    'Hooks are a preview in VS Code, and an organization can switch them off.',
  ],
  read,
  write,
};
