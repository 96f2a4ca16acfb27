import type { Content } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';
import { type Fields, isFields } from './fields.ts';
import { partOf } from './part.ts';

/** An output that has to keep its form: its texts one by one, and the same output with others in their place. */
export interface Structured {
  readonly content: Content;
  show(framed: Framed): unknown;
}

type IsText = (name: string) => boolean;

/** Copies a JSON value, with each text that stands under such a name as `next` gives it. */
function mapTexts(value: unknown, isText: IsText, next: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return isText(name) && value !== '' ? next(value) : value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, isText, next, name));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, isText, next, key)]));
}

function textsIn(value: unknown, isText: IsText): string[] {
  const texts: string[] = [];
  mapTexts(value, isText, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Each text has its piece; where several stand in one frame, the first place holds it and the others are empty. */
function withFrames(value: unknown, isText: IsText, count: number, { text, pieces }: Framed): unknown {
  const isEach = pieces.length >= count;
  let index = -1;
  return mapTexts(value, isText, () => {
    index++;
    if (isEach) return pieces[index]?.text ?? '';
    return index === 0 ? text : '';
  });
}

function asTexts(texts: readonly string[]): { type: 'text'; text: string }[] {
  return texts.map((text) => ({ type: 'text', text }));
}

const isOutput: IsText = (name) => name !== 'type';

/** What a shell wrote, chunk by chunk. */
export function shellOutput(output: unknown): Structured {
  if (!Array.isArray(output)) return { content: { json: output ?? null }, show: ({ text }) => text };
  const texts = textsIn(output, isOutput);
  return { content: asTexts(texts), show: (framed) => withFrames(output, isOutput, texts.length, framed) };
}

const isDescription: IsText = (name) => name === 'description' || name === 'title';

/** Tools that were found. The model calls them by their names, which stay; what is said about them is framed. */
export function foundTools(tools: unknown): Structured {
  const texts = textsIn(tools, isDescription);
  return {
    content: [...asTexts(texts), { type: 'json', value: tools ?? null }],
    show: (framed) => withFrames(tools, isDescription, texts.length, framed),
  };
}

/** A picture of the screen. There is no place for words beside it, and no other picture to send instead. */
export function screenshot(output: unknown): Structured {
  return {
    content: [partOf(output)],
    show({ pieces }) {
      const { image_url: address, file_id: id, ...rest } = isFields(output) ? output : ({} as Fields);
      if (pieces[0]?.media !== undefined) return { ...rest, image_url: address };
      if (address === undefined && typeof id === 'string') return output;
      throw new Error('A screenshot goes on only as bytes: give it as a data: URL, within the limit for media.');
    },
  };
}
