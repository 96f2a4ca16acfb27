import { type Ask, type Conversation, type Decision, type Label, type Recorded, source } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { record } from '@sallyport/core/stages';
import type { ScriptAnswer, ScriptCall } from '../engine/engine.ts';
import { SandboxError } from '../errors.ts';
import { answerSchema, plainSchema } from '../question/schema.ts';
import { ANSWER, type SubModel } from '../question/sub-model.ts';
import { QUERY, QUERY_STRUCTURED, type ScriptFunction, type ScriptFunctions } from './functions.ts';

/** Receives the error of a function or of the sub-model. The script does not learn it, because an error may contain anything. */
export type FailureListener = (failure: {
  readonly id: string;
  readonly name: string;
  readonly error: unknown;
}) => void;

export interface HostSettings {
  readonly conversation: Conversation;
  readonly functions: ScriptFunctions;
  readonly subModel: SubModel | undefined;
  readonly ask: Ask | undefined;
  readonly onFailure: FailureListener;
  /** Maximum UTF-8 bytes of one call's answer. */
  readonly resultBytes: number;
}

/** The calling script and what it has read so far. */
export interface Caller {
  readonly id: string;
  readonly source: string;
  /** The label of the content that the script's author, a model, had read. */
  readonly context: Label;
  readonly read: readonly Recorded[];
  readonly signal: AbortSignal;
}

/** The outcome of a call: an answer, or a person must decide. */
export type Outcome =
  | { readonly type: 'answer'; readonly answer: ScriptAnswer; readonly record: Recorded | undefined }
  | { readonly type: 'held'; readonly decision: Decision };

// Values that a script computes never vouch for anything.
const SCRIPT_OUTPUT = source('workspace', { name: 'script', confidentiality: 'public' });

// JSON.stringify() escapes a lone surrogate, and writes no other surrogate as an escape.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

function refusal(message: string): Outcome & { type: 'answer' } {
  return { type: 'answer', answer: { ok: false, message }, record: undefined };
}

/** A call that was made and answered with a value. */
interface Answered {
  readonly type: 'answer';
  readonly answer: { readonly ok: true; readonly json: string };
  readonly record: Recorded | undefined;
}

const UNSHOWN: Answered = {
  type: 'answer',
  answer: { ok: true, json: '"The call was made. Its answer cannot be shown."' },
  record: undefined,
};

function answered(recorded: Recorded): Answered {
  const [part] = recorded.parts;
  const json = part?.type === 'json' ? part.text : 'null';
  return { type: 'answer', answer: { ok: true, json }, record: recorded };
}

/** The functions of a script: the tools of the boundary, which the gate checks, and a sub-model. */
export class Host {
  readonly #settings: HostSettings;

  constructor(settings: HostSettings) {
    this.#settings = settings;
  }

  get names(): readonly string[] {
    const { functions, subModel } = this.#settings;
    return [...Object.keys(functions), ...(subModel === undefined ? [] : [QUERY, QUERY_STRUCTURED])];
  }

  /** Answers a call. Errors become constant messages. */
  async call(call: ScriptCall, caller: Caller): Promise<Outcome> {
    const id = `${caller.id}.${call.index}`;
    if (call.arguments === undefined) return refusal('The arguments are too long, or not a JSON list.');
    if (LONE_SURROGATE.test(call.arguments)) return refusal('The arguments contain half a character.');
    const { functions, subModel } = this.#settings;
    const given = parseJson(call.arguments) as readonly unknown[];
    const offered = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
    try {
      if (offered !== undefined) return await this.#run({ id, name: call.name }, offered, given, caller);
      const isQuestion = call.name === QUERY || call.name === QUERY_STRUCTURED;
      if (subModel === undefined || !isQuestion) return refusal('There is no such function.');
      return await this.#ask(id, subModel, call.name, given, caller);
    } catch (error) {
      const isUsageError =
        offered === undefined && error instanceof SandboxError && error.code !== 'ERR_GENERATE_FAILED';
      return isUsageError ? refusal(error.message) : this.fail(id, call.name, error);
    }
  }

  /** Reports an error to the listener, and returns the script's answer. */
  fail(id: string, name: string, error: unknown): Outcome & { type: 'answer' } {
    try {
      this.#settings.onFailure({ id, name, error });
    } catch {
      // An error in the listener must not end the host's process.
    }
    return refusal(`The call of ${name} failed.`);
  }

  async #run(
    { id, name }: { readonly id: string; readonly name: string },
    { tool, run }: ScriptFunction,
    list: readonly unknown[],
    caller: Caller,
  ): Promise<Outcome> {
    const { conversation, ask, resultBytes } = this.#settings;
    const [given = {}, ...others] = list;
    if (!isFields(given) || others.length > 0) return refusal('The function takes one object.');
    const script = { source: caller.source, read: caller.read };
    const decision = await conversation.check({ id, tool: tool.name, arguments: given, script }, { ask });
    if (decision.outcome === 'ask') return { type: 'held', decision };
    if (decision.outcome === 'deny') return refusal(decision.result);
    // The person may have answered after the script's time limit.
    if (caller.signal.aborted) return refusal('The script has ended.');
    // Run exactly the arguments that were checked, in their canonical form.
    const checked = parseJson(decision.call.argumentsJson) as Readonly<Record<string, unknown>>;
    const value = await run(checked, { signal: caller.signal });
    // The call was made. An error here must not look like a failed call, or the script would repeat it.
    try {
      const recorded = record({ id: decision.call.id, source: tool.source, content: { json: value ?? null } });
      const outcome = answered(recorded);
      if (Buffer.byteLength(outcome.answer.json) <= resultBytes) return outcome;
      throw new RangeError(`The answer has more than ${resultBytes} bytes.`);
    } catch (error) {
      this.fail(id, name, error);
      // A read may be repeated in smaller parts.
      return tool.effect === 'read' ? refusal('The answer is too long, or not JSON.') : UNSHOWN;
    }
  }

  async #ask(id: string, model: SubModel, name: string, list: readonly unknown[], caller: Caller): Promise<Outcome> {
    const isStructured = name === QUERY_STRUCTURED;
    const [question, ...rest] = list;
    const options = (isStructured ? rest[1] : rest[0]) ?? {};
    const data = isFields(options) ? (options.data ?? []) : undefined;
    if (!Array.isArray(data)) return refusal(`${name} takes its data as a list: { data: [text] }.`);
    // The text may be made from anything that the script has read.
    const made = { derivedFrom: caller.read, label: caller.context };
    const asRecord = (text: unknown, at: string): Recorded => {
      if (typeof text !== 'string') throw new SandboxError('ERR_ARGUMENT_MALFORMED', `${name} takes strings.`);
      return record({ ...made, id: `${id}.${at}`, source: SCRIPT_OUTPUT, content: text });
    };
    const inquiry = {
      prompt: asRecord(question, 'prompt'),
      data: data.map((text, index) => asRecord(text, `data-${index + 1}`)),
    };
    const value = isStructured
      ? await model.askStructured(
          { ...inquiry, schemaLabel: inquiry.prompt.label },
          answerSchema(plainSchema(rest[0])),
          caller.signal,
        )
      : await model.ask(inquiry, caller.signal);
    return answered(record({ ...made, id, source: ANSWER, content: { json: value } }));
  }
}
