import type { Tool } from '../call/tool.ts';
import type { Framed } from '../frame/frame.ts';
import { joinLabels, type Label, vouches } from '../label/label.ts';
import type { Recorded } from '../record/record.ts';
import type { AdmitInput } from './admit.ts';
import { shortId } from './turn.ts';

/** What the content under an id will have been made of. */
export interface Derivation {
  readonly derivedFrom: readonly Recorded[];
  /** A label to join in. @default none */
  readonly label?: Label;
  /** Not everything is known that it was made of. @default false */
  readonly isDoubtful?: boolean;
}

interface Noted {
  readonly derivedFrom: readonly Recorded[];
  readonly label: Label;
  readonly isDoubtful: boolean;
}

/** Somebody tries to instruct a model in it, or nobody has looked at all of it. */
function isDoubtful({ quoted: { classified } }: Framed): boolean {
  if (vouches(classified.limited.recorded.label.integrity)) return false;
  return classified.parts.some(({ limited, verdict }) => {
    if (limited.cut !== undefined || verdict.type === 'unchecked') return true;
    return verdict.type === 'checked' && verdict.spans.some(({ likelihood }) => likelihood !== 'none');
  });
}

/** What is known of results before they come: frameworks bring them, in whatever form they like. */
export class Expectations {
  readonly #byId = new Map<string, Noted>();

  /** `shown` are the frames of what it is made from: where those are doubtful, so is everything that was made of them. */
  note(id: string, { derivedFrom, label, isDoubtful: given }: Derivation, shown: readonly Framed[]): void {
    const known = this.#byId.get(shortId(id));
    const labels = [known?.label, label].filter((each) => each !== undefined);
    this.#byId.set(shortId(id), {
      derivedFrom: [...(known?.derivedFrom ?? []), ...derivedFrom],
      label: joinLabels(labels),
      isDoubtful: given === true || known?.isDoubtful === true || shown.some(isDoubtful),
    });
  }

  /** Whether what came under an id is to be doubted. Of what a tool puts together, nobody knows otherwise what it was made of. */
  isDoubtful(id: string | undefined, tool: Tool | undefined): boolean {
    const noted = id === undefined ? undefined : this.#byId.get(shortId(id));
    return noted === undefined ? tool?.isDerived === true : noted.isDoubtful;
  }

  applyTo(input: AdmitInput): AdmitInput {
    const noted = input.id === undefined ? undefined : this.#byId.get(shortId(input.id));
    if (noted === undefined) return input;
    const derivedFrom = [...new Set([...(input.derivedFrom ?? []), ...noted.derivedFrom])];
    return {
      ...input,
      derivedFrom,
      label: joinLabels(input.label === undefined ? [noted.label] : [input.label, noted.label]),
    };
  }
}
