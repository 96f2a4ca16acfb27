import { writeCanonical } from '../base/canonical-json.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { originOfScript, type Script, type ScriptOrigin } from './script.ts';

/**
 * What the gate can decide about a call, least strict first.
 *
 * @example
 * ```ts
 * const isStricter = OUTCOMES.indexOf(one) > OUTCOMES.indexOf(other);
 * ```
 */
export const OUTCOMES = ['allow', 'ask', 'deny'] as const;

/**
 * A decision about a call: make it, ask a person first, or do not make it.
 *
 * @example
 * ```ts
 * const outcome: Outcome = (await conversation.check(toolCall)).outcome;
 * ```
 */
export type Outcome = (typeof OUTCOMES)[number];

export function isOutcome(value: unknown): value is Outcome {
  return (OUTCOMES as readonly unknown[]).includes(value);
}

/**
 * A tool call from the tool-use field of a provider's response, never parsed from text.
 *
 * @example
 * ```ts
 * const toolCall: ToolCall = { id: block.id, tool: block.name, arguments: block.input };
 * const decision = await conversation.check(toolCall);
 * ```
 */
export interface ToolCall {
  /** The provider's id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The parsed arguments. */
  readonly arguments: unknown;
  /** The script that makes the call in place of the model. @default none: the model makes it */
  readonly script?: Script | undefined;
}

/**
 * A call that a model proposed through the provider's native tool use. The gate accepts nothing else, and no function makes one
 * from text: a tool call written in content, history or a sub-model's answer stays text.
 */
export class ProposedCall {
  readonly #made = true;
  readonly type = 'proposed-call';
  readonly id: string;
  readonly tool: string;
  /** A copy of the arguments as canonical JSON. */
  readonly argumentsJson: string;
  /** How many members the objects and arrays of the arguments have together. */
  readonly memberCount: number;
  /** The joined label of everything the model had read when it proposed the call. */
  readonly context: Label;
  /** The script that makes the call; undefined if the model makes it. */
  readonly script: ScriptOrigin | undefined;

  constructor({ id, tool, arguments: given, script }: ToolCall, context: Label) {
    this.id = id;
    this.tool = tool;
    const { text, memberCount } = writeCanonical(given);
    this.argumentsJson = text;
    this.memberCount = memberCount;
    this.script = script === undefined ? undefined : originOfScript(script);
    this.context = joinLabels(this.script === undefined ? [context] : [context, this.script.label]);
    Object.freeze(this);
  }

  static is(value: unknown): value is ProposedCall {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function refuseCall(message: string): never {
  throw new SallyportError('ERR_INVALID_CALL', message);
}

/**
 * Reads each member of a call once, as a plain object: a getter could return one value for the check and another for the gate.
 * Refuses a call whose arguments are missing, because it would be checked as a call without values, and pass.
 */
export function readToolCall(use: ToolCall): ToolCall {
  const isObject = typeof use === 'object' && use !== null;
  const { id, tool, arguments: given, script } = isObject ? use : ({} as Partial<ToolCall>);
  if (typeof id !== 'string' || id === '' || typeof tool !== 'string' || tool === '')
    refuseCall(
      `A call must be { id, tool, arguments } from the tool-use field of a provider's response; received ${describeType(use)}. Do not parse calls from text.`,
    );
  if ('argumentsJson' in use)
    refuseCall(
      'Received a copy of a recorded call. Pass the result of recordCall() itself, or { id, tool, arguments }.',
    );
  if (!('arguments' in use))
    refuseCall(
      '`arguments` is missing: a call must be { id, tool, arguments }. Pass null for a tool without arguments.',
    );
  // In one text the arguments have no names, so rules could not find the amount or the recipient.
  if (typeof given === 'string')
    refuseCall(
      "`arguments` must be the parsed object; received a string. Use JSON.parse() on the provider's text, or { input: text } for a tool that takes text.",
    );
  const isPromise = typeof (given as PromiseLike<unknown> | null | undefined)?.then === 'function';
  if (given instanceof Map || given instanceof Set || isPromise)
    refuseCall(
      `\`arguments\` must be a plain object; received a ${isPromise ? 'promise: await it first' : 'Map or Set'}.`,
    );
  return { id, tool, arguments: given, script };
}

/**
 * Makes a call that the gate accepts from a provider's tool use. Throws for a string: text never becomes a call.
 *
 * @example
 * ```ts
 * const call = proposeCall({ id: block.id, tool: block.name, arguments: block.input }, joinLabels(labels));
 * ```
 */
export function proposeCall(use: ToolCall, context: Label): ProposedCall {
  return new ProposedCall(readToolCall(use), context);
}
