import type { Content, ContentPart } from '@sallyport/core';
import { textOfMedia } from '@sallyport/core/adapter';

/** A JSON object whose members are yet to be looked at. Prompts of every version of the AI SDK's models in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

// Every platform that Mastra runs on has it, and the build names none.
declare const btoa: (bytes: string) => string;

function base64Of(data: unknown): string | undefined {
  if (!(data instanceof Uint8Array)) return textOf(data);
  return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''));
}

type Held =
  | { readonly uri: string; readonly mediaType?: string }
  | { readonly text: string; readonly mediaType?: string }
  | { readonly data: string; readonly mediaType?: string };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a text in the place of bytes holds. Base64 has no colon: behind a scheme it is an address, maybe with all it leads to. */
function heldIn(text: string): Held {
  const [, about, body = ''] = /^data:([^,]*),(.*)$/is.exec(text) ?? [];
  if (about === undefined) return /^[a-z][a-z\d+.-]*:/i.test(text) ? { uri: text } : { data: text };
  const [mediaType = ''] = about.split(';');
  const type = mediaType === '' ? {} : { mediaType };
  return /;\s*base64\s*$/i.test(about) ? { ...type, data: body } : { ...type, text: decoded(body) };
}

/** Models of version 4 wrap what a file holds, earlier ones say it by the type of the part. */
function heldBy({ data, url }: Fields): Held | undefined {
  const wrapped = isFields(data) && !(data instanceof Uint8Array) ? data : { data };
  const address = wrapped.url ?? url;
  if (address !== undefined) return { uri: String(address) };
  if (typeof wrapped.text === 'string') return { text: wrapped.text };
  const bytes = base64Of(wrapped.data);
  return bytes === undefined ? undefined : heldIn(bytes);
}

function fileOf(part: Fields): ContentPart | undefined {
  const held = heldBy(part);
  if (held === undefined) return undefined;
  const name = textOf(part.filename);
  const mediaType = textOf(part.mediaType) ?? textOf(part.mimeType) ?? held.mediaType ?? 'application/octet-stream';
  const about = { mediaType, ...(name === undefined ? {} : { name }) };
  if ('uri' in held) return { type: 'file', ...about, uri: held.uri };
  if ('text' in held) return { type: 'file', ...about, text: held.text };
  // A text file that goes as bytes would be read without a frame.
  const text = textOfMedia({ mediaType, data: held.data });
  if (text !== undefined) return { type: 'file', ...about, text };
  const isImage = String(part.type).startsWith('image') || mediaType.startsWith('image');
  return { type: isImage ? 'image' : 'file', ...about, data: held.data };
}

const FILES = /^(?:file|image|media)/;

/** A part of a result or of a message. What nobody knows yet is shown as the JSON it is. */
export function partOf(part: unknown): ContentPart {
  if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = isFields(part) && FILES.test(String(part.type)) ? fileOf(part) : undefined;
  return file ?? { type: 'json', value: part };
}

/** What a tool gave back, as a prompt shows it. */
export function contentOf(output: unknown): Content {
  if (!isFields(output)) return { json: output ?? null };
  const { type, value } = output;
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) return value.map(partOf);
  return { json: value ?? output };
}
