import type { ClassifierRunner } from '../classify/classifier.ts';
import { classify } from '../classify/classify.ts';
import type { Report } from '../event.ts';
import { type Framed, frame } from '../frame/frame.ts';
import type { FrameKey } from '../frame/key.ts';
import { quote } from '../frame/mark.ts';
import { type LimitOptions, limit } from '../record/limit.ts';
import type { Recorded } from '../record/record.ts';
import type { Vocabulary } from '../text/reserved-names.ts';

export interface FrameSettings {
  readonly key: FrameKey;
  readonly runClassifier: ClassifierRunner;
  readonly limits: LimitOptions;
  readonly onEvent: Report;
}

interface Rendered {
  readonly vocabularyId: string;
  readonly framed: Framed;
}

function sourceRecord(framed: Framed): Recorded {
  return framed.quoted.classified.limited.recorded;
}

function isChecked(framed: Framed): boolean {
  return framed.quoted.classified.parts.every(
    ({ verdict }) => verdict.type !== 'unchecked' || verdict.reason === 'missing',
  );
}

/** The frames of one conversation's records. They are kept in memory and never stored; a record's frame is the same bytes every time. */
export class Frames {
  readonly #settings: FrameSettings;
  readonly #rendered = new Map<string, Rendered>();

  constructor(settings: FrameSettings) {
    this.#settings = settings;
  }

  /** The frame of a record if it was made before under the same vocabulary. */
  cached(recorded: Recorded, vocabulary: Vocabulary): Framed | undefined {
    const rendered = this.#rendered.get(recorded.id);
    const isCurrent = rendered?.vocabularyId === vocabulary.id && sourceRecord(rendered.framed) === recorded;
    return isCurrent ? rendered.framed : undefined;
  }

  async frame(recorded: Recorded, vocabulary: Vocabulary): Promise<Framed> {
    const cached = this.cached(recorded, vocabulary);
    if (cached !== undefined) return cached;
    const { runClassifier, limits, key } = this.#settings;
    const framed = frame(quote(await classify(limit(recorded, limits), runClassifier), vocabulary), key);
    this.#report(framed);
    // A record that could not be checked is classified again with the next request, so that it does not stay suspect.
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
