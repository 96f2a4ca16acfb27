import type { ContentPart } from '@sallyport/core';

/** A JSON object whose members are yet to be looked at. Both versions of the SDK, and whatever comes next, in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function base64Of(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : undefined;
}

/** Version 7 wraps what a file holds, version 6 says it by the type of the part. */
function fileOf({ type, data, url, mediaType, filename }: Fields): ContentPart | undefined {
  const held = isFields(data) ? data : { type: 'data', data };
  const address = held.url ?? url;
  const name = textOf(filename);
  const about = { mediaType: textOf(mediaType) ?? 'application/octet-stream', ...(name === undefined ? {} : { name }) };
  if (address !== undefined) return { type: 'file', ...about, uri: String(address) };
  if (typeof held.text === 'string') return { type: 'file', ...about, text: held.text };
  const bytes = base64Of(held.data);
  if (bytes === undefined) return undefined;
  const isImage = String(type).startsWith('image') || about.mediaType.startsWith('image');
  return isImage ? { type: 'image', ...about, data: bytes } : { type: 'file', ...about, data: bytes };
}

const FILES = /^(?:file|image|media)/;

/** A part of a result or of a message. What nobody knows yet is shown as the JSON it is. */
export function partOf(part: unknown): ContentPart {
  if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = isFields(part) && FILES.test(String(part.type)) ? fileOf(part) : undefined;
  return file ?? { type: 'json', value: part };
}
