import type { StreamEvent } from '@openai/agents';
import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';

/** Recognizes text that the model wrote for the user. */
function isShown({ type, role }: Fields, member: string): boolean {
  if (member === 'text') return type === 'output_text';
  if (member === 'output_text') return true;
  if (member === 'refusal') return type === 'refusal' || role === 'assistant';
  return member === 'content' && role === 'assistant';
}

/** Recognizes a piece of such a text, in an event of responses or of chat completions. */
function isPiece({ type }: Fields, member: string, parent: string): boolean {
  if (member === 'delta') return /\.(?:output_text|refusal)\.delta$/.test(String(type));
  return parent === 'delta' && (member === 'content' || member === 'refusal');
}

/** A copy of plain JSON with the texts replaced. Whole texts are sanitized; pieces are removed, since they could be put together again. */
function mapTexts(value: unknown, whole: (text: string) => string, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, whole, parent));
  if (!isFields(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const isDone = /\.(?:output_text|refusal)\.done$/.test(String(value.type));
  const members = Object.entries(value).map(([name, each]) => {
    if (typeof each !== 'string') return [name, mapTexts(each, whole, name)];
    if (isPiece(value, name, parent)) return [name, ''];
    const isText = isShown(value, name) || (isDone && (name === 'text' || name === 'refusal'));
    return [name, isText ? whole(each) : each];
  });
  return Object.fromEntries(members);
}

/** Items of an answer, or an event of the provider, whose texts have no addresses that could carry data to strangers. */
export function sanitized<Value>(conversation: Conversation, value: Value): Value {
  return mapTexts(value, (text) => conversation.sanitizeOutput(text).text) as Value;
}

type TextEvent = Extract<StreamEvent, { type: 'output_text_delta' }>;

/** Sanitizes the events of one streamed answer. Only what may be the beginning of an address is held back. */
export class SanitizedEvents {
  readonly #conversation: Conversation;
  #text: { readonly last: TextEvent; readonly output: ReturnType<Conversation['outputStream']> } | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The events that are passed on in place of one. */
  *read(event: StreamEvent): Generator<StreamEvent> {
    if (event.type === 'output_text_delta') yield* this.#piece(event);
    else {
      if (event.type === 'response_done') yield* this.end();
      yield sanitized(this.#conversation, event);
    }
  }

  /** Ends a text, and returns the part that is still held back. */
  *end(): Generator<StreamEvent> {
    if (this.#text === undefined) return;
    const { last, output } = this.#text;
    this.#text = undefined;
    const delta = output.end();
    if (delta !== '') yield { ...last, delta };
  }

  *#piece(event: TextEvent): Generator<StreamEvent> {
    // In chat completions, this is the whole chunk with its text.
    const { choices: _, ...providerData } = fieldsOf(event.providerData);
    const last: TextEvent = { ...event, ...(event.providerData === undefined ? {} : { providerData }) };
    if (this.#text?.last.itemId !== event.itemId) yield* this.end();
    const output = this.#text?.output ?? this.#conversation.outputStream();
    this.#text = { last, output };
    const delta = output.push(event.delta);
    if (delta !== '') yield { ...last, delta };
  }
}
