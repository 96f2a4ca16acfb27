import type { ContentPart } from '@sallyport/core';
import type { FramedPiece } from '@sallyport/core/stages';

/** A JSON object whose members are yet to be looked at: the items of every version of the SDK in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,([\w+/=-]+)$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const BASE64 = /^[\w+/=-]+$/;

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

/** Base64 of a text would reach the model without a frame: it is read here, whatever type the tool invents for it. */
function decoded({ data }: Held): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
    // Of all that is no text, this alone may be made of letters.
    return text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}

const UNSAID = { image: 'image/png', file: 'application/octet-stream' } as const;

/** An image or a file by its bytes, or described by its address, which is not handed on. */
function fileOf(part: Fields, type: 'image' | 'file'): ContentPart | undefined {
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
export function partOf(part: unknown): ContentPart {
  if (!isFields(part)) return { type: 'json', value: part ?? null };
  const type = String(part.type).replace(/^input_/, '');
  if (type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = type === 'image' || type === 'file' ? fileOf(part, type) : undefined;
  return file ?? { type: 'json', value: part };
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const UNKNOWN = ['application/octet-stream', 'bin'] as const;

/** Files that are no text, by their type, with the ending of their name: by either a provider chooses how a file is read. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  [`${OFFICE}.wordprocessingml.document`, 'docx'],
  [`${OFFICE}.spreadsheetml.sheet`, 'xlsx'],
  [`${OFFICE}.presentationml.presentation`, 'pptx'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/epub+zip', 'epub'],
  ['application/zip', 'zip'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['video/mp4', 'mp4'],
]);

/** The bytes anew, and nothing else of what the tool said about them: names and addresses stand in the envelope. */
function mediaItem({ media }: FramedPiece, type: ContentPart['type'], detail: unknown): Fields | undefined {
  if (media === undefined) return undefined;
  const { mediaType: said, data } = media;
  const isDetail = typeof detail === 'string' && /^[a-z]{1,16}$/.test(detail);
  if (type === 'image')
    return { type: 'input_image', image: `data:${said};base64,${data}`, ...(isDetail ? { detail } : {}) };
  const known = said.toLowerCase();
  const ending = ENDINGS.get(known);
  const [mediaType, extension] = ending === undefined ? UNKNOWN : [known, ending];
  return { type: 'input_file', file: `data:${mediaType};base64,${data}`, filename: `attachment.${extension}` };
}

/** The envelope of a part, and behind it the bytes that it describes. */
export function shownPart(piece: FramedPiece, part: ContentPart | undefined, given: unknown): readonly Fields[] {
  const text = { type: 'input_text', text: piece.text };
  const media =
    part === undefined ? undefined : mediaItem(piece, part.type, isFields(given) ? given.detail : undefined);
  return media === undefined ? [text] : [text, media];
}
