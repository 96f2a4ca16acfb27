import type { ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, type Media, mediaPart, nonEmptyStringOf } from '@sallyport/core/adapter';

interface File {
  readonly mediaType: unknown;
  readonly data: unknown;
  readonly uri: unknown;
  readonly name: unknown;
}

function fileOf({ mediaType, data, uri, name }: File): ContentPart | undefined {
  const about = { mediaType: nonEmptyStringOf(mediaType), name: nonEmptyStringOf(name) };
  return mediaPart(typeof data === 'string' ? { ...about, data } : { ...about, uri });
}

/** A part of a content or of a function response. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  const { text, inlineData, fileData } = fieldsOf(part);
  if (typeof text === 'string') return { type: 'text', text };
  const held = isFields(inlineData) ? inlineData : fileData;
  const file = isFields(held)
    ? fileOf({ mediaType: held.mimeType, data: held.data, uri: held.fileUri, name: held.displayName })
    : undefined;
  return file ?? { type: 'json', value: part };
}

/** The same for the Interactions API, where a part has a type. */
export function stepPartOf(part: unknown): ContentPart {
  const { type, text, data, uri, mime_type: mediaType } = fieldsOf(part);
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  return fileOf({ mediaType, data, uri, name: undefined }) ?? { type: 'json', value: part };
}

/** The bytes that follow a frame. The name and all other members are dropped, because an outsider may have chosen them. */
export function bareMedia({ mediaType: mimeType, data }: Media): Fields {
  return { inlineData: { mimeType, data } };
}
