import type { Content, ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, mediaPart, readDataUrl, stringOf } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';

function imageOf(address: unknown, fileId: unknown): ContentPart | undefined {
  if (typeof address === 'string' && readDataUrl(address) !== undefined)
    return mediaPart({ data: address, isImage: true });
  const uri = stringOf(address) ?? stringOf(fileId);
  return uri === undefined ? undefined : { type: 'image', mediaType: 'image/*', uri };
}

function fileOf({ file_data, file_url, file_id, filename }: Fields): ContentPart | undefined {
  const name = stringOf(filename);
  if (typeof file_data === 'string') return mediaPart({ data: file_data, name, isImage: false });
  const uri = stringOf(file_url) ?? stringOf(file_id);
  const about = { mediaType: 'application/octet-stream', ...(name === undefined ? {} : { name }) };
  return uri === undefined ? undefined : { type: 'file', ...about, uri };
}

function audioOf(audio: unknown): ContentPart | undefined {
  const { data, format } = fieldsOf(audio);
  return mediaPart({ mediaType: `audio/${String(format)}`, data: stringOf(data), isImage: false });
}

/** Chat completions wrap the content of a part in an object; responses do not. */
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

/** The text of a part that is only text. */
export function wordsOf(part: unknown): string | undefined {
  return isFields(part) && TEXTS.has(part.type) ? stringOf(part.text) : undefined;
}

/** A part of a result or of a message. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  const text = wordsOf(part);
  if (text !== undefined) return { type: 'text', text };
  return (isFields(part) ? mediaPartOf(part) : undefined) ?? { type: 'json', value: part };
}

/** A tool's output in any of its forms, as content. */
export function contentOf(output: unknown): Content {
  if (typeof output === 'string') return output;
  return Array.isArray(output) ? output.map(partOf) : { json: output ?? null };
}

/** A part whose bytes are sent, without an address that would be fetched in place of them. */
function withoutAddress(part: unknown): unknown {
  if (!isFields(part)) return part;
  const { file_url: _url, file_id: _id, filename, file, ...rest } = part;
  // The API requires a name, and the given one was chosen by an outsider.
  const named = filename === undefined ? rest : { ...rest, filename: 'file' };
  return file === undefined ? named : { ...named, file: withoutAddress(file) };
}

function breakpointOf(part: unknown): Fields {
  const kept = isFields(part) ? part.prompt_cache_breakpoint : undefined;
  return kept === undefined ? {} : { prompt_cache_breakpoint: kept };
}

/** The output with its frames. Bytes follow their frame; a file with only an address is described. */
export function framedOutput(output: unknown, { text: whole, pieces }: Framed, type: 'text' | 'input_text'): unknown {
  if (!Array.isArray(output)) return whole;
  return pieces.flatMap(({ text, media }, index): unknown[] => {
    const part: unknown = output[index];
    if (media !== undefined) return [{ type, text }, withoutAddress(part)];
    return [{ type, text, ...breakpointOf(part) }];
  });
}
