import type { ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, plainText } from './message.ts';

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/;

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Every provider nests what a part holds somewhere else. */
function flat(part: Fields): Fields {
  const nested = ['metadata', 'source', 'image_url', 'input_audio', 'file'].map((name) => fieldsOf(part[name]));
  return Object.assign({}, part, ...nested);
}

interface Platform {
  btoa(text: string): string;
}

function base64Of(data: unknown): string | undefined {
  if (data instanceof Uint8Array)
    return (globalThis as unknown as Platform).btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''));
  return typeof data === 'string' ? data : undefined;
}

interface Held {
  readonly mediaType: string | undefined;
  readonly data?: string;
  readonly address?: string;
}

function heldIn(part: Fields): Held {
  const { mime_type, mimeType, media_type, format, url, image_url, file_url, data, file_data } = flat(part);
  const said = firstText(mime_type, mimeType, media_type, typeof format === 'string' ? `audio/${format}` : undefined);
  const bytes = base64Of(data ?? file_data);
  const address = bytes === undefined ? firstText(url, image_url, file_url) : undefined;
  const inline = DATA_URL.exec(bytes ?? address ?? '');
  if (inline !== null) return { mediaType: inline[1] || said, data: (bytes ?? address ?? '').slice(inline[0].length) };
  return {
    mediaType: said,
    ...(bytes === undefined ? {} : { data: bytes }),
    ...(address === undefined ? {} : { address }),
  };
}

/** A document that is text: its title is somebody's words too. */
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
  // What stands around a document would be lost in a file.
  if (typeof part.context === 'string') return undefined;
  const document = documentOf(part, about);
  if (document !== undefined) return document;
  const { mediaType: said, data, address } = heldIn(part);
  const mediaType = said ?? 'application/octet-stream';
  if (address !== undefined)
    return {
      type: 'link',
      uri: address,
      mediaType,
      ...about,
      ...(description ? { description: `${description}` } : {}),
    };
  if (data === undefined) return undefined;
  const isImage = /image|screen/.test(String(part.type)) || mediaType.startsWith('image/');
  return isImage
    ? { type: 'image', mediaType: said ?? 'image/png', ...about, data }
    : { type: 'file', mediaType, ...about, data };
}

/** A part of a result or of a message. What nobody knows yet is shown as the JSON it is. */
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

/** The bytes of a part as its provider wants them, without a name, a text or an address: those stand in the frame. */
export function bareMedia(part: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(part)).flatMap(bareField));
}
