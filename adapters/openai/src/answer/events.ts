import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { type Reading, readAnswer, type TextStream } from './read-answer.ts';

interface OpenText {
  readonly stream: TextStream;
  /** An event with the rest of the text. */
  readonly rest: (delta: string) => Fields;
}

const PIECE = /^response\.(?:output_text|refusal)\.delta$/;
const WHOLE = /^response\.(?:output_text|refusal)\.done$/;
const MEMBERS = ['content', 'refusal'] as const;

/** Reads the events of one streamed answer. Only what may be the beginning of an address is held back. */
export class AnswerEvents {
  readonly #reading: Reading;
  readonly #open = new Map<string, OpenText>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The events that the application is shown in place of one. */
  read(event: unknown): readonly unknown[] {
    if (!isFields(event)) return [event];
    if (Array.isArray(event.choices)) return [this.#chunk(event)];
    const key = JSON.stringify([event.output_index, event.content_index]);
    if (PIECE.test(String(event.type))) {
      const delta = this.#push(key, String(event.delta), (rest) => ({ ...event, delta: rest }));
      return [{ ...event, delta }];
    }
    return WHOLE.test(String(event.type)) ? this.#done(key, event) : [readAnswer(event, this.#reading)];
  }

  /** Ends the stream, and returns the text that is still held back. */
  end(): readonly unknown[] {
    return [...this.#open.keys()].flatMap((key) => this.#rest(key));
  }

  #push(key: string, delta: string, rest: OpenText['rest']): string {
    const { stream } = this.#open.get(key) ?? { stream: this.#reading.texts.stream() };
    this.#open.set(key, { stream, rest });
    return stream.push(delta);
  }

  #rest(key: string): readonly Fields[] {
    const open = this.#open.get(key);
    this.#open.delete(key);
    const delta = open?.stream.end() ?? '';
    return open === undefined || delta === '' ? [] : [open.rest(delta)];
  }

  #done(key: string, event: Fields): readonly unknown[] {
    const { whole } = this.#reading.texts;
    const rest = this.#rest(key).map((each) => ({ ...each, sequence_number: event.sequence_number }));
    const member = typeof event.text === 'string' ? 'text' : 'refusal';
    return [...rest, { ...event, [member]: whole(String(event[member])) }];
  }

  /** A chunk of chat completions. */
  #chunk(chunk: Fields): Fields {
    const choices = listOf(chunk.choices).map((choice) => {
      if (!isFields(choice)) return choice;
      const delta = fieldsOf(choice.delta);
      this.#reading.watch.recordAnswer(delta);
      return { ...choice, delta: { ...delta, ...this.#texts(chunk, choice, delta) } };
    });
    return { ...chunk, choices };
  }

  #texts(chunk: Fields, choice: Fields, delta: Fields): Fields {
    const texts = MEMBERS.flatMap((member) => {
      const key = JSON.stringify([choice.index, member]);
      const rest = (text: string): Fields => {
        return { ...chunk, choices: [{ index: choice.index, delta: { [member]: text }, finish_reason: null }] };
      };
      const given = delta[member];
      const shown = typeof given === 'string' ? this.#push(key, given, rest) : undefined;
      const isLast = choice.finish_reason !== undefined && choice.finish_reason !== null;
      const held = isLast ? this.#close(key) : '';
      return shown === undefined && held === '' ? [] : [[member, (shown ?? '') + held]];
    });
    return Object.fromEntries(texts);
  }

  #close(key: string): string {
    const held = this.#open.get(key)?.stream.end() ?? '';
    this.#open.delete(key);
    return held;
  }
}
