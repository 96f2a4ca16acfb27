/** The hosts whose hooks are supported. */
export const HOSTS = ['claude-code', 'gemini-cli', 'cursor', 'vscode'] as const;
export type Host = (typeof HOSTS)[number];

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
    } & SessionEvent)
  | ({
      readonly type: 'call';
      /** Set if the host makes calls without asking, even those that it should ask about. @default false */
      readonly isUnattended?: boolean;
    } & ToolEvent)
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
  /** Warnings for the user, one line each. */
  readonly warnings?: readonly string[];
}
