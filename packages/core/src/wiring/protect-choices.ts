import type { JudgeChoice } from './wire-judge.ts';

/** The options of `protect` that all adapters have. */
export interface ProtectChoices {
  /**
   * The model that says whether a call fits what the user said, without seeing what the agent has read: the agent's own (`true`), or
   * another one given as `generateWith(...)` of the adapter. One small request for each call in doubt. @default false
   *
   * @example
   * ```ts
   * protect(conversation, { model, tools, declare, judge: true });
   * ```
   */
  readonly judge?: JudgeChoice;
  /** Keeps all links and images in the model's answers. Only for answers that are never displayed. @default false */
  readonly rawOutput?: boolean;
}
