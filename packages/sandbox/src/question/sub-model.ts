import { randomUUID } from 'node:crypto';
import { type Boundary, type Conversation, type Recorded, type Source, source } from '@sallyport/core';
import type { Generate, JsonSchema } from '@sallyport/core/adapter';
import { record } from '@sallyport/core/stages';
import { SandboxError } from '../errors.ts';
import { checkArgument } from './argument.ts';
import { type Inquiry, inquire } from './question.ts';
import { type AnswerSchema, answerSchema, type StandardSchema } from './schema.ts';

export interface SubModelOptions {
  readonly boundary: Boundary;
  /** Where its answers are taken in. */
  readonly conversation: Conversation;
  /** Asks a model of some provider: `generateWith()` of an adapter, or a function of your own. */
  readonly generate: Generate;
  /** Questions in all, tries included. @default 100 */
  readonly maxQueries?: number;
  /** Further tries where an answer does not fit its schema. @default 2 */
  readonly retries?: number;
  /** Milliseconds for one answer. @default 60000 */
  readonly timeout?: number;
  /** UTF-8 bytes of one answer. @default 65536 */
  readonly answerBytes?: number;
}

export interface QueryOptions {
  /** What the question is about, each at most 10 KiB. Of a mere text nobody knows where it came from. @default none */
  readonly data?: readonly (Recorded | string)[];
  /** The id of the record that the answer becomes. @default a random one */
  readonly id?: string;
  readonly signal?: AbortSignal;
}

/** An answer that fits its schema, and the record of it: what the conversation is shown. */
export interface Structured<T> {
  readonly value: T;
  readonly record: Recorded;
}

// A model's words, however good what it had read: they vouch for nothing.
export const ANSWER: Source = source('workspace', { name: 'sub-model', confidentiality: 'public' });
const NOBODY = source('unknown', { name: 'argument' });

const MAX_DATA = 64;
const MAX_PARTS = 16;
const FENCE = '```';

function checkedCount(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new SandboxError('ERR_INVALID_OPTION', `${name} is a whole number of at least ${least}.`);
}

/** What can be read of an answer that should be JSON: models like to put a fence around it. */
function parseAnswer(answer: string): { readonly value: unknown } | undefined {
  const bare = answer.trim();
  const isFenced = bare.length >= 2 * FENCE.length && bare.startsWith(FENCE) && bare.endsWith(FENCE);
  const inside = isFenced ? bare.slice(FENCE.length, -FENCE.length).replace(/^json/, '') : bare;
  try {
    return { value: JSON.parse(inside) as unknown };
  } catch {
    return undefined;
  }
}

/** A second model that answers questions about content. It has no tools and no memory, and its answers are content. */
export class SubModel {
  readonly #options: Required<SubModelOptions>;
  #queries = 0;

  constructor(options: SubModelOptions) {
    const { maxQueries = 100, retries = 2, timeout = 60_000, answerBytes = 65_536 } = options;
    if (options.boundary === undefined || options.conversation === undefined)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        'A sub-model needs a boundary, and a conversation that takes its answers in.',
      );
    if (typeof options.generate !== 'function')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        'generate is a function: generateWith(model) of an adapter gives one.',
      );
    this.#options = {
      ...options,
      maxQueries: checkedCount('maxQueries', maxQueries, 1),
      retries: checkedCount('retries', retries, 0),
      timeout: checkedCount('timeout', timeout, 1),
      answerBytes: checkedCount('answerBytes', answerBytes, 1),
    };
  }

  /** How often the model was asked until now. */
  get queries(): number {
    return this.#queries;
  }

  /** Asks a question. The answer is a record no better than what it was made from. */
  async query(prompt: Recorded | string, options: QueryOptions = {}): Promise<Recorded> {
    const { id, inquiry } = readQuery(prompt, options);
    const answer = await this.ask(inquiry, options.signal);
    return this.#admit(id, inquiry, answer);
  }

  /** The same where the answer has to fit a JSON Schema or a Standard Schema. Throws ERR_ANSWER_INVALID when it never does. */
  async queryStructured<T = unknown>(
    prompt: Recorded | string,
    schema: JsonSchema | StandardSchema<T>,
    options: QueryOptions = {},
  ): Promise<Structured<T>> {
    const { id, inquiry } = readQuery(prompt, options);
    const value = await this.askStructured(inquiry, answerSchema<T>(schema), options.signal);
    return { value, record: await this.#admit(id, inquiry, { json: value }) };
  }

  /** The bare answer. Whoever asks has to keep the labels of what he asked about. */
  async ask(inquiry: Inquiry, signal?: AbortSignal): Promise<string> {
    if (this.#queries >= this.#options.maxQueries)
      throw new SandboxError(
        'ERR_QUERIES_SPENT',
        `The sub-model was asked ${this.#queries} times, the most that maxQueries allows.`,
      );
    this.#queries++;
    return inquire(checkInquiry(inquiry), this.#options, signal);
  }

  /** The bare value that fits. */
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
      `No answer of the sub-model fitted the schema, after ${this.#options.retries + 1} tries.`,
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
    if (typeof given === 'string') return record({ id: `${id}.${name}`, source: NOBODY, content: given });
    if (given?.type === 'recorded') return given;
    throw new SandboxError(
      'ERR_ARGUMENT_MALFORMED',
      'A question and its data are texts, or records: record() makes one.',
    );
  };
  if (!Array.isArray(data)) throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'data is a list: { data: [mail] }.');
  const records = data.map((each, index) => asRecord(each, `data-${index + 1}`));
  return { id, inquiry: { prompt: asRecord(prompt, 'prompt'), data: records } };
}

function checkInquiry(inquiry: Inquiry): Inquiry {
  const { prompt, data } = inquiry;
  if (data.length > MAX_DATA)
    throw new SandboxError('ERR_ARGUMENT_TOO_LARGE', `A question has at most ${MAX_DATA} data.`);
  for (const [index, { parts }] of [prompt, ...data].entries()) {
    const what = index === 0 ? 'The question' : `Datum ${index}`;
    if (parts.length > MAX_PARTS || parts.some(({ type }) => type !== 'text' && type !== 'json'))
      throw new SandboxError(
        'ERR_ARGUMENT_MALFORMED',
        `${what} is not text or JSON, or has more than ${MAX_PARTS} parts.`,
      );
    checkArgument(parts.map((part) => ('text' in part ? part.text : '')).join(''), what);
  }
  return inquiry;
}

export function createSubModel(options: SubModelOptions): SubModel {
  return new SubModel(options);
}
