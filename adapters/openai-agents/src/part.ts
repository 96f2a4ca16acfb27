import type { Content, FramedPiece } from '@sallyport/core';

/** A JSON object whose members are yet to be looked at: the items of every version of the SDK in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export type Part = Exclude<Content, string | { json: unknown }>[number];

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,([\w+/=-]+)$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const BASE64 = /^[\w+/=-]+$/;
const TEXTUAL = /^text\/|json|xml|html|javascript|ecmascript|yaml|csv|rtf|markdown|x-sh\b/i;

interface Held {
  readonly mediaType: string;
  readonly data: string;
}

/** The bytes of an image or a file, wherever the SDK lets a tool put them; undefined where there are none. */
function heldIn(given: unknown, mediaType: string): Held | undefined {
  if (given instanceof Uint8Array) return { mediaType, data: Buffer.from(given).toString('base64') };
  if (typeof given !== 'string') return undefined;
  const text = given.trim();
  const [, type, data] = DATA_URL.exec(text) ?? [];
  if (type !== undefined && data !== undefined) return { mediaType: type, data };
  return BASE64.test(text) ? { mediaType, data: text } : undefined;
}

/** Base64 of a text would reach the model without a frame: it is read here. */
function decoded({ mediaType, data }: Held): string | undefined {
  if (!TEXTUAL.test(mediaType)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
  } catch {
    return undefined;
  }
}

const UNSAID = { image: 'image/png', file: 'application/octet-stream' } as const;

/** An image or a file by its bytes, or described by its address, which is not handed on. */
function fileOf(part: Fields, type: 'image' | 'file'): Part | undefined {
  const given = part[type];
  const about = isFields(given) ? given : {};
  const said = textOf(about.mediaType) ?? textOf(part.mediaType) ?? '';
  const mediaType = MEDIA_TYPE.test(said) ? said : UNSAID[type];
  const name = textOf(about.filename) ?? textOf(part.filename);
  const named = name === undefined ? {} : { name };
  const held = [given, about.data, part.data, part.fileData].map((each) => heldIn(each, mediaType)).find(Boolean);
  if (held !== undefined) {
    const text = type === 'file' ? decoded(held) : undefined;
    return text === undefined
      ? { type, ...named, ...held }
      : { type: 'file', ...named, mediaType: held.mediaType, text };
  }
  const addresses = [given, about.url, about.id, about.fileId, part.imageUrl, part.fileUrl, part.fileId];
  const uri = addresses.map(textOf).find(Boolean);
  return uri === undefined ? undefined : { type, mediaType, uri, ...named };
}

/** A part of a result or of a message. What nobody knows yet is shown as the JSON it is. */
export function partOf(part: unknown): Part {
  if (!isFields(part)) return { type: 'json', value: part ?? null };
  const type = String(part.type).replace(/^input_/, '');
  if (type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = type === 'image' || type === 'file' ? fileOf(part, type) : undefined;
  return file ?? { type: 'json', value: part };
}

/** The bytes anew, and nothing else of what the tool said about them: names and addresses stand in the envelope. */
function mediaItem({ media }: FramedPiece, type: Part['type'], detail: unknown): Fields | undefined {
  if (media === undefined) return undefined;
  const { mediaType, data } = media;
  const url = `data:${mediaType};base64,${data}`;
  const isDetail = typeof detail === 'string' && /^[a-z]{1,16}$/.test(detail);
  if (type === 'image') return { type: 'input_image', image: url, ...(isDetail ? { detail } : {}) };
  const extension = mediaType.replace(/^.*\/|\W/g, '').slice(0, 16);
  return { type: 'input_file', file: url, filename: `attachment.${extension}` };
}

/** The envelope of a part, and behind it the bytes that it describes. */
export function shownPart(piece: FramedPiece, part: Part | undefined, given: unknown): readonly Fields[] {
  const text = { type: 'input_text', text: piece.text };
  const media =
    part === undefined ? undefined : mediaItem(piece, part.type, isFields(given) ? given.detail : undefined);
  return media === undefined ? [text] : [text, media];
}
