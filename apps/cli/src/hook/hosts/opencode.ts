import type { HookAnswer, HookEvent } from '../event.ts';
import {
  contentOf,
  deniedIf,
  type Fields,
  type HostHooks,
  type HostOutput,
  NO_OPINION,
  output,
  patchOf,
  promptOf,
  refusalOf,
  resultIn,
  sessionOf,
  textOf,
} from './host.ts';

/** The names that other hosts have for the same arguments. */
function argumentsOf({ tool, args }: Fields): unknown {
  const { patchText, filePath, ...rest } = (args ?? {}) as Fields;
  if (patchText !== undefined) return { ...patchOf(patchText), ...rest };
  return filePath === undefined || tool === 'read' ? (args ?? {}) : { file_path: filePath, ...rest };
}

/** Reads what the plugin sends, which `init` writes: init/hooks/opencode-plugin.ts. */
function read(input: Fields): HookEvent | undefined {
  const session = sessionOf(input.session, input.directory);
  if (session === undefined) return undefined;
  const tool = textOf(input.tool);
  const id = textOf(input.call);
  const call = tool && { tool, arguments: argumentsOf(input), ...(id !== undefined && { id }) };
  switch (input.event) {
    case 'prompt':
      return { ...promptOf(input.text), ...session };
    case 'content':
      return contentOf(tool ?? 'message', input.text, session);
    case 'call':
      return call ? { type: 'call', ...call, ...session } : undefined;
    case 'result':
      return call ? { type: 'result', result: input.result, ...call, ...session } : undefined;
    case 'end':
      return { type: 'end', ...session };
    default:
      return undefined;
  }
}

function write({ event }: Fields, given: HookAnswer): HostOutput {
  const answer = deniedIf(true, given);
  if (event === 'call' && answer.outcome === 'deny') return output({ deny: refusalOf(answer) });
  const result = event === 'result' ? resultIn(answer) : undefined;
  if (answer.context === undefined && result === undefined) return NO_OPINION;
  return output({ context: answer.context, result });
}

/** The contract: `Hooks` in @opencode-ai/plugin */
export const opencode: HostHooks = {
  host: 'opencode',
  name: 'OpenCode',
  events: ['chat.message', 'command.execute.before', 'tool.execute.before', 'tool.execute.after', 'event'],
  lacks: [
    'Plugins cannot ask you: a call that would be asked about is denied, and you allow it with sallyport approve.',
    'It tells no result of a call that failed.',
    'Instruction files such as AGENTS.md are read without an event, so what they say is not known.',
  ],
  read,
  write,
};
