import { Serial } from '../base/serial.ts';
import type { Framed } from '../frame/frame.ts';
import { HIGHEST, joinLabels, type Label, LOWEST } from '../label/label.ts';
import { labelOf, UNKNOWN_SOURCE } from '../label/source.ts';
import { type Prompt, prompt } from '../prompt/prompt.ts';
import { checkRequest, type ModelRequest, type RequestOptions, request } from '../prompt/request.ts';
import type { Transcript } from '../provenance/transcript.ts';
import type { Recorded } from '../record/record.ts';
import { type Vocabulary, vocabularyFor } from '../text/reserved-names.ts';
import type { ContentInput } from './admit.ts';
import { type FrameSettings, Frames } from './frames.ts';
import type { Intake } from './intake.ts';

export interface RenderingSettings extends FrameSettings {
  readonly sections: readonly string[];
}

const NO_POLICY: Prompt = prompt``;

/** What the models of one conversation are shown. Renderings run one after another, so each takes the earlier ones into account. */
export class Renderings {
  readonly #frames: Frames;
  readonly #intake: Intake;
  readonly #transcript: Transcript;
  readonly #queue = new Serial();
  // A section that a policy used once stays reserved: content must not close it in a later rendering.
  #sections: readonly string[];
  #shownLabel: Label = HIGHEST;
  readonly #shown = new Set<string>();
  // Restored records that were not entered into the transcript yet.
  #restored: readonly Recorded[] = [];
  // Content that models read before the messages, which was not recorded yet.
  #ahead: readonly ContentInput[] = [];
  readonly #aheadIds = new Set<string>();

  constructor(settings: RenderingSettings, intake: Intake, transcript: Transcript) {
    this.#frames = new Frames(settings);
    this.#intake = intake;
    this.#transcript = transcript;
    this.#sections = settings.sections;
  }

  /** The label of everything that was shown to a model so far; the lowest before the first request. */
  get context(): Label {
    return this.#transcript.hasSeen ? this.#shownLabel : LOWEST;
  }

  /** The ids of the records that were shown. */
  get shownIds(): readonly string[] {
    return [...this.#shown];
  }

  get shownCount(): number {
    return this.#shown.size;
  }

  /** With state held by the provider, models have read restored records, whether or not they are shown again. */
  restore(records: readonly Recorded[]): void {
    this.#restored = records;
    this.#recordShown(records);
  }

  /** Takes content that models read before the messages. It is recorded when something is shown next. */
  addAhead(input: ContentInput): void {
    this.#ahead = [...this.#ahead, input];
  }

  /** Runs work that shows content to a model, after all work that was queued before. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(work);
  }

  /** Frames one record for a model: limited, classified, quoted, framed. */
  frame(recorded: Recorded): Promise<Framed> {
    return this.inTurn(async () => {
      const framed = await this.#frame(recorded, this.#vocabulary);
      this.#intake.addFramedOnly(recorded);
      this.#recordShown([recorded]);
      this.#transcript.enter([], [framed]);
      return framed;
    });
  }

  /** Assembles a request. Only new content is classified and framed. */
  async request(options: RequestOptions): Promise<ModelRequest> {
    const policy = options.policy ?? NO_POLICY;
    const records = options.records ?? this.#intake.records.filter(({ id }) => !this.#aheadIds.has(id));
    checkRequest(options, policy, records);
    return this.inTurn(() => this.#request(policy, records));
  }

  async #request(policy: Prompt, records: readonly Recorded[]): Promise<ModelRequest> {
    this.#reserve(policy);
    const vocabulary = this.#vocabulary;
    const values = await this.#frameAll(policy.free, vocabulary);
    const framed = await this.#frameAll(records, vocabulary);
    const frameOf = new Map(policy.free.map((value, index) => [value, values[index] as Framed]));
    const entries = records.map((record, index) => ({ record, framed: framed[index] as Framed }));
    const requested = request({ policy, framed: (value) => frameOf.get(value) as Framed, entries, vocabulary });
    await this.#enterWaiting();
    this.#recordShown(requested.records);
    this.#transcript.recordRequest(policy, [...framed, ...values]);
    return requested;
  }

  /** Records that a model reads a policy and records from now on. Only within `inTurn`. */
  async show(records: readonly Recorded[], policy: Prompt = NO_POLICY): Promise<void> {
    this.#reserve(policy);
    await this.#enterWaiting();
    const framed = await this.#frameAll(records, this.#vocabulary);
    this.#recordShown(records);
    this.#transcript.recordRequest(policy, framed);
  }

  /** The frames of records as they are shown now, without recording that they were. Only within `inTurn`. */
  framesNow(records: readonly Recorded[]): Promise<readonly Framed[]> {
    return this.#frameAll(records, this.#vocabulary);
  }

  get #vocabulary(): Vocabulary {
    return vocabularyFor(this.#sections);
  }

  #reserve(policy: Prompt): void {
    this.#sections = [...new Set([...this.#sections, ...policy.sections])];
  }

  /** Enters what models read before the messages. The lists are cleared afterwards, so that a failure does not lose it. */
  async #enterWaiting(): Promise<void> {
    const count = this.#ahead.length;
    if (this.#restored.length === 0 && count === 0) return;
    const ahead = this.#ahead.map((input) => this.#intake.add(input));
    for (const { id } of ahead) this.#aheadIds.add(id);
    const framed = await this.#frameAll([...this.#restored, ...ahead], this.#vocabulary);
    this.#recordShown(ahead);
    this.#transcript.enter([], framed);
    this.#restored = [];
    this.#ahead = this.#ahead.slice(count);
  }

  /** Records that the model has read something that is not known. */
  recordUnknown(): void {
    this.#shownLabel = joinLabels([this.#shownLabel, labelOf(UNKNOWN_SOURCE)]);
  }

  #recordShown(records: readonly Recorded[]): void {
    this.#shownLabel = joinLabels([this.#shownLabel, ...records.map(({ label }) => label)]);
    for (const { id } of records) this.#shown.add(id);
  }

  async #frameAll(records: readonly Recorded[], vocabulary: Vocabulary): Promise<readonly Framed[]> {
    const cached = records.map((recorded) => this.#frames.cached(recorded, vocabulary));
    if (!cached.includes(undefined)) return cached as readonly Framed[];
    return Promise.all(records.map((recorded, index) => cached[index] ?? this.#frame(recorded, vocabulary)));
  }

  #frame(recorded: Recorded, vocabulary: Vocabulary): Promise<Framed> {
    this.#intake.registerCodes(recorded);
    return this.#frames.frame(recorded, vocabulary);
  }
}
