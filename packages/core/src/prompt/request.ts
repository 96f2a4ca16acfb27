import { SallyportError } from '../base/errors.ts';
import { Framed } from '../frame/frame.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { Recorded } from '../record/record.ts';
import { type Vocabulary, vocabularyFor } from '../text/reserved-names.ts';
import { Prompt } from './prompt.ts';
import { withReadingRules } from './reading-rules.ts';

/** One framed record in a request. */
export interface RequestEntry {
  readonly record: Recorded;
  readonly framed: Framed;
}

export interface RequestInput {
  readonly policy: Prompt;
  /** The envelopes of the policy's free values. */
  readonly framed: (value: Recorded) => Framed;
  readonly entries: readonly RequestEntry[];
  readonly vocabulary: Vocabulary;
}

/** A request, serialised: everything that may now influence the model, and nothing unframed that is not policy. */
export class ModelRequest {
  readonly #made = true;
  readonly type = 'requested';
  /** Policy and reading rules, for the provider's system or instruction field. */
  readonly system: string;
  readonly entries: readonly RequestEntry[];
  /** Every record the model will read, those inside the policy included. */
  readonly records: readonly Recorded[];
  /** The join of all of them: what any answer to this request can be no better than. */
  readonly label: Label;

  constructor({ policy, framed, entries, vocabulary }: RequestInput) {
    // Whatever was handed in, a value cannot close a section of the policy it stands in.
    const reserved = vocabularyFor([...vocabulary.sections, ...policy.sections]);
    const text = policy.render(reserved, (value) => checkFramed(value, framed(value)));
    this.system = withReadingRules(text);
    this.entries = Object.freeze([...entries]);
    this.records = Object.freeze([...policy.values, ...entries.map(({ record }) => record)]);
    this.label = joinLabels(this.records.map(({ label }) => label));
    Object.freeze(this);
  }

  /** The whole as one text, for models that take one. */
  get text(): string {
    return [this.system, ...this.entries.map(({ framed }) => framed.text)].join('\n\n');
  }

  static is(value: unknown): value is ModelRequest {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function checkFramed(record: Recorded, framed: Framed): Framed {
  if (!Recorded.is(record) || !Framed.is(framed) || framed.quoted.classified.limited.recorded !== record)
    throw new SallyportError('ERR_STAGE_SKIPPED', 'A request takes records with their own frames: what frame() gives.');
  return framed;
}

/** Two records of one id would have one nonce. The same record twice is the same frame twice. */
function checkIds(records: readonly Recorded[]): void {
  const known = new Map<string, Recorded>();
  for (const record of records) {
    const other = known.get(record.id) ?? record;
    if (other.digest !== record.digest || other.label.integrity !== record.label.integrity)
      throw new SallyportError(
        'ERR_INVALID_NAME',
        `Two records of a request have the id ${record.id}: admit() renames one.`,
      );
    known.set(record.id, record);
  }
}

/** Assembles policy, reading rules and framed records. There is no way to pass a string. */
export function request(input: RequestInput): ModelRequest {
  if (!Prompt.is(input.policy))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      "A policy is written with prompt`...`: a string may hold anybody's words.",
    );
  const { sections } = input.policy;
  for (const { record, framed } of input.entries) {
    checkFramed(record, framed);
    if (sections.some((section) => !framed.quoted.sections.includes(section)))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'A record was quoted without the sections of the policy: quote it again.',
      );
  }
  checkIds([...input.policy.free, ...input.entries.map(({ record }) => record)]);
  return new ModelRequest(input);
}

export interface RequestOptions {
  /** The developer's own words. @default none */
  readonly policy?: Prompt;
  /** Which records the model is to read, in order. @default all, in the order they were admitted */
  readonly records?: readonly Recorded[];
}

/** Refuses what is no policy or no record, before anything of it is shown. */
export function checkRequest(options: RequestOptions, policy: Prompt, records: readonly Recorded[]): void {
  if (Prompt.is(options) || typeof options !== 'object')
    throw new SallyportError('ERR_INVALID_OPTION', 'request() takes an object: request({ policy: prompt`...` }).');
  if (!Prompt.is(policy))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      "A policy is written with prompt`...`: a string may hold anybody's words.",
    );
  if (!records.every(Recorded.is)) throw new SallyportError('ERR_STAGE_SKIPPED', 'records holds what admit() gave.');
}
