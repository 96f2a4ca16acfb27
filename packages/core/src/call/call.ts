import { canonicalJson } from '../base/canonical-json.ts';
import { SallyportError } from '../base/errors.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { originOfScript, type Script, type ScriptOrigin } from './script.ts';

/** What becomes of a call, mildest first. */
export const OUTCOMES = ['allow', 'ask', 'deny'] as const;

export type Outcome = (typeof OUTCOMES)[number];

export function isOutcome(value: unknown): value is Outcome {
  return (OUTCOMES as readonly unknown[]).includes(value);
}

/** A tool use as the provider's own API reported it, outside any text. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** The program that makes the call in place of the model. @default none */
  readonly script?: Script | undefined;
}

/**
 * A call that a model proposed through the provider's native tool use. This is the only thing a gate takes, and there
 * is no function from text to it: a tool call spelled out in content, history or a sub-model's answer stays text.
 */
export class ProposedCall {
  readonly #made = true;
  readonly type = 'proposed-call';
  readonly id: string;
  readonly tool: string;
  /** Canonical JSON of the arguments, copied once. */
  readonly argumentsJson: string;
  /** Everything the model had read when it proposed this. */
  readonly context: Label;
  /** The program that makes it; undefined where the model does. */
  readonly script: ScriptOrigin | undefined;

  constructor({ id, tool, arguments: given, script }: ToolCall, context: Label) {
    this.id = id;
    this.tool = tool;
    this.argumentsJson = canonicalJson(given);
    this.script = script === undefined ? undefined : originOfScript(script);
    this.context = joinLabels(this.script === undefined ? [context] : [context, this.script.label]);
    Object.freeze(this);
  }

  static is(value: unknown): value is ProposedCall {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/** Takes the provider's tool use. A string is refused whatever it says: text never becomes a call. */
export function proposeCall(use: ToolCall, context: Label): ProposedCall {
  // Read once: a getter could answer the check with one tool and the gate with another.
  const {
    id,
    tool,
    arguments: given,
    script,
  } = typeof use === 'object' && use !== null ? use : ({} as Partial<ToolCall>);
  if (typeof id !== 'string' || id === '' || typeof tool !== 'string' || tool === '')
    throw new SallyportError(
      'ERR_INVALID_CALL',
      'A call is { id, tool, arguments } from the tool-use field of a provider response, never parsed from text.',
    );
  // Checked without its arguments, a copy of a recorded call would pass.
  if (Object.hasOwn(use, 'argumentsJson'))
    throw new SallyportError(
      'ERR_INVALID_CALL',
      'This is a copy of a recorded call. Pass the result of recordCall() itself, or { id, tool, arguments }.',
    );
  // As one text, no argument would have a name, and no rule would find the amount it looks for.
  if (typeof given === 'string')
    throw new SallyportError(
      'ERR_INVALID_CALL',
      'arguments is the parsed object: JSON.parse() what the provider gives as text, or { input: text } for a tool that takes text.',
    );
  return new ProposedCall({ id, tool, arguments: given, script }, context);
}
