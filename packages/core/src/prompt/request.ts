import { checkOptionNames, describeType, SallyportError } from '../base/errors.ts';
import { Framed } from '../frame/frame.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { Recorded } from '../record/record.ts';
import { type Vocabulary, vocabularyFor } from '../text/reserved-names.ts';
import { Prompt } from './prompt.ts';
import { withReadingRules } from './reading-rules.ts';

/**
 * One framed record in a request.
 *
 * @example
 * ```ts
 * const messages = entries.map(({ framed }: RequestEntry) => ({ role: 'user', content: framed.text }));
 * ```
 */
export interface RequestEntry {
  readonly record: Recorded;
  readonly framed: Framed;
}

/**
 * The input of `request()`.
 *
 * @example
 * ```ts
 * const input: RequestInput = {
 *   policy: prompt`You summarise pages.`,
 *   framed: (value) => frame(quote(classifyWith(limit(value), []), vocabulary), key),
 *   entries: [{ record: recorded, framed }],
 *   vocabulary,
 * };
 * ```
 */
export interface RequestInput {
  readonly policy: Prompt;
  /** Returns the frame of a free value of the policy. */
  readonly framed: (value: Recorded) => Framed;
  readonly entries: readonly RequestEntry[];
  readonly vocabulary: Vocabulary;
}

/**
 * Everything that is sent to the model: the policy, and framed content. Only the policy is unframed.
 *
 * @example
 * ```ts
 * const { system, entries }: ModelRequest = await conversation.request({ policy: prompt`You summarise pages.` });
 * ```
 */
export class ModelRequest {
  readonly #made = true;
  readonly type = 'requested';
  /** The policy and the reading rules, for the system or instruction field of the provider. */
  readonly system: string;
  readonly entries: readonly RequestEntry[];
  /** Every record that the model is going to read, including the values of the policy. */
  readonly records: readonly Recorded[];
  /** The join of the labels of all records. An answer to this request is never trusted more. */
  readonly label: Label;

  constructor({ policy, framed, entries, vocabulary }: RequestInput) {
    // The sections of the policy are always reserved, so that a value cannot close the section it is in.
    const reserved = vocabularyFor([...vocabulary.sections, ...policy.sections]);
    const text = policy.render(reserved, (value) => checkFramed(value, framed(value)));
    this.system = withReadingRules(text);
    this.entries = Object.freeze([...entries]);
    this.records = Object.freeze([...policy.values, ...entries.map(({ record }) => record)]);
    this.label = joinLabels(this.records.map(({ label }) => label));
    Object.freeze(this);
  }

  /** The request as one text, for models that take a single prompt. */
  get text(): string {
    return [this.system, ...this.entries.map(({ framed }) => framed.text)].join('\n\n');
  }

  static is(value: unknown): value is ModelRequest {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function checkFramed(record: Recorded, framed: Framed): Framed {
  if (!Recorded.is(record) || !Framed.is(framed) || framed.quoted.classified.limited.recorded !== record)
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      'Each entry of a request must have a record and the frame of that record, made by frame().',
    );
  return framed;
}

function checkPolicy(policy: unknown): void {
  if (!Prompt.is(policy))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `\`policy\` must be written as prompt\`...\`; received ${describeType(policy)}. A string may contain text of others.`,
    );
}

/** Refuses two different records with the same id: their frames would have the same nonce. */
function checkIds(records: readonly Recorded[]): void {
  const recordsById = new Map<string, Recorded>();
  for (const record of records) {
    const other = recordsById.get(record.id) ?? record;
    if (other.digest !== record.digest || other.label.integrity !== record.label.integrity)
      throw new SallyportError(
        'ERR_INVALID_NAME',
        `Two different records of a request have the id ${JSON.stringify(record.id.slice(0, 60))}. Give each record its own id.`,
      );
    recordsById.set(record.id, record);
  }
}

/**
 * Assembles a request from the policy, the reading rules and framed records. Plain strings are not accepted.
 *
 * @example
 * ```ts
 * const { system, entries } = request({
 *   policy: prompt`You summarise pages.`,
 *   framed: (value) => frame(quote(classifyWith(limit(value), []), vocabulary), key),
 *   entries: [{ record: recorded, framed }],
 *   vocabulary,
 * });
 * ```
 */
export function request(input: RequestInput): ModelRequest {
  checkPolicy(input.policy);
  const { sections } = input.policy;
  for (const { record, framed } of input.entries) {
    checkFramed(record, framed);
    if (sections.some((section) => !framed.quoted.sections.includes(section)))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'A record was quoted without the sections of the policy. Quote it again with vocabularyFor(policy.sections).',
      );
  }
  checkIds([...input.policy.free, ...input.entries.map(({ record }) => record)]);
  return new ModelRequest(input);
}

/**
 * Options of `conversation.request()`.
 *
 * @example
 * ```ts
 * const options: RequestOptions = { policy: prompt`You summarise pages.`, records: [question, page] };
 * ```
 */
export interface RequestOptions {
  /** The system prompt, written as prompt`...`. @default none: only the reading rules */
  readonly policy?: Prompt;
  /** The records that the model reads, in order. @default all, in the order in which they were added */
  readonly records?: readonly Recorded[];
}

/** Checks the options before any record is shown. */
export function checkRequest(options: RequestOptions, policy: Prompt, records: readonly Recorded[]): void {
  if (Prompt.is(options) || typeof options !== 'object')
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `request() takes an options object such as request({ policy: prompt\`...\` }); received ${describeType(options)}.`,
    );
  checkOptionNames(options, ['policy', 'records'], 'request()');
  checkPolicy(policy);
  if (!records.every(Recorded.is))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      '`records` must be an array of records: results of the add methods of the conversation.',
    );
}
