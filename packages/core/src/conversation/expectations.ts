import type { Tool } from '../call/tool.ts';
import type { Framed } from '../frame/frame.ts';
import { joinLabels, type Label, vouches } from '../label/label.ts';
import type { Recorded } from '../record/record.ts';
import type { AdmitInput } from './admit.ts';
import { shortId } from './turn.ts';

/**
 * What content that arrives later was made from.
 *
 * @example
 * ```ts
 * const derivation: Derivation = { derivedFrom: [page, mail] };
 * await conversation.declareDerivation('call-7', derivation);
 * ```
 */
export interface Derivation {
  /** The records it is made from. */
  readonly derivedFrom: readonly Recorded[];
  /** A label to join with those of the records. It can only lower the result. @default none */
  readonly label?: Label;
  /** It may be made from other content as well, so the whole result is suspect. @default false */
  readonly isDoubtful?: boolean;
}

interface Expected {
  readonly derivedFrom: readonly Recorded[];
  readonly label: Label;
  readonly isDoubtful: boolean;
}

/** Untrusted content that holds a possible instruction, or was not checked completely. */
function isDoubtful({ quoted: { classified } }: Framed): boolean {
  if (vouches(classified.limited.recorded.label.integrity)) return false;
  return classified.parts.some(({ limited, verdict }) => {
    if (limited.cut !== undefined || verdict.type === 'unchecked') return true;
    return verdict.type === 'checked' && verdict.spans.some(({ likelihood }) => likelihood !== 'none');
  });
}

/** The declared derivations of results that have not arrived yet. */
export class Expectations {
  readonly #byId = new Map<string, Expected>();

  /** Adds a derivation. `shown` are the frames of its records: if one is doubtful, so is the result. */
  add(id: string, { derivedFrom, label, isDoubtful: declared }: Derivation, shown: readonly Framed[]): void {
    const earlier = this.#byId.get(shortId(id));
    const labels = [earlier?.label, label].filter((each) => each !== undefined);
    this.#byId.set(shortId(id), {
      derivedFrom: [...(earlier?.derivedFrom ?? []), ...derivedFrom],
      label: joinLabels(labels),
      isDoubtful: declared === true || earlier?.isDoubtful === true || shown.some(isDoubtful),
    });
  }

  /** True if the result under an id is doubtful. That of a derived tool is, unless its derivation was declared. */
  isDoubtful(id: string | undefined, tool: Tool | undefined): boolean {
    const expected = id === undefined ? undefined : this.#byId.get(shortId(id));
    return expected === undefined ? tool?.isDerived === true : expected.isDoubtful;
  }

  /** The input with its declared derivation. */
  applyTo(input: AdmitInput): AdmitInput {
    const expected = input.id === undefined ? undefined : this.#byId.get(shortId(input.id));
    if (expected === undefined) return input;
    const derivedFrom = [...new Set([...(input.derivedFrom ?? []), ...expected.derivedFrom])];
    return {
      ...input,
      derivedFrom,
      label: joinLabels(input.label === undefined ? [expected.label] : [input.label, expected.label]),
    };
  }
}
