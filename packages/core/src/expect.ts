import type { AdmitInput } from './admit.ts';
import { joinLabels, type Label } from './label.ts';
import type { Recorded } from './record.ts';
import { shortId } from './turn.ts';

/** What the content under an id will have been made of. */
export interface Expected {
  readonly derivedFrom: readonly Recorded[];
  /** A label to join in. @default none */
  readonly label?: Label;
}

/** What is known of results before they come: frameworks bring them, in whatever form they like. */
export class Expectations {
  readonly #byId = new Map<string, Expected>();

  note(id: string, expected: Expected): void {
    const known = this.#byId.get(shortId(id));
    const derivedFrom = [...(known?.derivedFrom ?? []), ...expected.derivedFrom];
    const labels = [known?.label, expected.label].filter((label) => label !== undefined);
    this.#byId.set(shortId(id), { derivedFrom, label: joinLabels(labels) });
  }

  applyTo(input: AdmitInput): AdmitInput {
    const expected = input.id === undefined ? undefined : this.#byId.get(shortId(input.id));
    if (expected === undefined) return input;
    const derivedFrom = [...new Set([...(input.derivedFrom ?? []), ...expected.derivedFrom])];
    const labels = [input.label, expected.label].filter((label) => label !== undefined);
    return { ...input, derivedFrom, label: joinLabels(labels) };
  }
}
