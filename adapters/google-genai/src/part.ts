import type { ContentPart } from '@sallyport/core';
import { type Media, textOfMedia } from '@sallyport/core/adapter';

/** A JSON object whose members are yet to be looked at: every version of the SDK, and whatever comes next, in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is there; an empty one says nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface File {
  readonly mediaType: unknown;
  readonly data: unknown;
  readonly uri: unknown;
  readonly name: unknown;
}

function fileOf({ mediaType: given, data, uri, name: label }: File): ContentPart | undefined {
  const mediaType = textOf(given) ?? 'application/octet-stream';
  const name = textOf(label);
  const about = { mediaType, ...(name === undefined ? {} : { name }) };
  if (typeof data !== 'string') return typeof uri === 'string' ? { type: 'file', ...about, uri } : undefined;
  // A text file that goes as bytes would be read without a frame.
  const text = textOfMedia({ mediaType, data });
  if (text !== undefined) return { type: 'file', ...about, text };
  return /^image\//i.test(mediaType) ? { type: 'image', ...about, data } : { type: 'file', ...about, data };
}

/** A part of a content or of a function's response. What nobody knows yet is shown as the JSON it is. */
export function partOf(part: unknown): ContentPart {
  const { text, inlineData, fileData } = isFields(part) ? part : ({} as Fields);
  if (typeof text === 'string') return { type: 'text', text };
  const held = isFields(inlineData) ? inlineData : fileData;
  const file = isFields(held)
    ? fileOf({ mediaType: held.mimeType, data: held.data, uri: held.fileUri, name: held.displayName })
    : undefined;
  return file ?? { type: 'json', value: part };
}

/** The same for the Interactions API, which says by a type what a part is. */
export function stepPartOf(part: unknown): ContentPart {
  const { type, text, data, uri, mime_type: mediaType } = isFields(part) ? part : ({} as Fields);
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  return fileOf({ mediaType, data, uri, name: undefined }) ?? { type: 'json', value: part };
}

/** Media as it goes beside its frame: its name, and whatever else stood there, is a text that an outsider chose. */
export function bareMedia({ mediaType: mimeType, data }: Media): Fields {
  return { inlineData: { mimeType, data } };
}
