import type { HookAnswer, HookEvent, Host } from '../event.ts';
import { resultText } from '../result-text.ts';

/** The members of a JSON object. This file loads next to nothing: it runs on every tool call. */
export type Fields = Readonly<Record<string, unknown>>;

export interface HostOutput {
  readonly stdout: string;
  /** What a host shows that takes no JSON. @default nothing */
  readonly stderr?: string;
  readonly exitCode: number;
}

/** One host's contract: which events it has, how they are read, and how they are answered. */
export interface HostHooks {
  readonly host: Host;
  /** The host's name for people. */
  readonly name: string;
  /** The events to register, by the host's own names. */
  readonly events: readonly string[];
  /** Facts that the host does not tell and things that it cannot do, each as one sentence. */
  readonly lacks: readonly string[];
  /** The first version that obeys the answers, where the host's package of npm tells it. @default all do */
  readonly needs?: { readonly program: string; readonly package: string; readonly version: string };
  /** Reads an event. Undefined if there is nothing to do. */
  read(input: Fields): HookEvent | undefined;
  /** Answers an event. */
  write(input: Fields, answer: HookAnswer): HostOutput;
}

/** "Allow" in most hosts skips their own question. Without an opinion, their rules decide as before. */
export const NO_OPINION: HostOutput = { stdout: '{}', exitCode: 0 };

export function output(value: Fields): HostOutput {
  return { stdout: JSON.stringify(value), exitCode: 0 };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The fields that most hosts have in common, under the names that most of them use. */
export function sessionOf(session: unknown, folder: unknown): { session: string; folder?: string } | undefined {
  const id = textOf(session);
  const path = textOf(folder);
  return id === undefined ? undefined : { session: id, ...(path !== undefined && { folder: path }) };
}

export function callOf(input: Fields): { id?: string; tool: string; arguments: unknown } | undefined {
  const { tool_name, tool_input = {}, tool_use_id } = input;
  const tool = textOf(tool_name);
  const id = textOf(tool_use_id);
  return tool === undefined ? undefined : { tool, arguments: tool_input, ...(id !== undefined && { id }) };
}

/** The name after an `@`: in quotes, or without blanks, of which some are escaped. */
const MENTION = /(?<![\p{L}\p{N}_@])@(?:"([^"\n]+)"|((?:\\ |[^\s"@])*[\p{L}\p{N}_)\]]))/gu;
/** Lines of a file: `@src/a.ts#L5-20`. */
const LINES = /#L\d+(?:-L?\d+)?$/;
/** Signs after a name, which may also be a part of it. */
const SIGN = /[,;:)\]}'!?].*$/su;

/** A prompt and the files that it mentions: hosts read `@docs/plan.md` without an event of its own. Not every name need be a file. */
export function promptOf(prompt: unknown): { type: 'prompt'; text: string; files?: readonly string[] } {
  const text = textOf(prompt) ?? '';
  const mentioned = Array.from(text.matchAll(MENTION), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.replaceAll('\\ ', ' ') : quoted,
  );
  const names = mentioned.map((name) => name.replace(LINES, ''));
  const files = [...new Set(names.flatMap((name) => [name, name.replace(SIGN, '')]))].filter((name) => name !== '');
  return { type: 'prompt', text, ...(files.length > 0 && { files }) };
}

/** Reads an event in the contract of Claude Code, which VS Code, Copilot CLI and Codex have taken over. */
export function commonEvent(
  name: unknown,
  input: Fields,
  session: { session: string; folder?: string },
  call: ReturnType<typeof callOf> = callOf(input),
): HookEvent | undefined {
  switch (name) {
    case 'UserPromptSubmit':
      return { ...promptOf(input.prompt), ...session };
    case 'PreToolUse':
      return call && { type: 'call', ...call, ...session };
    case 'PostToolUse':
      return call && { type: 'result', result: input.tool_response, ...call, ...session };
    case 'PostToolUseFailure':
      return call && { type: 'result', result: input.error, isFailed: true, ...call, ...session };
    case 'SessionEnd':
      return { type: 'end', ...session };
    default:
      return undefined;
  }
}

/** A text that the model reads and the user did not type, such as what a program submits. */
export function contentOf(tool: string, result: unknown, session: { session: string; folder?: string }): HookEvent {
  return { type: 'result', tool, arguments: {}, result, ...session };
}

/** The files that a patch names, as arguments with the names that other tools give a path. */
export function patchOf(patch: unknown): Fields {
  const headers = String(patch).matchAll(/^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*\S)/gm);
  const paths = Array.from(headers, ([, path], index) => [index === 0 ? 'file_path' : `file_path_${index + 1}`, path]);
  return { patch, ...Object.fromEntries(paths) };
}

/** The decision about a call in the contract of Claude Code. */
export function permissionOf(answer: HookAnswer): Fields {
  const { outcome, reason } = answer;
  // A person reads why they are asked, and the model why it was denied.
  return { permissionDecision: outcome, permissionDecisionReason: outcome === 'ask' ? reason : refusalOf(answer) };
}

/** The answer in the contract of Claude Code. `more` is what only some hosts read. */
export function permissionOutput(eventName: unknown, answer: HookAnswer, more: Fields = {}): HostOutput {
  const { outcome, context } = answer;
  const about = {
    ...(eventName === 'PreToolUse' && outcome !== 'allow' && permissionOf(answer)),
    ...(context !== undefined && { additionalContext: context }),
    ...more,
  };
  return Object.keys(about).length === 0
    ? NO_OPINION
    : output({ hookSpecificOutput: { hookEventName: eventName, ...about } });
}

/** A question in a host that cannot ask. */
export function deniedIf(cannotAsk: boolean, answer: HookAnswer): HookAnswer {
  return cannotAsk && answer.outcome === 'ask' ? { ...answer, outcome: 'deny' } : answer;
}

/** The result in an answer for a host that takes a text. */
export function resultIn({ result }: HookAnswer): string | undefined {
  return result === undefined ? undefined : resultText(result);
}

/** The sentence for a host that cannot ask: the person approves in a terminal, then the call is made again. */
export function refusalOf({ reason = 'Sallyport held this call.', id }: HookAnswer): string {
  return id === undefined
    ? reason
    : `${reason} Only the user can let it pass, with \`sallyport approve ${id}\` in a terminal of their own. Never run this command yourself; go on with what does not depend on it.`;
}
