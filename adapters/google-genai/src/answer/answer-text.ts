import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';

interface TextPart extends Fields {
  readonly text: string;
}

/** Recognizes text for the user, as opposed to a thought. */
function isText(part: unknown): part is TextPart {
  return isFields(part) && typeof part.text === 'string' && part.thought !== true;
}

/** The text of one answer, without addresses that could carry data to strangers, whether its parts arrive together or one by one. */
export class AnswerText {
  readonly #output: ReturnType<Conversation['outputStream']>;
  readonly #about: Fields;

  /** `about` are the members that a text part has in addition to its text. */
  constructor(conversation: Conversation, about: Fields = {}) {
    this.#output = conversation.outputStream();
    this.#about = about;
  }

  /** The next parts. Of their text, what may be the beginning of an address is held back. */
  take(parts: readonly unknown[]): readonly unknown[] {
    let shown: readonly unknown[] = [];
    for (const part of parts) {
      if (!isText(part)) shown = [...this.end(shown), part];
      else shown = [...shown, ...this.#shown(part)];
    }
    return shown;
  }

  /** The parts with the rest of the text, when the answer has ended. */
  end(parts: readonly unknown[] = []): readonly unknown[] {
    const rest = this.#output.end();
    if (rest === '') return parts;
    const last = parts.at(-1);
    if (isText(last)) return [...parts.slice(0, -1), { ...last, text: last.text + rest }];
    return [...parts, { ...this.#about, text: rest }];
  }

  /** An empty text is not sent back to every API, so a part whose text is held back is left out if it has nothing else. */
  #shown(part: TextPart): readonly unknown[] {
    const text = this.#output.push(part.text);
    const hasMore = Object.keys(part).some((name) => name !== 'text' && !(name in this.#about));
    return text === '' && part.text !== '' && !hasMore ? [] : [{ ...part, text }];
  }
}
