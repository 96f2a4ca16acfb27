import type { HookAnswer, HookEvent } from '../event.ts';
import {
  callOf,
  deniedIf,
  type Fields,
  type HostHooks,
  type HostOutput,
  NO_OPINION,
  noticeOf,
  output,
  promptOf,
  refusalOf,
  sessionOf,
} from './host.ts';

/** The part of a result that the model reads. The rest is for the screen. */
function shownTo(response: unknown): { readonly result: unknown; readonly isFailed?: true } {
  const { llmContent, error } = (response ?? {}) as Fields;
  return { result: llmContent ?? error ?? response, ...(error !== undefined && error !== null && { isFailed: true }) };
}

/** The addresses of `web_fetch` are part of its prompt. */
function withUrls(call: ReturnType<typeof callOf>): ReturnType<typeof callOf> {
  const { prompt } = (call?.arguments ?? {}) as Fields;
  if (call?.tool !== 'web_fetch' || typeof prompt !== 'string') return call;
  return {
    ...call,
    arguments: { ...(call.arguments as Fields), urls: prompt.match(/\bhttps?:\/\/[^\s"'<>]+/gi) ?? [] },
  };
}

/** The tools about which it asks if a hook says so. It makes calls of agents and of tools that the user trusts in spite of that. */
const ASKED: ReadonlySet<unknown> = new Set([
  'run_shell_command',
  'write_file',
  'replace',
  'web_fetch',
  'google_web_search',
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
]);

function read(input: Fields): HookEvent | undefined {
  const session = sessionOf(input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const call = withUrls(callOf(input));
  switch (input.hook_event_name) {
    case 'BeforeAgent':
      return { ...promptOf(input.prompt), ...session };
    case 'BeforeTool':
      return call && { type: 'call', ...call, ...session, ...(!ASKED.has(call.tool) && { hasNoDialog: true }) };
    case 'AfterTool':
      return call && { type: 'result', ...shownTo(input.tool_response), ...call, ...session };
    case 'SessionEnd':
      return { type: 'end', ...session };
    default:
      return undefined;
  }
}

function write({ hook_event_name: name, tool_name: tool }: Fields, given: HookAnswer): HostOutput {
  const answer = deniedIf(!ASKED.has(tool), given);
  const { outcome, context } = answer;
  // The dialog shows the message for the system.
  if (name === 'BeforeTool' && outcome === 'ask') return output({ decision: 'ask', systemMessage: answer.reason });
  if (name === 'BeforeTool' && outcome === 'deny')
    return output({ decision: 'deny', reason: refusalOf(answer), systemMessage: noticeOf(answer) });
  if (context === undefined) return NO_OPINION;
  return output({ hookSpecificOutput: { hookEventName: name, additionalContext: context } });
}

/** The contract: https://geminicli.com/docs/hooks/reference */
export const geminiCli: HostHooks = {
  host: 'gemini-cli',
  name: 'Gemini CLI',
  events: ['BeforeAgent', 'BeforeTool', 'AfterTool', 'SessionEnd'],
  needs: { program: 'gemini', package: '@google/gemini-cli', version: '0.36.0' },
  lacks: [
    'Versions before 0.36 do not know the question, and make a call that should be asked about: update them.',
    'It asks about its own tools only: calls of MCP tools and agents that would be asked about are denied, and you allow them with sallyport approve.',
    'Without a terminal, such as with -p, it waits without end for the answer to a question.',
    'Instruction files such as GEMINI.md are read without an event, so what they say is not known.',
  ],
  read,
  write,
};
