import type { Content } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';
import { bareMedia, type Fields, isFields, partOf } from './part.ts';

/** What a tool says with a response: its output or its error, where that is all; otherwise the whole of it. */
export function saidIn(response: unknown): Content {
  if (!isFields(response)) return typeof response === 'string' ? response : { json: response ?? null };
  const [name, ...others] = Object.keys(response);
  const isPlain = others.length === 0 && (name === 'output' || name === 'error');
  const said = isPlain ? response[name] : response;
  return typeof said === 'string' ? said : { json: said };
}

function listOf(parts: unknown): readonly unknown[] {
  if (parts === undefined || parts === null) return [];
  return Array.isArray(parts) ? parts : [parts];
}

/** A function's response: what it says first, then the media beside it. */
export function contentOf({ response, parts }: Fields): Content {
  const said = saidIn(response);
  const media = listOf(parts);
  if (media.length === 0) return said;
  const first = typeof said === 'string' ? { type: 'text' as const, text: said } : undefined;
  return [first ?? { type: 'json', value: (said as { json: unknown }).json }, ...media.map(partOf)];
}

/** What of a response says which one it is, and whether more is to come. All else in it is shown in a frame, or not at all. */
const ABOUT = ['id', 'name', 'scheduling', 'willContinue'];

/** The response with its frames. It stays an object, and an error stays one; an address does not go on to be fetched. */
function framedIn(response: unknown, { pieces }: Framed): Fields {
  const key = isFields(response) && 'error' in response && !('output' in response) ? 'error' : 'output';
  const texts = pieces.map(({ text }) => text);
  const media = pieces.flatMap(({ media }) => (media === undefined ? [] : [bareMedia(media)]));
  const said = { response: { [key]: texts.length === 1 ? texts[0] : texts } };
  return media.length === 0 ? said : { ...said, parts: media };
}

/** A function's response as the model is shown it. A refusal of ours has no frame. */
export function shownResponse(given: Fields, framed: Framed | undefined): Fields {
  const about = Object.fromEntries(Object.entries(given).filter(([name]) => ABOUT.includes(name)));
  return { ...about, ...(framed === undefined ? { response: given.response } : framedIn(given.response, framed)) };
}
