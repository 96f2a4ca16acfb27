import { randomUUID } from 'node:crypto';
import { type Boundary, type Conversation, type Recorded, type Source, source } from '@sallyport/core';
import type { Generate, JsonSchema } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { record } from '@sallyport/core/stages';
import { SandboxError } from '../errors.ts';
import { checkArgument } from './argument.ts';
import { type Inquiry, inquire } from './question.ts';
import { type AnswerSchema, answerSchema, type StandardSchema } from './schema.ts';

/** Options of `createSubModel`. */
export interface SubModelOptions {
  /** Frames the questions. */
  readonly boundary: Boundary;
  /** Records the answers. */
  readonly conversation: Conversation;
  /** Calls a model: `generateWith()` of an adapter, or your own function. */
  readonly generate: Generate;
  /** Maximum number of questions, retries included. @default 100 */
  readonly maxQueries?: number;
  /** Retries if an answer does not fit its schema. @default 2 */
  readonly retries?: number;
  /** Milliseconds for one answer. @default 60000 */
  readonly timeout?: number;
  /** Maximum UTF-8 bytes of one answer. @default 65536 */
  readonly answerBytes?: number;
}

/** Options of one question. */
export interface QueryOptions {
  /** The content that the question is about, at most 10 KiB each. The origin of a string is unknown. @default [] */
  readonly data?: readonly (Recorded | string)[];
  /** The id of the answer's record. @default random */
  readonly id?: string;
  /** Stops the question. @default none */
  readonly signal?: AbortSignal;
}

/** An answer that fits its schema, and its record for the conversation. */
export interface Structured<T> {
  readonly value: T;
  readonly record: Recorded;
}

// A model's output never vouches for a value, whatever the model has read.
export const ANSWER: Source = source('workspace', { name: 'sub-model', confidentiality: 'public' });
const UNKNOWN_ARGUMENT = source('unknown', { name: 'argument' });

const MAX_DATA = 64;
const MAX_PARTS = 16;
const FENCE = '```';

function checkedCount(name: string, value: number, minimum: number): number {
  if (Number.isInteger(value) && value >= minimum) return value;
  throw new SandboxError(
    'ERR_INVALID_OPTION',
    `\`${name}\` must be an integer of at least ${minimum}; received ${String(value)}.`,
  );
}

/** Parses an answer that should be JSON. Models often put a code fence around it. */
function parseAnswer(answer: string): { readonly value: unknown } | undefined {
  const trimmed = answer.trim();
  const isFenced = trimmed.length >= 2 * FENCE.length && trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE);
  const inside = isFenced ? trimmed.slice(FENCE.length, -FENCE.length).replace(/^json/, '') : trimmed;
  try {
    return { value: parseJson(inside) as unknown };
  } catch {
    // The caller tells the model that the answer is not JSON, and asks again.
    return undefined;
  }
}

/**
 * A second model that answers questions about content. It has no tools and no memory, and its answers are untrusted content.
 *
 * @example
 * ```ts
 * const subModel = createSubModel({ boundary, conversation, generate });
 * const answer = await subModel.query('Which mails mention an invoice?', { data: [mailbox] });
 * ```
 */
export class SubModel {
  readonly #options: Required<SubModelOptions>;
  #queries = 0;

  constructor(options: SubModelOptions) {
    const { maxQueries = 100, retries = 2, timeout = 60_000, answerBytes = 65_536 } = options;
    if (options.boundary === undefined || options.conversation === undefined)
      throw new SandboxError('ERR_INVALID_OPTION', '`boundary` and `conversation` must be set.');
    if (typeof options.generate !== 'function')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`generate\` must be a function, such as generateWith(model) of an adapter; received ${typeof options.generate}.`,
      );
    this.#options = {
      ...options,
      maxQueries: checkedCount('maxQueries', maxQueries, 1),
      retries: checkedCount('retries', retries, 0),
      timeout: checkedCount('timeout', timeout, 1),
      answerBytes: checkedCount('answerBytes', answerBytes, 1),
    };
  }

  /** The number of questions so far. */
  get queries(): number {
    return this.#queries;
  }

  /** Asks a question. The answer's record has no better label than the question and the data. */
  async query(prompt: Recorded | string, options: QueryOptions = {}): Promise<Recorded> {
    const { id, inquiry } = readQuery(prompt, options);
    const answer = await this.ask(inquiry, options.signal);
    return this.#admit(id, inquiry, answer);
  }

  /** Asks for an answer that fits a schema. Throws ERR_ANSWER_INVALID if no attempt does. */
  async queryStructured<T = unknown>(
    prompt: Recorded | string,
    schema: JsonSchema | StandardSchema<T>,
    options: QueryOptions = {},
  ): Promise<Structured<T>> {
    const { id, inquiry } = readQuery(prompt, options);
    const value = await this.askStructured(inquiry, answerSchema<T>(schema), options.signal);
    return { value, record: await this.#admit(id, inquiry, { json: value }) };
  }

  /** The answer without a record. The caller must keep the labels of the question and the data. */
  async ask(inquiry: Inquiry, signal?: AbortSignal): Promise<string> {
    if (this.#queries >= this.#options.maxQueries)
      throw new SandboxError(
        'ERR_QUERIES_SPENT',
        `The sub-model has answered ${this.#queries} questions, which is the limit of \`maxQueries\`.`,
      );
    this.#queries++;
    return inquire(checkInquiry(inquiry), this.#options, signal);
  }

  /** The value that fits the schema, without a record. */
  async askStructured<T>(inquiry: Inquiry, schema: AnswerSchema<T>, signal?: AbortSignal): Promise<T> {
    let problem: string | undefined;
    for (let tries = 0; tries <= this.#options.retries; tries++) {
      const answer = await this.ask({ ...inquiry, isStructured: true, schema: schema.json, problem }, signal);
      const parsed = parseAnswer(answer);
      const checked = parsed === undefined ? NO_JSON : await schema.check(parsed.value);
      if (checked.ok) return checked.value;
      problem = checked.problem;
    }
    throw new SandboxError(
      'ERR_ANSWER_INVALID',
      `The sub-model's answer did not fit the schema in ${this.#options.retries + 1} attempts.`,
    );
  }

  async #admit(id: string, { prompt, data }: Inquiry, content: string | { readonly json: unknown }): Promise<Recorded> {
    const { conversation } = this.#options;
    await conversation.declareDerivation(id, { derivedFrom: [prompt, ...data] });
    return conversation.addContent({ id, source: ANSWER, content });
  }
}

const NO_JSON = { ok: false, problem: 'The answer is not JSON.' } as const;

function readQuery(prompt: Recorded | string, options: QueryOptions): { id: string; inquiry: Inquiry } {
  const { id = `sub-model-${randomUUID()}`, data = [] } = options;
  const asRecord = (given: Recorded | string, name: string): Recorded => {
    if (typeof given === 'string') return record({ id: `${id}.${name}`, source: UNKNOWN_ARGUMENT, content: given });
    if (given?.type === 'recorded') return given;
    throw new SandboxError(
      'ERR_ARGUMENT_MALFORMED',
      'A question and its data must be strings or records; record() makes a record.',
    );
  };
  if (!Array.isArray(data))
    throw new SandboxError(
      'ERR_ARGUMENT_MALFORMED',
      `\`data\` must be a list, as in { data: [mail] }; received ${typeof data}.`,
    );
  const records = data.map((each, index) => asRecord(each, `data-${index + 1}`));
  return { id, inquiry: { prompt: asRecord(prompt, 'prompt'), data: records } };
}

function checkInquiry(inquiry: Inquiry): Inquiry {
  const { prompt, data } = inquiry;
  if (data.length > MAX_DATA)
    throw new SandboxError(
      'ERR_ARGUMENT_TOO_LARGE',
      `\`data\` must have at most ${MAX_DATA} items; received ${data.length}.`,
    );
  for (const [index, { parts }] of [prompt, ...data].entries()) {
    const what = index === 0 ? 'The question' : `Item ${index} of \`data\``;
    if (parts.length > MAX_PARTS || parts.some(({ type }) => type !== 'text' && type !== 'json'))
      throw new SandboxError('ERR_ARGUMENT_MALFORMED', `${what} must be text or JSON with at most ${MAX_PARTS} parts.`);
    checkArgument(parts.map((part) => ('text' in part ? part.text : '')).join(''), what);
  }
  return inquiry;
}

/**
 * Creates a sub-model.
 *
 * @example
 * ```ts
 * const subModel = createSubModel({ boundary, conversation, generate: generateWith(small) });
 * ```
 */
export function createSubModel(options: SubModelOptions): SubModel {
  return new SubModel(options);
}
