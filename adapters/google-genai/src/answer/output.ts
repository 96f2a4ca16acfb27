import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { AnswerText } from './answer-text.ts';

/** An answer of one API, whole or as a stream of events. */
export interface Output {
  whole(body: Fields): Fields;
  /** The events in place of an event. */
  take(event: Fields): readonly Fields[];
  /** Ends the stream, and returns the text that is still held back. */
  end(): readonly Fields[];
}

/** Members that add nothing to a candidate whose text is held back. */
const PLAIN = ['content', 'index', 'safetyRatings'];

function withParts(candidate: Fields, parts: readonly unknown[]): Fields {
  return { ...candidate, content: { ...fieldsOf(candidate.content), parts } };
}

function partsOf(candidate: unknown): readonly unknown[] {
  return listOf(fieldsOf(fieldsOf(candidate).content).parts);
}

/** Checks that nothing is left of a chunk, because all its text is held back. */
function isHeld(candidates: readonly Fields[]): boolean {
  return candidates.length > 0 && candidates.every((each) => isFields(each.content) && partsOf(each).length === 0);
}

/** Sanitizes answers of `generateContent` and `generateContentStream`. */
export class ContentOutput implements Output {
  readonly #conversation: Conversation;
  readonly #texts = new Map<unknown, AnswerText>();
  // Some models say in every chunk that they have finished, so only the end of the stream says which chunk is the last.
  #last: Fields | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  whole(body: Fields): Fields {
    return this.#ended(this.#shown(body));
  }

  take(chunk: Fields): readonly Fields[] {
    const before = this.#last === undefined ? [] : [this.#last];
    this.#last = undefined;
    const shown = this.#shown(chunk);
    const candidates = listOf(shown.candidates).map(fieldsOf);
    if (candidates.some(({ finishReason }) => finishReason !== undefined)) this.#last = shown;
    else if (!isHeld(candidates)) return [...before, shown];
    return before;
  }

  end(): readonly Fields[] {
    const last = this.#last === undefined ? [] : [this.#ended(this.#last)];
    const open = [...this.#texts].map(([index, text]) => ({ index, parts: text.end() }));
    const candidates = open
      .filter(({ parts }) => parts.length > 0)
      .map(({ index, parts }) => ({ index, content: { role: 'model', parts } }));
    return candidates.length === 0 ? last : [{ candidates }, ...last];
  }

  #textOf({ index = 0 }: Fields): AnswerText {
    const text = this.#texts.get(index) ?? new AnswerText(this.#conversation);
    this.#texts.set(index, text);
    return text;
  }

  #mapped(body: Fields, change: (candidate: Fields) => Fields): Fields {
    if (!Array.isArray(body.candidates)) return body;
    return { ...body, candidates: body.candidates.map((each) => (isFields(each) ? change(each) : each)) };
  }

  #shown(body: Fields): Fields {
    return this.#mapped(body, (candidate) => {
      const parts = partsOf(candidate);
      if (parts.length === 0) return candidate;
      const shown = this.#textOf(candidate).take(parts);
      const isLeft = shown.length > 0 || Object.keys(candidate).every((name) => PLAIN.includes(name));
      // Chats drop an answer of which one message has no part.
      return withParts(candidate, isLeft ? shown : [{ text: '' }]);
    });
  }

  #ended(body: Fields): Fields {
    return this.#mapped(body, (candidate) => {
      const parts = this.#textOf(candidate).end(partsOf(candidate));
      return parts.length === 0 ? candidate : withParts(candidate, parts);
    });
  }
}
