import { type AdmitInput, admit } from './admit.ts';
import { type Argument, traceCall } from './argument.ts';
import { type NativeToolUse, ProposedCall, proposeCall } from './call.ts';
import { classify, type Judge } from './classify.ts';
import { digestText } from './digest.ts';
import { enterFramed, enterPolicy } from './enter.ts';
import { SallyportError } from './errors.ts';
import type { EventListener } from './event.ts';
import { type Framed, frame } from './frame.ts';
import type { FrameKey } from './key.ts';
import { HIGHEST, joinLabels, type Label, LOWEST } from './label.ts';
import { Ledger } from './ledger.ts';
import { type LimitOptions, limit } from './limit.ts';
import { Prompt, prompt } from './prompt.ts';
import { quote } from './quote.ts';
import { Recorded } from './record.ts';
import { LiveCodes } from './reflect.ts';
import { type Requested, request } from './request.ts';
import { restoreDirected, restoreRecords, SNAPSHOT_VERSION, type Snapshot, storeRecord } from './snapshot.ts';
import type { Tool } from './source.ts';
import { type Vocabulary, vocabularyFor } from './vocabulary.ts';

/** What a boundary hands to each of its conversations. */
export interface ConversationSettings {
  readonly key: FrameKey;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly judge: Judge;
  readonly limits: LimitOptions;
  readonly sections: readonly string[];
  readonly onEvent: EventListener;
}

export interface RequestOptions {
  /** The developer's own words. @default none */
  readonly policy?: Prompt;
  /** Which records the model is to read, in order. @default all, in the order they were admitted */
  readonly records?: readonly Recorded[];
}

interface Rendered {
  readonly vocabularyId: string;
  readonly framed: Framed;
}

const NO_POLICY: Prompt = prompt``;

/** One conversation: what it has taken in, raw, and how that is shown to a model. */
export class Conversation {
  readonly id: string;
  readonly #settings: ConversationSettings;
  readonly #records = new Map<string, Recorded>();
  // Renderings live as long as this object and are never stored; a record's frame is the same bytes every time.
  readonly #rendered = new Map<string, Rendered>();
  readonly #codes: LiveCodes;
  // Once a policy has used a section, content must not close it in any later rendering either.
  #sections: readonly string[];
  #context: Label | undefined;
  // What any model of this conversation has been shown, word by word.
  readonly #ledger = new Ledger();
  readonly #entered = new Set<string>();
  readonly #enteredFrames = new WeakSet<Framed>();
  // Ids of calls with a value that stems from a flagged span alone, and of the records they brought.
  readonly #directed = new Set<string>();

  constructor(id: string, settings: ConversationSettings) {
    this.id = id;
    this.#settings = settings;
    this.#codes = new LiveCodes(settings.key);
    this.#sections = settings.sections;
  }

  get records(): readonly Recorded[] {
    return [...this.#records.values()];
  }

  /** Takes content in. The same content under the same id is the same record. */
  admit(input: AdmitInput): Recorded {
    const recorded = admit(input, {
      ...this.#settings,
      known: this.#records,
      codes: this.#codes,
    });
    if (!this.#records.has(recorded.id)) this.#codes.add(recorded);
    this.#records.set(recorded.id, recorded);
    // A second result under the id of a call has an id of its own by now, and a summary is no better than what it sums up.
    if ([input.id, ...recorded.derivation].some((id) => id !== undefined && this.#directed.has(id)))
      this.#directed.add(recorded.id);
    return recorded;
  }

  /** Renders one record for a model: limited, classified, quoted, framed. */
  async frame(recorded: Recorded): Promise<Framed> {
    const framed = await this.#frame(recorded, vocabularyFor(this.#sections));
    this.#enter(NO_POLICY, [framed]);
    return framed;
  }

  /** Assembles a request. Only what is new is classified and framed. */
  async request(options: RequestOptions = {}): Promise<Requested> {
    const policy = options.policy ?? NO_POLICY;
    const records = options.records ?? this.records;
    checkRequest(options, policy, records);
    this.#sections = [...new Set([...this.#sections, ...policy.sections])];
    const vocabulary = vocabularyFor(this.#sections);
    const all = [...records, ...policy.free];
    const rendered = all.map((recorded) => this.#kept(recorded, vocabulary));
    if (rendered.includes(undefined))
      await Promise.all(
        all.map(async (recorded, index) => {
          rendered[index] ??= await this.#frame(recorded, vocabulary);
        }),
      );
    const entries = records.map((record, index) => ({ record, framed: rendered[index] as Framed }));
    const framed = (value: Recorded): Framed => rendered[all.lastIndexOf(value)] as Framed;
    const requested = request({ policy, framed, entries, vocabulary });
    this.#context = joinLabels([this.#context ?? HIGHEST, requested.label]);
    this.#enter(policy, rendered as Framed[]);
    return requested;
  }

  /**
   * A call the model proposed by the provider's native tool use, under all that any request of this conversation held:
   * with state held by the provider, or a second request beside the first, the last one alone is not what was read.
   * Before the first request nobody knows what was. The result of a call that a flagged span chose, admitted under the
   * call's id, is taken for that span's words: who chose the page chose what it says.
   */
  propose(use: NativeToolUse): ProposedCall {
    const call = proposeCall(use, this.#context ?? LOWEST);
    const isFlagged = ({ isKey, provenance }: Argument): boolean => !isKey && provenance.standing === 'flagged';
    if (this.trace(call).some(isFlagged)) this.#directed.add(call.id);
    return call;
  }

  /**
   * Whose words each value of a call is made of: those of the developer, the user or the operator, of others, of somebody who
   * tries to instruct the model, or the model's own. Judged by all that any request of this conversation held.
   */
  trace(call: ProposedCall): readonly Argument[] {
    if (!ProposedCall.is(call)) throw new SallyportError('ERR_STAGE_SKIPPED', 'trace() takes what propose() gives.');
    const traced = traceCall(this.#ledger, call);
    // Before the first request nobody knows what the model has read.
    if (this.#context !== undefined) return traced;
    return traced.map((each) => ({ ...each, provenance: { ...each.provenance, standing: 'flagged' } }));
  }

  /** What was shown before is not entered again; the same text judged otherwise is another. */
  #enter(policy: Prompt, rendered: readonly Framed[]): void {
    const fresh = rendered.filter((framed) => !this.#enteredFrames.has(framed));
    for (const framed of fresh) this.#enteredFrames.add(framed);
    for (const each of [
      ...enterPolicy(policy),
      ...fresh.flatMap((framed) => enterFramed(framed, this.#directed.has(sourceRecord(framed).id))),
    ]) {
      const { recordId, part, text, standing, stretches, isEscaped, at } = each;
      const key = digestText(JSON.stringify([recordId, part, text, standing, stretches, isEscaped, at]));
      if (this.#entered.has(key)) continue;
      this.#entered.add(key);
      this.#ledger.add(each);
    }
  }

  /** Everything worth storing, as plain JSON: raw content, sources, digests. No frame, no nonce, no key. */
  snapshot(): Snapshot {
    const directed = [...this.#directed];
    return { version: SNAPSHOT_VERSION, conversation: this.id, records: this.records.map(storeRecord), directed };
  }

  /** Fills a new conversation from a snapshot, with suspicion. */
  restore(snapshot: unknown): this {
    if (this.#records.size > 0)
      throw new SallyportError(
        'ERR_INVALID_SNAPSHOT',
        'Restore into a new conversation: this one has records already.',
      );
    for (const [id, recorded] of restoreRecords(snapshot, this.#settings.onEvent)) {
      this.#records.set(id, recorded);
      this.#codes.add(recorded);
    }
    for (const id of restoreDirected(snapshot, this.#records.keys(), this.#settings.onEvent)) this.#directed.add(id);
    return this;
  }

  #kept(recorded: Recorded, vocabulary: Vocabulary): Framed | undefined {
    const rendered = this.#rendered.get(recorded.id);
    const isCurrent = rendered?.vocabularyId === vocabulary.id && sourceRecord(rendered.framed) === recorded;
    return isCurrent ? rendered.framed : undefined;
  }

  async #frame(recorded: Recorded, vocabulary: Vocabulary): Promise<Framed> {
    const kept = this.#kept(recorded, vocabulary);
    if (kept !== undefined) return kept;
    const { judge, limits, key } = this.#settings;
    if (this.#records.get(recorded.id) !== recorded) this.#codes.add(recorded);
    const framed = frame(quote(await classify(limit(recorded, limits), judge), vocabulary), key);
    this.#report(framed);
    // A record that nobody checked is tried again with the next request, rather than suspect for ever.
    if (isChecked(framed)) this.#rendered.set(recorded.id, { vocabularyId: vocabulary.id, framed });
    return framed;
  }

  #report(framed: Framed): void {
    const { onEvent } = this.#settings;
    const recordId = sourceRecord(framed).id;
    for (const { classified, marks, markers } of framed.quoted.parts) {
      const { cut, mediaWithheld } = classified.limited;
      if (cut !== undefined) onEvent({ type: 'cut', recordId, totalBytes: cut.totalBytes, shownBytes: cut.shownBytes });
      if (mediaWithheld) onEvent({ type: 'media-withheld', recordId });
      if (markers.length > 0) onEvent({ type: 'markers-escaped', recordId, count: markers.length });
      const quoted = marks.filter(({ kind }) => kind === 'quoted').length;
      if (marks.length > 0) onEvent({ type: 'spans-quoted', recordId, quoted, marked: marks.length - quoted });
    }
  }
}

function checkRequest(options: RequestOptions, policy: Prompt, records: readonly Recorded[]): void {
  if (Prompt.is(options) || typeof options !== 'object')
    throw new SallyportError('ERR_INVALID_OPTION', 'request() takes an object: request({ policy: prompt`...` }).');
  if (!Prompt.is(policy))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      "A policy is written with prompt`...`: a string may hold anybody's words.",
    );
  if (!records.every(Recorded.is)) throw new SallyportError('ERR_STAGE_SKIPPED', 'records holds what admit() gave.');
}

function sourceRecord(framed: Framed): Recorded {
  return framed.quoted.classified.limited.recorded;
}

function isChecked(framed: Framed): boolean {
  return framed.quoted.classified.parts.every(
    ({ verdict }) => verdict.type !== 'unchecked' || verdict.reason === 'missing',
  );
}
