import { canonicalJson } from '../base/canonical-json.ts';
import { SallyportError } from '../base/errors.ts';

/** Text as it arrived. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}
/** A JSON value, held as its canonical text: storage that reorders keys cannot change what is rendered. */
export interface JsonPart {
  readonly type: 'json';
  readonly text: string;
}
export interface ImagePart {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64. Without it the image is only described: an address is never handed on to be fetched. */
  readonly data?: string;
  readonly uri?: string;
  readonly name?: string;
}
/** A file or an embedded resource, as text or as base64. */
export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly text?: string;
  readonly data?: string;
  readonly uri?: string;
  readonly name?: string;
}
/** A resource link or an artifact handle: something to ask for, never something that speaks. */
export interface LinkPart {
  readonly type: 'link';
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mediaType?: string;
}
export type Part = TextPart | JsonPart | ImagePart | FilePart | LinkPart;

/** A part as a caller may hand it in: JSON also as the value it is. */
export type ContentPart = Part | { readonly type: 'json'; readonly value: unknown };

/** What a caller may hand in: a text, a JSON value, or parts. */
export type Content = string | { readonly json: unknown } | readonly ContentPart[];

/** Bytes that go beside the text of a request. */
export interface Media {
  readonly mediaType: string;
  readonly data: string;
}

const FIELDS: Readonly<Record<Part['type'], { required: readonly string[]; optional: readonly string[] }>> = {
  text: { required: ['text'], optional: [] },
  json: { required: ['text'], optional: [] },
  image: { required: ['mediaType'], optional: ['data', 'uri', 'name'] },
  file: { required: ['mediaType'], optional: ['text', 'data', 'uri', 'name'] },
  link: { required: ['uri'], optional: ['name', 'title', 'description', 'mediaType'] },
};

function isPartType(type: unknown): type is Part['type'] {
  return typeof type === 'string' && Object.hasOwn(FIELDS, type);
}

function copyFields(input: object, type: Part['type']): Part | undefined {
  const { required, optional } = FIELDS[type];
  const copy: Record<string, string> = { type };
  for (const name of [...required, ...optional]) {
    const value = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
    if (typeof value === 'string') copy[name] = value;
    else if (value !== undefined || required.includes(name)) return undefined;
  }
  return Object.freeze(copy) as unknown as Part;
}

/** A clean, frozen copy of one part, or undefined when it is not a part. Fields we do not know are left behind. */
export function readPart(input: unknown): Part | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { type } = input as { type?: unknown };
  if (!isPartType(type)) return undefined;
  if (type === 'json' && Object.hasOwn(input, 'value'))
    return Object.freeze({ type, text: canonicalJson((input as { value: unknown }).value) });
  const part = copyFields(input, type);
  return part?.type === 'json' ? readJson(part.text) : part;
}

/** JSON text made canonical. What does not parse is text: as JSON, no mark would find a string to stand in. */
function readJson(text: string): JsonPart | TextPart {
  try {
    return Object.freeze({ type: 'json', text: canonicalJson(JSON.parse(text)) });
  } catch {
    return Object.freeze({ type: 'text', text });
  }
}

// A string of JSON, or blanks between its tokens.
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/** Tools and frameworks make text of a value. It is JSON again where nothing but blanks is lost by that: not a long number. */
export function textOrJson(part: Part): Part {
  if (part.type !== 'text' || !/^\s*[[{]/.test(part.text)) return part;
  try {
    const value: unknown = JSON.parse(part.text);
    const isWhole = JSON.stringify(value) === part.text.replace(TOKENS, '$1');
    return isWhole ? Object.freeze({ type: 'json', text: canonicalJson(value) }) : part;
  } catch {
    return part;
  }
}

const MAX_PARTS = 256;

/** Every part has an envelope, so very many empty ones would be long: the rest becomes one file of JSON. */
function fewParts(parts: readonly unknown[]): readonly unknown[] {
  if (parts.length <= MAX_PARTS) return parts;
  const rest = canonicalJson(parts.slice(MAX_PARTS - 1));
  return [...parts.slice(0, MAX_PARTS - 1), { type: 'file', mediaType: 'application/json', text: rest }];
}

/** Copies content once, at the door. Everything later works on the copy. */
export function readContent(content: Content): readonly Part[] {
  if (typeof content === 'string') return Object.freeze([Object.freeze({ type: 'text', text: content } as const)]);
  if (Array.isArray(content))
    return Object.freeze(
      fewParts(content).map((input, index) => {
        const part = readPart(input);
        if (part === undefined)
          throw new SallyportError(
            'ERR_INVALID_CONTENT',
            `Part ${index} is not a part: see TextPart, JsonPart, ImagePart ({ mediaType, data }), FilePart and LinkPart.`,
          );
        return part;
      }),
    );
  if (typeof content === 'object' && content !== null && 'json' in content)
    return Object.freeze([Object.freeze({ type: 'json', text: canonicalJson(content.json) } as const)]);
  throw new SallyportError(
    'ERR_INVALID_CONTENT',
    'Content is a string, { json: value } for any other value, or an array of parts. A promise must be awaited.',
  );
}

function lengthOf(data: string): [string, number] {
  return ['base64Length', data.length];
}

function described(part: ImagePart | FilePart | LinkPart): string {
  const fields = Object.entries(part).filter(([name]) => name !== 'text');
  return canonicalJson(Object.fromEntries(fields.map((field) => (field[0] === 'data' ? lengthOf(field[1]) : field))));
}

/** The text of a part that the model is shown. Names, titles and addresses are in it: an outsider chose them. */
export function surfaceOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'json':
      return part.text;
    case 'file':
      return part.text === undefined ? described(part) : `${described(part)}\n${part.text}`;
    case 'image':
    case 'link':
      return described(part);
  }
}

/** The media of a part, where it brought its bytes along. */
export function mediaOf(part: Part): Media | undefined {
  if (part.type !== 'image' && part.type !== 'file') return undefined;
  return part.data === undefined ? undefined : { mediaType: part.mediaType, data: part.data };
}
