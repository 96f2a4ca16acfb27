import { textOfMedia } from './limit.ts';
import type { ContentPart } from './part.ts';

interface Platform {
  btoa(text: string): string;
}

/**
 * Bytes as base64: a string is taken as base64 already, a Uint8Array is encoded. Undefined for every other type.
 *
 * @example
 * ```ts
 * base64Of(new Uint8Array([104, 105])); // 'aGk='
 * ```
 */
export function base64Of(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (!(data instanceof Uint8Array)) return undefined;
  let text = '';
  for (let start = 0; start < data.length; start += CHUNK)
    text += String.fromCharCode(...data.subarray(start, start + CHUNK));
  return (globalThis as unknown as Platform).btoa(text);
}

// More arguments than an engine accepts in one call would throw.
const CHUNK = 0x8000;

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/i;

/**
 * The media type and the base64 bytes of a data: URL. Undefined for other addresses.
 *
 * @example
 * ```ts
 * readDataUrl('data:image/png;base64,AAAA'); // { mediaType: 'image/png', data: 'AAAA' }
 * ```
 */
export function readDataUrl(
  url: string,
): { readonly mediaType: string | undefined; readonly data: string } | undefined {
  const match = DATA_URL.exec(url);
  return match === null ? undefined : { mediaType: match[1] || undefined, data: url.slice(match[0].length) };
}

/**
 * A file or an image as a framework provides it.
 *
 * @example
 * ```ts
 * const input: MediaInput = { mediaType: 'image/png', data: bytes, name: 'chart.png' };
 * ```
 */
export interface MediaInput {
  /** The media type. That of a data: URL takes precedence. @default 'application/octet-stream' */
  readonly mediaType?: string | undefined;
  /** The bytes as base64, a Uint8Array, or a data: URL. @default none */
  readonly data?: unknown;
  /** The address of the file, or a data: URL. If there are bytes too, it is kept as a description. @default none */
  readonly uri?: unknown;
  /** The name of the file. It is framed with the content: an attacker may have chosen it. @default none */
  readonly name?: string | undefined;
  /** Set it to make an image part, or to false for a file part. @default by its media type */
  readonly isImage?: boolean;
}

/**
 * Makes a content part of a file or an image. The content of a text file goes into `text`, so that it is framed; as
 * bytes the model would read it without a frame. Undefined if there are neither bytes nor an address.
 *
 * @example
 * ```ts
 * const { mimeType, data, filename } = block;
 * const part = mediaPart({ mediaType: mimeType, data, name: filename }) ?? { type: 'json', value: block };
 * ```
 */
export function mediaPart({ mediaType: given, data, uri, name, isImage }: MediaInput): ContentPart | undefined {
  const bytes = base64Of(data);
  const address = bytes ?? (typeof uri === 'string' ? uri : undefined);
  if (address === undefined) return undefined;
  const inline = readDataUrl(address);
  const mediaType = inline?.mediaType ?? given ?? 'application/octet-stream';
  const named = { mediaType, ...(name === undefined || name === '' ? {} : { name }) };
  const held = inline?.data ?? bytes;
  if (held === undefined) return { type: 'file', ...named, uri: address };
  const about = bytes === undefined || typeof uri !== 'string' ? named : { ...named, uri };
  const text = textOfMedia({ mediaType, data: held });
  if (text !== undefined) return { type: 'file', ...about, text };
  const isPicture = isImage ?? /^image\//i.test(mediaType);
  return isPicture ? { type: 'image', ...about, data: held } : { type: 'file', ...about, data: held };
}
