import type { Content, ContentPart } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';
import { type Fields, isFields, stringOf } from './fields.ts';

interface Bytes {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

const UNKNOWN_MEDIA = 'application/octet-stream';

function bytesOf(address: string): Bytes | undefined {
  const comma = address.indexOf(',');
  const head = address.slice(0, comma);
  if (comma < 0 || !/^data:/i.test(head) || !/;base64$/i.test(head)) return undefined;
  return { mediaType: head.slice('data:'.length).split(';')[0] || UNKNOWN_MEDIA, data: address.slice(comma + 1) };
}

/** What a file says, where it is text: as bytes nobody would look at it. The declared type is a stranger's word. */
function readable(data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.includes(0) || bytes.subarray(0, 5).toString('latin1') === '%PDF-') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function imageOf(address: unknown, fileId: unknown): ContentPart | undefined {
  const bytes = typeof address === 'string' ? bytesOf(address) : undefined;
  if (bytes !== undefined) return { type: 'image', ...bytes };
  const uri = stringOf(address) ?? stringOf(fileId);
  return uri === undefined ? undefined : { type: 'image', mediaType: 'image/*', uri };
}

function fileOf({ file_data, file_url, file_id, filename }: Fields): ContentPart | undefined {
  const name = typeof filename === 'string' ? { name: filename } : {};
  if (typeof file_data === 'string') {
    const { mediaType, data } = bytesOf(file_data) ?? { mediaType: UNKNOWN_MEDIA, data: file_data };
    const text = readable(data);
    return text === undefined ? { type: 'file', mediaType, data, ...name } : { type: 'file', mediaType, text, ...name };
  }
  const uri = stringOf(file_url) ?? stringOf(file_id);
  return uri === undefined ? undefined : { type: 'file', mediaType: UNKNOWN_MEDIA, uri, ...name };
}

function audioOf(audio: unknown): ContentPart | undefined {
  if (!isFields(audio) || typeof audio.data !== 'string') return undefined;
  return { type: 'file', mediaType: `audio/${String(audio.format)}`, data: audio.data };
}

/** Chat completions wrap what a part holds in an object of its own, responses do not. */
function mediaPartOf(part: Fields): ContentPart | undefined {
  const { image_url: image, file } = part;
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
      return imageOf(isFields(image) ? image.url : image, part.file_id);
    case 'file':
    case 'input_file':
      return fileOf(isFields(file) ? file : part);
    case 'input_audio':
      return audioOf(part.input_audio);
    default:
      return undefined;
  }
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** The words of a part that is nothing else. */
export function wordsOf(part: unknown): string | undefined {
  return isFields(part) && TEXTS.has(part.type) ? stringOf(part.text) : undefined;
}

/** A part of a result or of a message. What nobody knows yet is shown as the JSON it is. */
export function partOf(part: unknown): ContentPart {
  const text = wordsOf(part);
  if (text !== undefined) return { type: 'text', text };
  return (isFields(part) ? mediaPartOf(part) : undefined) ?? { type: 'json', value: part };
}

/** What a tool gave back, whatever its form. */
export function contentOf(output: unknown): Content {
  if (typeof output === 'string') return output;
  return Array.isArray(output) ? output.map(partOf) : { json: output ?? null };
}

/** A part whose bytes go on, without an address that would be fetched in place of them. */
function withoutAddress(part: unknown): unknown {
  if (!isFields(part)) return part;
  const { file_url: _url, file_id: _id, filename, file, ...rest } = part;
  // The name is somebody's words, and the API wants one.
  const named = filename === undefined ? rest : { ...rest, filename: 'file' };
  return file === undefined ? named : { ...named, file: withoutAddress(file) };
}

function breakpointOf(part: unknown): Fields {
  const kept = isFields(part) ? part.prompt_cache_breakpoint : undefined;
  return kept === undefined ? {} : { prompt_cache_breakpoint: kept };
}

/** The output with its frames. Bytes go beside their envelope; what has only an address is described. */
export function framedOutput(output: unknown, { text: whole, pieces }: Framed, type: 'text' | 'input_text'): unknown {
  if (!Array.isArray(output)) return whole;
  return pieces.flatMap(({ text, media }, index): unknown[] => {
    const part: unknown = output[index];
    if (media !== undefined) return [{ type, text }, withoutAddress(part)];
    return [{ type, text, ...breakpointOf(part) }];
  });
}
