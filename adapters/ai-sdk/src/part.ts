import type { ContentPart } from '@sallyport/core';
import { type Fields, isFields, mediaPart, stringOf } from '@sallyport/core/adapter';

/** Version 7 wraps the content of a file in an object; version 6 tells its form by the type of the part. */
function fileOf({ type, data, url, mediaType: given, filename }: Fields): ContentPart | undefined {
  const held = isFields(data) && !(data instanceof Uint8Array) ? data : { data };
  const address = held.url ?? (data instanceof URL ? data : url);
  const mediaType = stringOf(given);
  const name = stringOf(filename);
  const isImage = String(type).startsWith('image') || mediaType?.startsWith('image');
  const bytes = { mediaType, data: held.data, name, ...(isImage === true ? { isImage } : {}) };
  if (address === undefined && typeof held.text !== 'string') return mediaPart(bytes);
  const about = { mediaType: mediaType ?? 'application/octet-stream', ...(name === undefined ? {} : { name }) };
  if (address === undefined) return { type: 'file', ...about, text: String(held.text) };
  return { type: 'file', ...about, uri: String(address) };
}

const FILES = /^(?:file|image|media)/;

/** A part of a result or of a message. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = isFields(part) && FILES.test(String(part.type)) ? fileOf(part) : undefined;
  return file ?? { type: 'json', value: part };
}
