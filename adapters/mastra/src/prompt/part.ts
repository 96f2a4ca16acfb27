import type { Content, ContentPart } from '@sallyport/core';
import { base64Of, type Fields, isFields, mediaPart, stringOf } from '@sallyport/core/adapter';

type Held =
  | { readonly uri: string; readonly mediaType?: string }
  | { readonly text: string; readonly mediaType?: string }
  | { readonly data: string; readonly mediaType?: string };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A malformed escape: the text is framed as it is.
    return text;
  }
}

/** The content of a string in the place of bytes. Base64 has no colon, so a string with a scheme is an address or a data: URL. */
function heldIn(text: string): Held {
  const [, about, body = ''] = /^data:([^,]*),(.*)$/is.exec(text) ?? [];
  if (about === undefined) return /^[a-z][a-z\d+.-]*:/i.test(text) ? { uri: text } : { data: text };
  const [mediaType = ''] = about.split(';');
  const type = mediaType === '' ? {} : { mediaType };
  return /;\s*base64\s*$/i.test(about) ? { ...type, data: body } : { ...type, text: decoded(body) };
}

/** Models of version 4 wrap the content of a file in an object; earlier ones tell its form by the type of the part. */
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
  const name = stringOf(part.filename);
  const given = stringOf(part.mediaType) ?? stringOf(part.mimeType);
  const mediaType = given ?? held.mediaType ?? 'application/octet-stream';
  const about = { mediaType, ...(name === undefined ? {} : { name }) };
  if ('uri' in held) return { type: 'file', ...about, uri: held.uri };
  if ('text' in held) return { type: 'file', ...about, text: held.text };
  const isImage = String(part.type).startsWith('image') || mediaType.startsWith('image');
  return mediaPart({ mediaType, name, data: held.data, isImage });
}

const FILES = /^(?:file|image|media)/;

/** A part of a result or of a message. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = isFields(part) && FILES.test(String(part.type)) ? fileOf(part) : undefined;
  return file ?? { type: 'json', value: part };
}

/** A tool's output in a prompt, as content. */
export function contentOf(output: unknown): Content {
  if (!isFields(output)) return { json: output ?? null };
  const { type, value } = output;
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) return value.map(partOf);
  return { json: value ?? output };
}
