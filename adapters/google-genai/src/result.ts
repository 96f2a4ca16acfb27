import type { Content, Framed } from '@sallyport/core';
import { type Fields, isFields, partOf, withoutName } from './part.ts';

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

/** The response with its frames. It stays an object, and an error stays one; an address does not go on to be fetched. */
export function framedResponse({ parts, ...rest }: Fields, { pieces }: Framed): Fields {
  const { response } = rest;
  const key = isFields(response) && 'error' in response && !('output' in response) ? 'error' : 'output';
  const texts = pieces.map(({ text }) => text);
  const media = listOf(parts).filter((_, index) => pieces[index + 1]?.media !== undefined);
  const said = { ...rest, response: { [key]: texts.length === 1 ? texts[0] : texts } };
  return media.length === 0 ? said : { ...said, parts: media.map(withoutName) };
}
