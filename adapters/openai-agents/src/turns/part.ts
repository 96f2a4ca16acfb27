import type { ContentPart } from '@sallyport/core';
import {
  base64Of,
  type Fields,
  fieldsOf,
  isFields,
  type Media,
  mediaPart,
  nonEmptyStringOf,
  readDataUrl,
} from '@sallyport/core/adapter';
import type { FramedPiece } from '@sallyport/core/stages';

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const BASE64 = /^[\w+/=-]+$/;

/** The bytes of an image or a file; undefined if the value is an address or something else. */
function heldIn(given: unknown, mediaType: string): Media | undefined {
  const text = base64Of(given)?.trim() ?? '';
  const inline = readDataUrl(text);
  const held = { mediaType: inline?.mediaType ?? mediaType, data: inline?.data ?? text };
  // The type is sent without a frame: a text of the tool must not pass in it.
  return MEDIA_TYPE.test(held.mediaType) && BASE64.test(held.data) ? held : undefined;
}

const DEFAULT_TYPES = { image: 'image/png', file: 'application/octet-stream' } as const;

/** An image or a file with its bytes, or described by its address, which is not sent. */
function fileOf(part: Fields, type: 'image' | 'file'): ContentPart | undefined {
  const given = part[type];
  const about = fieldsOf(given);
  const declared = nonEmptyStringOf(about.mediaType) ?? nonEmptyStringOf(part.mediaType) ?? '';
  const mediaType = MEDIA_TYPE.test(declared) ? declared : DEFAULT_TYPES[type];
  const name = nonEmptyStringOf(about.filename) ?? nonEmptyStringOf(part.filename);
  const held = [given, about.data, part.data, part.fileData].map((each) => heldIn(each, mediaType)).find(Boolean);
  if (held !== undefined) return mediaPart({ ...held, name, isImage: type === 'image' });
  const addresses = [given, about.url, about.id, about.fileId, part.imageUrl, part.fileUrl, part.fileId];
  const uri = addresses.map(nonEmptyStringOf).find(Boolean);
  return uri === undefined ? undefined : { type, mediaType, uri, ...(name === undefined ? {} : { name }) };
}

/** A part of a result or of a message. A part of an unknown type becomes JSON. */
export function partOf(part: unknown): ContentPart {
  if (!isFields(part)) return { type: 'json', value: part ?? null };
  const type = String(part.type).replace(/^input_/, '');
  if (type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = type === 'image' || type === 'file' ? fileOf(part, type) : undefined;
  return file ?? { type: 'json', value: part };
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const UNKNOWN = ['application/octet-stream', 'bin'] as const;

/** The name extensions of binary files, by type: a provider chooses by either how a file is read. */
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

/** A new item with the bytes, and nothing else that the tool declared: the frame contains names and addresses. */
function mediaItem({ media }: FramedPiece, type: ContentPart['type'], detail: unknown): Fields | undefined {
  if (media === undefined) return undefined;
  const { mediaType: declared, data } = media;
  const isDetail = typeof detail === 'string' && /^[a-z]{1,16}$/.test(detail);
  if (type === 'image')
    return { type: 'input_image', image: `data:${declared};base64,${data}`, ...(isDetail ? { detail } : {}) };
  const lower = declared.toLowerCase();
  const ending = ENDINGS.get(lower);
  const [mediaType, extension] = ending === undefined ? UNKNOWN : [lower, ending];
  return { type: 'input_file', file: `data:${mediaType};base64,${data}`, filename: `attachment.${extension}` };
}

/** The frame of a part, followed by the bytes that it describes. */
export function shownPart(piece: FramedPiece, part: ContentPart | undefined, given: unknown): readonly Fields[] {
  const text = { type: 'input_text', text: piece.text };
  const media = part === undefined ? undefined : mediaItem(piece, part.type, fieldsOf(given).detail);
  return media === undefined ? [text] : [text, media];
}
