import type { HookAnswer, HookEvent } from '../event.ts';
import {
  callOf,
  commonEvent,
  contentOf,
  deniedIf,
  type Fields,
  type HostHooks,
  type HostOutput,
  output,
  patchOf,
  permissionOutput,
  resultIn,
  sessionOf,
} from './host.ts';

/** A patch is in the field of a command, and is none. */
function editOf(call: ReturnType<typeof callOf>): ReturnType<typeof callOf> {
  const { command } = (call?.arguments ?? {}) as Fields;
  return call?.tool === 'apply_patch' ? { ...call, arguments: patchOf(command) } : call;
}

function read(input: Fields): HookEvent | undefined {
  const session = sessionOf(input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const { hook_event_name: name, agent_id, prompt } = input;
  // The model writes the prompt of an agent that it starts.
  if (name === 'UserPromptSubmit' && agent_id !== undefined) return contentOf('spawn_agent', prompt, session);
  return commonEvent(name, input, session, editOf(callOf(input)));
}

function write({ hook_event_name: name }: Fields, given: HookAnswer): HostOutput {
  const result = resultIn(given);
  // The reason of a block is what the model reads in place of the result.
  if (name === 'PostToolUse' && result !== undefined)
    return output({
      decision: 'block',
      reason: [given.context, result].filter((each) => each !== undefined).join('\n\n'),
    });
  // It makes a call if a hook asks: the decision would be an error.
  return permissionOutput(name, deniedIf(true, given));
}

/** The contract: https://developers.openai.com/codex/hooks, and codex-rs/hooks/schema */
export const codex: HostHooks = {
  host: 'codex',
  name: 'Codex',
  events: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SessionEnd'],
  lacks: [
    'It skips hooks that you have not trusted: type /hooks in Codex and trust them, now and after each change.',
    'It cannot ask you: a call that would be asked about is denied, and you allow it with sallyport approve.',
    'Its web search has no event, and instruction files such as AGENTS.md are read without one.',
  ],
  read,
  write,
};
