import { type Fields, isFields } from '@sallyport/core/adapter';
import { formOf } from './forms.ts';
import { systemTexts } from './voices.ts';

/** The tag of system messages that were passed with a call. */
const GIVEN = 'user-provided';

function firstIn(prompt: readonly unknown[], list: Fields | undefined): readonly string[] {
  const isSystem = (message: unknown): message is Fields => isFields(message) && message.role === 'system';
  const [first] =
    list === undefined ? prompt.filter(isSystem).map(({ content }) => String(content)) : systemTexts(list);
  return first === undefined || formOf(first, undefined) !== undefined ? [] : [first];
}

/** The texts that the developer of an agent wrote into system messages. All other system texts are not the developer's words. */
export class Developer {
  #texts: Set<string> | undefined;

  /** Records the developer's texts at the beginning of a run, before a processor of Mastra has added to them. */
  recordTexts(list: unknown): void {
    const texts = isFields(list) ? systemTexts(list) : [];
    this.#texts = new Set([...(this.#texts ?? []), ...texts]);
  }

  /** The developer's texts in a prompt. For a run that another process started, only the first message counts. */
  textsIn(prompt: readonly unknown[], list: unknown): ReadonlySet<string> {
    const known = isFields(list) ? list : undefined;
    const given = known === undefined ? [] : systemTexts(known, GIVEN);
    return new Set([...(this.#texts ?? firstIn(prompt, known)), ...given]);
  }
}
