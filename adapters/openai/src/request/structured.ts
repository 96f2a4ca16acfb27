import type { Content } from '@sallyport/core';
import { fieldsOf, isFields } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { partOf } from './part.ts';

/** An output whose structure has to stay: its texts, and the same output with frames in their place. */
export interface Structured {
  readonly content: Content;
  show(framed: Framed): unknown;
}

type IsText = (name: string) => boolean;

/** Copies a JSON value and replaces each string whose member name matches by the result of `next`. */
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

/** Each text is replaced by its frame. If several texts have one frame, the first is replaced by it and the others are empty. */
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

/** The output of a shell, chunk by chunk. */
export function shellOutput(output: unknown): Structured {
  if (!Array.isArray(output)) return { content: { json: output ?? null }, show: ({ text }) => text };
  const texts = textsIn(output, isOutput);
  return { content: asTexts(texts), show: (framed) => withFrames(output, isOutput, texts.length, framed) };
}

const isDescription: IsText = (name) => name === 'description' || name === 'title';

/** The tools that a search found. Their names stay, because the model calls them; their descriptions are framed. */
export function foundTools(tools: unknown): Structured {
  const texts = textsIn(tools, isDescription);
  return {
    content: [...asTexts(texts), { type: 'json', value: tools ?? null }],
    show: (framed) => withFrames(tools, isDescription, texts.length, framed),
  };
}

/** A screenshot. The API accepts neither a text next to it nor a result without it. */
export function screenshot(output: unknown): Structured {
  return {
    content: [partOf(output)],
    show({ pieces }) {
      const { image_url: address, file_id: id, ...rest } = fieldsOf(output);
      if (pieces[0]?.media !== undefined) return { ...rest, image_url: address };
      if (address === undefined && typeof id === 'string') return output;
      throw new Error(
        'A screenshot must be a data: URL within the limit for media; received an address or other bytes.',
      );
    },
  };
}
