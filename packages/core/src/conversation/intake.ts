import { SallyportError } from '../base/errors.ts';
import type { ToolCall } from '../call/call.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { EventListener } from '../event.ts';
import type { Framed } from '../frame/frame.ts';
import type { FrameKey } from '../frame/key.ts';
import { LiveCodes } from '../frame/live-codes.ts';
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
  readonly onEvent: EventListener;
}

interface CleanWords {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly labels: readonly Label[];
}

/** What one conversation has taken in: raw records, each with its source and label. */
export class Intake {
  readonly #settings: IntakeSettings;
  readonly #transcript: Transcript;
  readonly #records = new Map<string, Recorded>();
  // Framed without being taken in: what a script has read, and no model.
  readonly #aside = new Map<string, Recorded>();
  readonly #codes: LiveCodes;
  readonly #expectations = new Expectations();

  constructor(settings: IntakeSettings, transcript: Transcript) {
    this.#settings = settings;
    this.#transcript = transcript;
    this.#codes = new LiveCodes(settings.key);
  }

  get records(): readonly Recorded[] {
    return [...this.#records.values()];
  }

  get(id: string): Recorded | undefined {
    return this.#records.get(id) ?? this.#aside.get(id);
  }

  /** Whether a record was taken in here, under its id. */
  holds(recorded: Recorded): boolean {
    return this.#records.get(recorded.id) === recorded;
  }

  /** Takes content in. The same content under the same id is the same record. */
  add(given: AdmitInput): Recorded {
    const input = this.#expectations.applyTo(given);
    const recorded = admit(input, this.#context);
    if (!this.#records.has(recorded.id)) this.#codes.add(recorded);
    this.#records.set(recorded.id, recorded);
    // A second result under the id of a call has an id of its own by now.
    this.#transcript.inherit(recorded, input.id);
    const tool = input.tool === undefined ? undefined : this.#settings.tools.get(input.tool);
    if (this.#expectations.isDoubtful(input.id, tool)) this.#transcript.lowerTrust(recorded.id, 'suspect');
    return recorded;
  }

  /** Remembers a record that is shown without having been taken in. */
  addAside(recorded: Recorded): void {
    if (!this.#records.has(recorded.id)) this.#aside.set(recorded.id, recorded);
  }

  /** The codes of a record that is framed here must not come back in content. */
  guard(recorded: Recorded): void {
    if (!this.holds(recorded)) this.#codes.add(recorded);
  }

  /** What will come in under an id was made from records that were shown as these frames. */
  expect(id: string, expected: Derivation, shown: readonly Framed[]): void {
    this.#expectations.note(id, expected, shown);
  }

  /** Words that a model writes, without frames and live codes. */
  cleanWords(id: string, content: Content): CleanWords {
    return cleanWords(id, content, this.#context);
  }

  /** A model may write a live code where a provider lets it choose an id or a name: neither is to be stored or reported. */
  cleanUse(use: ToolCall): ToolCall {
    const { id, tool } = use ?? {};
    if (typeof id !== 'string' || typeof tool !== 'string') return use;
    const clean = (text: string): string => this.#codes.cleanText(text, { id: text, partCount: 1 }).value;
    return { ...use, id: clean(id), tool: clean(tool) };
  }

  /** Fills an empty intake from a snapshot, with suspicion. */
  restore(snapshot: unknown): { readonly records: readonly Recorded[]; readonly choices: readonly StoredOrigin[] } {
    if (this.#records.size > 0)
      throw new SallyportError(
        'ERR_INVALID_SNAPSHOT',
        'Restore into a new conversation: this one has records already.',
      );
    const { onEvent } = this.#settings;
    for (const [id, recorded] of restoreRecords(snapshot, onEvent)) {
      this.#records.set(id, recorded);
      this.#codes.add(recorded);
    }
    return { records: this.records, choices: restoreChoices(snapshot, this.#records.keys(), onEvent) };
  }

  get #context(): AdmitContext {
    return { ...this.#settings, known: this.#records, codes: this.#codes };
  }
}
