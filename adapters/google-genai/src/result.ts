import type { Content } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { bareMedia, partOf } from './part.ts';

/** The content of a response: its output or its error, if it has no other member; otherwise the whole response. */
export function outputOf(response: unknown): Content {
  if (!isFields(response)) return typeof response === 'string' ? response : { json: response ?? null };
  const [name, ...others] = Object.keys(response);
  const isPlain = others.length === 0 && (name === 'output' || name === 'error');
  const output = isPlain ? response[name] : response;
  return typeof output === 'string' ? output : { json: output };
}

function asList(parts: unknown): readonly unknown[] {
  if (parts === undefined || parts === null) return [];
  return Array.isArray(parts) ? parts : [parts];
}

/** The content of a function response: its output first, then its media. */
export function contentOf({ response, parts }: Fields): Content {
  const output = outputOf(response);
  const media = asList(parts);
  if (media.length === 0) return output;
  const first = typeof output === 'string' ? { type: 'text' as const, text: output } : undefined;
  return [first ?? { type: 'json', value: (output as { json: unknown }).json }, ...media.map(partOf)];
}

/** The members that identify a response and say whether more follows. All others are shown in a frame, or not at all. */
const ABOUT = ['id', 'name', 'scheduling', 'willContinue'];

/** The response with its frames. It stays an object, and an error stays an error; an address is not sent. */
function framedIn(response: unknown, { pieces }: Framed): Fields {
  const key = isFields(response) && 'error' in response && !('output' in response) ? 'error' : 'output';
  const texts = pieces.map(({ text }) => text);
  const media = pieces.flatMap(({ media }) => (media === undefined ? [] : [bareMedia(media)]));
  const framed = { response: { [key]: texts.length === 1 ? texts[0] : texts } };
  return media.length === 0 ? framed : { ...framed, parts: media };
}

/** The function response that the model is sent. A refusal by the gate has no frame. */
export function shownResponse(given: Fields, framed: Framed | undefined): Fields {
  const about = Object.fromEntries(Object.entries(given).filter(([name]) => ABOUT.includes(name)));
  return { ...about, ...(framed === undefined ? { response: given.response } : framedIn(given.response, framed)) };
}
