import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import type { Watch } from '../watch.ts';
import type { Provided } from './provided.ts';

/** A text that arrives in pieces. */
export interface TextStream {
  push(delta: string): string;
  end(): string;
}

/** How the texts of an answer are shown to the application. */
export interface Texts {
  whole(text: string): string;
  stream(): TextStream;
}

/** The texts without addresses that could carry data to strangers. */
export function sanitizedTexts(conversation: Conversation): Texts {
  return { whole: (text) => conversation.sanitizeOutput(text).text, stream: () => conversation.outputStream() };
}

/** The texts unchanged. */
export const RAW: Texts = { whole: (text) => text, stream: () => ({ push: (delta) => delta, end: () => '' }) };

/** Options for reading the answers of the model. */
export interface Reading {
  readonly texts: Texts;
  readonly watch: Watch;
  readonly provided: Provided;
}

/** Recognizes text that the model wrote for the user. */
function isShown({ type, role }: Fields, member: string): boolean {
  if (member === 'text') return type === 'output_text';
  if (member === 'refusal') return type === 'refusal' || role === 'assistant';
  return member === 'content' && role === 'assistant';
}

/** An answer, or a list of stored items, whose texts can be shown. Its calls are recorded. */
export function readAnswer(value: unknown, reading: Reading): unknown {
  if (Array.isArray(value)) return value.map((each) => readAnswer(each, reading));
  if (!isFields(value)) return value;
  reading.watch.recordAnswer(value);
  reading.provided.collect(value);
  const members = Object.entries(value).map(([name, each]) => {
    if (typeof each === 'string' && isShown(value, name)) return [name, reading.texts.whole(each)];
    return [name, readAnswer(each, reading)];
  });
  return Object.fromEntries(members);
}
