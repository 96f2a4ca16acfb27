import { formOf } from './forms.ts';
import { type Fields, isFields } from './part.ts';
import { systemTexts } from './voices.ts';

/** The tag of system messages that somebody gave with a call. */
const GIVEN = 'user-provided';

function firstIn(prompt: readonly unknown[], list: Fields | undefined): readonly string[] {
  const isSystem = (message: unknown): message is Fields => isFields(message) && message.role === 'system';
  const [first] =
    list === undefined ? prompt.filter(isSystem).map(({ content }) => String(content)) : systemTexts(list);
  return first === undefined || formOf(first, undefined) !== undefined ? [] : [first];
}

/** What the developer of an agent said in system messages. Whatever else stands in one is not his word. */
export class Developer {
  #texts: Set<string> | undefined;

  /** Takes note of his words at the beginning of a run: no processor of Mastra has added to them by then. */
  note(list: unknown): void {
    const texts = isFields(list) ? systemTexts(list) : [];
    this.#texts = new Set([...(this.#texts ?? []), ...texts]);
  }

  /** His words in a prompt. A run that goes on in another process did not begin in this one: there the first message is his. */
  textsIn(prompt: readonly unknown[], list: unknown): ReadonlySet<string> {
    const known = isFields(list) ? list : undefined;
    const given = known === undefined ? [] : systemTexts(known, GIVEN);
    return new Set([...(this.#texts ?? firstIn(prompt, known)), ...given]);
  }
}
