import type { ContentPart } from '@sallyport/core';
import {
  base64Of,
  type Fields,
  fieldsOf,
  isFields,
  mediaPart,
  nonEmptyStringOf,
  readDataUrl,
} from '@sallyport/core/adapter';
import { plainText } from './message.ts';

function firstText(...values: readonly unknown[]): string | undefined {
  return values.map(nonEmptyStringOf).find((value) => value !== undefined);
}

/** Merges nested objects: every provider nests the content of a part in another member. */
function flat(part: Fields): Fields {
  const nested = ['metadata', 'source', 'image_url', 'input_audio', 'file'].map((name) => fieldsOf(part[name]));
  return Object.assign({}, part, ...nested);
}

interface Held {
  readonly mediaType: string | undefined;
  readonly data?: string;
  readonly address?: string;
}

function heldIn(part: Fields): Held {
  const { mime_type, mimeType, media_type, format, url, image_url, file_url, data, file_data } = flat(part);
  const mediaType = firstText(
    mime_type,
    mimeType,
    media_type,
    typeof format === 'string' ? `audio/${format}` : undefined,
  );
  const bytes = base64Of(data ?? file_data);
  const address = bytes === undefined ? firstText(url, image_url, file_url) : undefined;
  if (bytes !== undefined) return { mediaType, data: bytes };
  if (address === undefined) return { mediaType };
  return readDataUrl(address) === undefined ? { mediaType, address } : { mediaType, data: address };
}

/** A document that is text, with its name. */
function documentOf(part: Fields, name: object): ContentPart | undefined {
  const { source_type: kind, text, mime_type, mimeType, media_type } = flat(part);
  const { type: inner, data } = fieldsOf(part.source);
  const isDocument = inner === 'text' || kind === 'text' || part.type === 'text-plain';
  const words = inner === 'text' ? data : text;
  if (!isDocument || typeof words !== 'string') return undefined;
  return { type: 'file', mediaType: firstText(mime_type, mimeType, media_type) ?? 'text/plain', ...name, text: words };
}

const FILES =
  /^(?:image|input_image|file|input_file|audio|input_audio|video|document|media|text-plain|computer_screen)/;

function fileOf(part: Fields): ContentPart | undefined {
  const { filename, name, title, description } = flat(part);
  const called = firstText(filename, name, title);
  const about = called === undefined ? {} : { name: called };
  // The context of a document would be lost in a file.
  if (typeof part.context === 'string') return undefined;
  const document = documentOf(part, about);
  if (document !== undefined) return document;
  const { mediaType, data, address } = heldIn(part);
  if (address !== undefined)
    return {
      type: 'link',
      uri: address,
      mediaType: mediaType ?? 'application/octet-stream',
      ...about,
      ...(description ? { description: `${description}` } : {}),
    };
  const isImage = /image|screen/.test(String(part.type));
  if (!isImage) return mediaPart({ mediaType, data, name: called });
  return mediaPart({ mediaType: mediaType ?? 'image/png', data, name: called, isImage });
}

/** A part of a result or of a message. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  const text = plainText(part);
  if (text !== undefined) return { type: 'text', text };
  const file = isFields(part) && FILES.test(String(part.type)) ? fileOf(part) : undefined;
  return file ?? { type: 'json', value: part };
}

const KEPT: ReadonlySet<string> = new Set([
  ...['type', 'source_type', 'mime_type', 'mimeType', 'media_type', 'format', 'detail'],
  ...['data', 'file_data', 'url', 'cache_control', 'ttl'],
  ...['source', 'image_url', 'input_audio', 'file', 'metadata'],
]);
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'image_url']);
const NAMES: ReadonlySet<string> = new Set(['filename', 'name', 'title']);

function bareField([name, value]: [string, unknown]): [string, unknown][] {
  if (NAMES.has(name)) return [[name, 'attachment']];
  if (!KEPT.has(name)) return [];
  if (value instanceof Uint8Array) return [[name, value]];
  if (isFields(value)) return [[name, bareMedia(value)]];
  const isFetched = ADDRESSES.has(name) && !String(value).startsWith('data:');
  return typeof value !== 'string' || isFetched ? [] : [[name, value]];
}

/** The bytes of a part in the form of its provider, without a name, a text or an address: the frame contains those. */
export function bareMedia(part: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(part)).flatMap(bareField));
}
