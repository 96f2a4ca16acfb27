import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import type { ToolCall } from '../call/call.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { Report } from '../event.ts';
import type { Framed } from '../frame/frame.ts';
import type { FrameKey } from '../frame/key.ts';
import { LiveCodes } from '../frame/live-codes.ts';
import { type Opened, openFrame } from '../frame/open-frame.ts';
import { readFrame } from '../frame/read-frame.ts';
import type { Label } from '../label/label.ts';
import type { StoredOrigin } from '../provenance/call-origin.ts';
import type { Transcript } from '../provenance/transcript.ts';
import type { LimitOptions } from '../record/limit.ts';
import type { Content, Part } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { type AdmitContext, type AdmitInput, admit, cleanWords } from './admit.ts';
import { type Derivation, Expectations } from './expectations.ts';
import { restoreChoices, restoreRecords } from './snapshot.ts';

export interface IntakeSettings {
  readonly key: FrameKey;
  readonly tools: ToolRegistry;
  readonly limits: LimitOptions;
  readonly onEvent: Report;
}

interface CleanWords {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly labels: readonly Label[];
}

/** The content that one conversation has received: raw records, each with its source and label. */
export class Intake {
  readonly #settings: IntakeSettings;
  readonly #transcript: Transcript;
  readonly #records = new Map<string, Recorded>();
  // Records that were framed without being added, such as those that a script has read.
  readonly #framedOnly = new Map<string, Recorded>();
  readonly #codes: LiveCodes;
  readonly #expectations = new Expectations();
  #messageCount = 0;
  #task = '';

  constructor(settings: IntakeSettings, transcript: Transcript) {
    this.#settings = settings;
    this.#transcript = transcript;
    this.#codes = new LiveCodes(settings.key);
  }

  get records(): readonly Recorded[] {
    return [...this.#records.values()];
  }

  /** How many messages of the user were added here, repeated ones included. */
  get messageCount(): number {
    return this.#messageCount;
  }

  /** A digest of all messages of the user, in their order. */
  get task(): string {
    return this.#task;
  }

  get(id: string): Recorded | undefined {
    return this.#records.get(id) ?? this.#framedOnly.get(id);
  }

  /** True for a record that was added here, under its id. */
  holds(recorded: Recorded): boolean {
    return this.#records.get(recorded.id) === recorded;
  }

  /** Adds content. The same content under the same id is the same record. */
  add(received: AdmitInput): Recorded {
    const input = this.#expectations.applyTo(received);
    const recorded = admit(input, this.#context);
    if (input.source?.origin === 'user') {
      this.#messageCount += 1;
      this.#task = digestText(canonicalJson([this.#task, recorded.digest]));
    }
    if (!this.#records.has(recorded.id)) this.#codes.add(recorded);
    this.#records.set(recorded.id, recorded);
    // The record may have another id than the input, if that id was taken; its call has the input's id.
    this.#transcript.inherit(recorded, input.id);
    const tool = input.tool === undefined ? undefined : this.#settings.tools.get(input.tool);
    if (this.#expectations.isDoubtful(input.id, tool)) this.#transcript.lowerTrust(recorded.id, 'suspect');
    return recorded;
  }

  /** Remembers a record that is framed without having been added. */
  addFramedOnly(recorded: Recorded): void {
    if (!this.#records.has(recorded.id)) this.#framedOnly.set(recorded.id, recorded);
  }

  /** Registers the codes of a record that is framed here, so that they are removed from later content. */
  registerCodes(recorded: Recorded): void {
    if (!this.holds(recorded)) this.#codes.add(recorded);
  }

  /** The record that a frame of this conversation shows. Undefined for every other text. */
  openFrame(text: string): Opened | undefined {
    const read = readFrame(text);
    return read && openFrame(read, this.#codes, this.#settings.limits);
  }

  /** Declares what the content that will arrive under an id is made from. `shown` are the frames of those records. */
  declareDerivation(id: string, derivation: Derivation, shown: readonly Framed[]): void {
    this.#expectations.add(id, derivation, shown);
  }

  /** Text that a model wrote, without frames and live codes. */
  cleanWords(id: string, content: Content): CleanWords {
    return cleanWords(id, content, this.#context);
  }

  /** A call without live codes: a model may write one as the call's id or tool name, and both are stored and reported. */
  cleanUse(use: ToolCall): ToolCall {
    const clean = (text: string): string => this.#codes.cleanText(text, { id: text, parts: [] }).value;
    return { ...use, id: clean(use.id), tool: clean(use.tool) };
  }

  /** Fills an empty intake from a snapshot. Fields that do not validate lower their record. */
  restore(snapshot: unknown): { readonly records: readonly Recorded[]; readonly choices: readonly StoredOrigin[] } {
    if (this.#records.size > 0)
      throw new SallyportError(
        'ERR_INVALID_SNAPSHOT',
        'restore() needs a new conversation; this one already has records.',
      );
    const { onEvent } = this.#settings;
    for (const [id, recorded] of restoreRecords(snapshot, onEvent)) {
      this.#records.set(id, recorded);
      this.#codes.add(recorded);
    }
    return { records: this.records, choices: restoreChoices(snapshot, this.#records.keys(), onEvent) };
  }

  get #context(): AdmitContext {
    return { ...this.#settings, records: this.#records, codes: this.#codes };
  }
}
