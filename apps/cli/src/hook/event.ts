/** The hosts whose hooks are supported. */
export const HOSTS = ['claude-code', 'gemini-cli', 'cursor', 'vscode', 'codex', 'opencode', 'windsurf'] as const;
export type Host = (typeof HOSTS)[number];

/** The tool by which sessions know files that a host reads without a call, such as attached ones. */
export const ATTACHED = 'attached-file';

interface SessionEvent {
  /** The host's id of the session. The same after the session is resumed or compacted; subagents share it. */
  readonly session: string;
  /** The folder the agent works in. */
  readonly folder?: string;
}

interface ToolEvent extends SessionEvent {
  /** The host's id of the call, if it has one. */
  readonly id?: string;
  /** The name by which the host calls the tool. */
  readonly tool: string;
  readonly arguments: unknown;
}

/** An event of a session, in words that all hosts share. */
export type HookEvent =
  | ({
      readonly type: 'prompt';
      readonly text: string;
      /** The files that the host reads with the prompt, by their paths. */
      readonly files?: readonly string[];
      /** Set if a program submitted the prompt. It is the user's if their settings say so, or else content. @default false */
      readonly isFromProgram?: boolean;
    } & SessionEvent)
  | ({
      /** The host reads files without a call, and does not tell their text. */
      readonly type: 'files';
      readonly files: readonly string[];
    } & SessionEvent)
  | ({
      readonly type: 'call';
      /** Set if the host makes calls without asking, even those that it should ask about. @default false */
      readonly isUnattended?: boolean;
      /** Set if the host shows no dialog in its present mode: a call that should be asked about is denied. @default false */
      readonly hasNoDialog?: boolean;
    } & ToolEvent)
  /** The user or the host's own classifier refused the call. */
  | ({ readonly type: 'refused' } & ToolEvent)
  | ({
      readonly type: 'result';
      readonly result: unknown;
      /** Set if the call failed, or the user stopped it. @default false */
      readonly isFailed?: boolean;
    } & ToolEvent)
  | ({ readonly type: 'end' } & SessionEvent);

export const HOOK_OUTCOMES = ['allow', 'ask', 'deny'] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

/** The decision about an event. Only a call can be asked about or denied. */
export interface HookAnswer {
  readonly outcome: HookOutcome;
  /** One plain sentence for the person or the model. */
  readonly reason?: string;
  /** The id for `sallyport approve`, if a person can let the call pass. */
  readonly id?: string;
  /** Text for the model in addition to a result, e.g. that a passage in it reads like an instruction. */
  readonly context?: string;
  /** A result for the model in place of the given one, such as one with passages in frames. Its shape is that of the given one. */
  readonly result?: unknown;
  /** One sentence about where a result comes from, for a classifier of the host. Never text of the result. */
  readonly provenance?: string;
  /** Warnings for the user, one line each. */
  readonly warnings?: readonly string[];
}
