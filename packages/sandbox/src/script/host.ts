import { type Ask, type Conversation, type Decision, type Label, type Recorded, source } from '@sallyport/core';
import { record } from '@sallyport/core/stages';
import type { ScriptAnswer, ScriptCall } from '../engine/engine.ts';
import { SandboxError } from '../errors.ts';
import { answerSchema, plainSchema } from '../question/schema.ts';
import { ANSWER, type SubModel } from '../question/sub-model.ts';
import { QUERY, QUERY_STRUCTURED, type ScriptFunction, type ScriptFunctions } from './functions.ts';

/** A function, or the model behind one, has failed. The script is not told how: the error may hold anything. */
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
  /** UTF-8 bytes of what one call answers. */
  readonly resultBytes: number;
}

/** The script that calls, as far as it has come. */
export interface Caller {
  readonly id: string;
  readonly source: string;
  /** The label of what the model had read that wrote it. */
  readonly context: Label;
  readonly read: readonly Recorded[];
  readonly signal: AbortSignal;
}

/** What becomes of a call: an answer, or a person has to decide. */
export type Outcome =
  | { readonly type: 'answer'; readonly answer: ScriptAnswer; readonly record: Recorded | undefined }
  | { readonly type: 'held'; readonly decision: Decision };

// What a program makes of what it has read. It vouches for nothing.
const MADE = source('workspace', { name: 'script', confidentiality: 'public' });

// In what JSON.stringify() gives, half of a character is an escape, and nothing else is one of these.
const HALF = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

function refusal(message: string): Outcome {
  return { type: 'answer', answer: { ok: false, message }, record: undefined };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A call that was made, and answered with a value. */
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

/** What a script is offered, behind the gate: the tools of the boundary, and a model without any. */
export class Host {
  readonly #settings: HostSettings;

  constructor(settings: HostSettings) {
    this.#settings = settings;
  }

  get names(): readonly string[] {
    const { functions, subModel } = this.#settings;
    return [...Object.keys(functions), ...(subModel === undefined ? [] : [QUERY, QUERY_STRUCTURED])];
  }

  /** Whatever goes wrong is told in constant words. */
  async call(call: ScriptCall, caller: Caller): Promise<Outcome> {
    const id = `${caller.id}.${call.index}`;
    if (call.arguments === undefined) return refusal('The arguments are longer than they may be, or no list of JSON.');
    if (HALF.test(call.arguments)) return refusal('The arguments hold half a character.');
    const { functions, subModel } = this.#settings;
    const given = JSON.parse(call.arguments) as readonly unknown[];
    const offered = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
    try {
      if (offered !== undefined) return await this.#run({ id, name: call.name }, offered, given, caller);
      const isQuestion = call.name === QUERY || call.name === QUERY_STRUCTURED;
      if (subModel === undefined || !isQuestion) return refusal('There is no such function.');
      return await this.#ask(id, subModel, call.name, given, caller);
    } catch (error) {
      const isOurs = offered === undefined && error instanceof SandboxError && error.code !== 'ERR_GENERATE_FAILED';
      return isOurs ? refusal(error.message) : this.#failed(id, call.name, error);
    }
  }

  #failed(id: string, name: string, error: unknown): Outcome {
    try {
      this.#settings.onFailure({ id, name, error });
    } catch {
      // Who listens may not end the process of who runs scripts.
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
    if (!isMap(given) || others.length > 0) return refusal('The function takes one object.');
    const script = { source: caller.source, read: caller.read };
    const decision = await conversation.check({ id, tool: tool.name, arguments: given, script }, { ask });
    if (decision.outcome === 'ask') return { type: 'held', decision };
    if (decision.outcome === 'deny') return refusal(decision.result);
    // A person may have thought for longer than the script had.
    if (caller.signal.aborted) return refusal('The script has ended.');
    // What was judged, and nothing that reads alike: JSON has spellings of numbers that no JSON has.
    const judged = JSON.parse(decision.call.argumentsJson) as Readonly<Record<string, unknown>>;
    const value = await run(judged, { signal: caller.signal });
    // It was done. Whatever is wrong with its answer, a script that believes it was not would do it again.
    try {
      const recorded = record({ id: decision.call.id, source: tool.source, content: { json: value ?? null } });
      const outcome = answered(recorded);
      if (Buffer.byteLength(outcome.answer.json) <= resultBytes) return outcome;
      throw new RangeError(`The answer has more than ${resultBytes} bytes.`);
    } catch (error) {
      this.#failed(id, name, error);
      // What only reads may be read again, in smaller pieces.
      return tool.effect === 'read' ? refusal('The answer is longer than it may be, or no JSON.') : UNSHOWN;
    }
  }

  async #ask(id: string, model: SubModel, name: string, list: readonly unknown[], caller: Caller): Promise<Outcome> {
    const isStructured = name === QUERY_STRUCTURED;
    const [question, ...rest] = list;
    const options = (isStructured ? rest[1] : rest[0]) ?? {};
    const data = isMap(options) ? (options.data ?? []) : undefined;
    if (!Array.isArray(data)) return refusal(`${name} takes its data in a list: { data: [text] }.`);
    // Nobody can say of which of all that the script has read these words are made.
    const made = { derivedFrom: caller.read, label: caller.context };
    const asRecord = (text: unknown, at: string): Recorded => {
      if (typeof text !== 'string') throw new SandboxError('ERR_ARGUMENT_MALFORMED', `${name} takes texts.`);
      return record({ ...made, id: `${id}.${at}`, source: MADE, content: text });
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
