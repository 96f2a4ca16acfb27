import type { HookAnswer, HookEvent, Host } from '../event.ts';

/** The members of a JSON object. This file loads nothing: it runs on every tool call. */
export type Fields = Readonly<Record<string, unknown>>;

export interface HostOutput {
  readonly stdout: string;
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

/** The answer in the contract of Claude Code, which VS Code has taken over. */
export function permissionOutput(eventName: unknown, answer: HookAnswer): HostOutput {
  const { outcome, reason, context } = answer;
  if (eventName === 'PreToolUse' && outcome !== 'allow')
    return output({
      hookSpecificOutput: {
        hookEventName: eventName,
        permissionDecision: outcome,
        // A person reads why they are asked, and the model why it was denied.
        permissionDecisionReason: outcome === 'ask' ? reason : refusalOf(answer),
      },
    });
  if (context === undefined) return NO_OPINION;
  return output({ hookSpecificOutput: { hookEventName: eventName, additionalContext: context } });
}

/** The sentence for the user about a call that the host denies because it cannot ask. */
export function noticeOf({ reason = 'Sallyport held this call.', id }: HookAnswer): string {
  return id === undefined
    ? reason
    : `${reason} To let it pass, run \`sallyport approve ${id}\` in a terminal, then ask for it again.`;
}

/** The sentence for the model in a host that cannot ask: the person approves in a terminal, then the call is made again. */
export function refusalOf({ reason = 'Sallyport held this call.', id }: HookAnswer): string {
  return id === undefined
    ? reason
    : `${reason} Only the user can let it pass, with \`sallyport approve ${id}\` in a terminal of their own. Never run this command yourself; go on with what does not depend on it.`;
}
