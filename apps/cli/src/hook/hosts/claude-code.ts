import { dirname, relative } from 'node:path';
import type { HookAnswer, HookEvent } from '../event.ts';
import {
  callOf,
  commonEvent,
  contentOf,
  deniedIf,
  type Fields,
  type HostHooks,
  type HostOutput,
  permissionOutput,
  sessionOf,
  textOf,
} from './host.ts';

type Session = NonNullable<ReturnType<typeof sessionOf>>;

/** VS Code and Cursor run the hooks of Claude Code too, with fields of their own. They have hooks of their own here. */
function isOfAnotherHost(input: Fields): boolean {
  return ['sessionId', 'hookEventName', 'timestamp', 'conversation_id', 'cursor_version'].some((name) => name in input);
}

/** The modes in which Claude Code may answer its own dialogs. */
const UNATTENDED: ReadonlySet<unknown> = new Set(['auto', 'bypassPermissions', 'dontAsk']);
/** Modes without a dialog: `dontAsk` refuses what would be asked, the other may let it pass. */
const NO_DIALOG: ReadonlySet<unknown> = new Set(['bypassPermissions', 'dontAsk']);

/** A command that the user stops has a result, with what it printed until then. */
function stopped({ tool_response }: Fields): { readonly isFailed?: true } {
  return (tool_response as Fields | null | undefined)?.interrupted === true ? { isFailed: true } : {};
}

/** The tool of a server. Its name alone can be read in two ways if that of the server holds the separator. */
function serverTool(name: string, server: unknown): string {
  const given = textOf((server as Fields | null | undefined)?.name);
  const prefix = `mcp__${given?.replace(/[^\w-]/g, '_')}__`;
  if (given === undefined || !name.startsWith(prefix)) return name;
  return `mcp__${given.replaceAll('__', '%5F%5F')}__${name.slice(prefix.length)}`;
}

/** A call without what changes nothing: models often say that the sandbox stays on. */
function plainCallOf(input: Fields): ReturnType<typeof callOf> {
  const { dangerouslyDisableSandbox: isOff, ...given } = (input.tool_input ?? {}) as Fields;
  const call = callOf(isOff === false ? { ...input, tool_input: given } : input);
  return call && { ...call, tool: serverTool(call.tool, input.mcp_server) };
}

/** Peers, channels, timers and programs submit prompts too. Earlier versions of Claude Code do not say who did. */
function promptEvent(input: Fields, session: Session): HookEvent | undefined {
  const { source = 'user', prompt } = input;
  const event = commonEvent('UserPromptSubmit', input, session);
  if (source === 'user') return event;
  return source === 'sdk' && event?.type === 'prompt'
    ? { ...event, isFromProgram: true }
    : contentOf('message', prompt, session);
}

/** Folders in a project that hold what others wrote. */
const OF_OTHERS = /(?:^|[\\/])(?:node_modules|site-packages|vendor|Pods)[\\/]/;

/** Recognizes an instruction file of the user or of the project, which may be in a folder above the working one. */
function isOwn({ file_path, memory_type }: Fields, { folder }: Session): boolean {
  if (memory_type === 'User' || memory_type === 'Managed') return true;
  if (typeof file_path !== 'string' || folder === undefined) return false;
  const isBelow = (path: string, base: string): boolean =>
    !/^\.\.(?:[\\/]|$)|^(?:[a-z]:)?[\\/]/i.test(relative(base, path));
  return (
    (isBelow(file_path, folder) && !OF_OTHERS.test(relative(folder, file_path))) || isBelow(folder, dirname(file_path))
  );
}

/** An instruction file that is neither the user's nor the project's is content, such as one that another one includes. */
function instructions(input: Fields, session: Session): HookEvent | undefined {
  const path = textOf(input.file_path);
  return path === undefined || isOwn(input, session) ? undefined : { type: 'files', files: [path], ...session };
}

/** The text that a server gives for a prompt of its own. What the user types after a slash arrives as a prompt. */
function expansion({ expansion_type, command_name, prompt }: Fields, session: Session): HookEvent | undefined {
  const text = textOf(prompt);
  const isTyped = text === undefined || text.startsWith('/');
  return expansion_type === 'mcp_prompt' && !isTyped ? contentOf(String(command_name), text, session) : undefined;
}

/** What a server asks is content. */
function elicitation({ mcp_server_name: server, message, url, requested_schema }: Fields, session: Session): HookEvent {
  return contentOf(`mcp__${String(server)}__elicitation`, { message, url, requested_schema }, session);
}

/** What the user answers is theirs. */
function elicited({ action, content }: Fields, session: Session): HookEvent | undefined {
  const values = Object.values((content ?? {}) as Fields).filter((each) => typeof each === 'string');
  return action === 'accept' && values.length > 0 ? { type: 'prompt', text: values.join('\n'), ...session } : undefined;
}

function read(input: Fields): HookEvent | undefined {
  const session = isOfAnotherHost(input) ? undefined : sessionOf(input.session_id, input.cwd);
  if (session === undefined) return undefined;
  const { hook_event_name: name, permission_mode: mode } = input;
  const call = plainCallOf(input);
  switch (name) {
    case 'UserPromptSubmit':
      return promptEvent(input, session);
    case 'UserPromptExpansion':
      return expansion(input, session);
    case 'InstructionsLoaded':
      return instructions(input, session);
    case 'Elicitation':
      return elicitation(input, session);
    case 'ElicitationResult':
      return elicited(input, session);
    case 'PermissionDenied':
      return call && { type: 'refused', ...call, ...session };
    default: {
      const event = commonEvent(name, input, session, call);
      if (event?.type === 'result') return { ...event, ...stopped(input) };
      if (event?.type !== 'call') return event;
      const unattended = UNATTENDED.has(mode) && { isUnattended: true };
      return { ...event, ...unattended, ...(NO_DIALOG.has(mode) && { hasNoDialog: true }) };
    }
  }
}

/** The events whose answer may hold a text for the model. */
const TOLD: ReadonlySet<unknown> = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
]);
/** The length that Claude Code reads of what is for its classifier, in UTF-16 units. */
const MAX_PROVENANCE = 2000;

function write({ hook_event_name: name, permission_mode: mode }: Fields, given: HookAnswer): HostOutput {
  const { context, result, provenance, ...answer } = deniedIf(NO_DIALOG.has(mode), given);
  const isResult = name === 'PostToolUse';
  const told = TOLD.has(name) && context !== undefined ? { ...answer, context } : answer;
  return permissionOutput(name, told, {
    ...(isResult && result !== undefined && { updatedToolOutput: result }),
    ...(isResult &&
      mode === 'auto' &&
      provenance !== undefined && { classifierContext: provenance.slice(0, MAX_PROVENANCE).toWellFormed() }),
  });
}

/** The contract: https://code.claude.com/docs/en/hooks, and `sdk.d.ts` of @anthropic-ai/claude-agent-sdk */
export const claudeCode: HostHooks = {
  host: 'claude-code',
  name: 'Claude Code',
  events: [
    'UserPromptSubmit',
    'UserPromptExpansion',
    'InstructionsLoaded',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionDenied',
    'Elicitation',
    'ElicitationResult',
    'SessionEnd',
  ],
  lacks: [
    'In the mode bypassPermissions it may not show a question, and in dontAsk it never does: a call that would be asked about is denied there, and you allow it with sallyport approve.',
    'It does not tell the text of a command or a prompt of a server that you start with a slash.',
  ],
  read,
  write,
};
