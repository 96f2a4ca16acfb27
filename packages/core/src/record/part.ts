import { canonicalJson } from '../base/canonical-json.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { parseJson } from '../base/parse-json.ts';

/**
 * Text as it arrived.
 *
 * @example
 * ```ts
 * const part: TextPart = { type: 'text', text: 'The museum opens at nine.' };
 * ```
 */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/**
 * A JSON value, stored as canonical text, so that storage that reorders keys cannot change how it is rendered.
 *
 * @example
 * ```ts
 * const part: JsonPart = { type: 'json', text: '{"price":12}' };
 * ```
 */
export interface JsonPart {
  readonly type: 'json';
  readonly text: string;
}

/**
 * An image. Without `data` the model is only told about it: an address is never passed on to be fetched.
 *
 * @example
 * ```ts
 * const part: ImagePart = { type: 'image', mediaType: 'image/png', data: base64, name: 'chart.png' };
 * ```
 */
export interface ImagePart {
  readonly type: 'image';
  readonly mediaType: string;
  /** The bytes as base64. @default none */
  readonly data?: string;
  readonly uri?: string;
  readonly name?: string;
}

/**
 * A file or an embedded resource, as text or as base64.
 *
 * @example
 * ```ts
 * const part: FilePart = { type: 'file', mediaType: 'text/csv', text: 'city,population\nOslo,717710' };
 * ```
 */
export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly text?: string;
  readonly data?: string;
  readonly uri?: string;
  readonly name?: string;
}

/**
 * A resource link or an artifact handle: a reference without content.
 *
 * @example
 * ```ts
 * const part: LinkPart = { type: 'link', uri: 'file:///notes.md', title: 'Notes' };
 * ```
 */
export interface LinkPart {
  readonly type: 'link';
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mediaType?: string;
}

/**
 * One part of a record.
 *
 * @example
 * ```ts
 * const isText = (part: Part): part is TextPart => part.type === 'text';
 * ```
 */
export type Part = TextPart | JsonPart | ImagePart | FilePart | LinkPart;

/**
 * A part as a caller passes it: a `Part`, or JSON as a value.
 *
 * @example
 * ```ts
 * const parts: ContentPart[] = [{ type: 'text', text: 'Total:' }, { type: 'json', value: { price: 12 } }];
 * ```
 */
export type ContentPart = Part | { readonly type: 'json'; readonly value: unknown };

/**
 * Content as a caller passes it: text, a JSON value, or parts.
 *
 * @example
 * ```ts
 * const content: Content = { json: await response.json() };
 * ```
 */
export type Content = string | { readonly json: unknown } | readonly ContentPart[];

/**
 * Bytes that are sent with the text of a request, as base64.
 *
 * @example
 * ```ts
 * const media: Media = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
 * ```
 */
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

/** A frozen copy of one part with its known fields only. Undefined if it is not a part. */
export function readPart(input: unknown): Part | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { type } = input as { type?: unknown };
  if (!isPartType(type)) return undefined;
  if (type === 'json' && Object.hasOwn(input, 'value'))
    return Object.freeze({ type, text: canonicalJson((input as { value: unknown }).value) });
  const part = copyFields(input, type);
  return part?.type === 'json' ? readJson(part.text) : part;
}

/**
 * Makes JSON text canonical. Invalid JSON becomes a text part, because marks in a JSON part are placed in its strings
 * only.
 */
function readJson(text: string): JsonPart | TextPart {
  try {
    return Object.freeze({ type: 'json', text: canonicalJson(parseJson(text)) });
  } catch {
    // Not JSON, which is an answer and not a failure.
    return Object.freeze({ type: 'text', text });
  }
}

// A JSON string, or white space between tokens.
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/**
 * Reads text that tools and frameworks made of a JSON value as JSON again, but only if nothing except white space is
 * lost: a number with too many digits stays text.
 *
 * @example
 * ```ts
 * textOrJson({ type: 'text', text: '{ "b": 1, "a": 2 }' }); // { type: 'json', text: '{"a":2,"b":1}' }
 * ```
 */
export function textOrJson(part: Part): Part {
  if (part.type !== 'text' || !/^\s*[[{]/.test(part.text)) return part;
  try {
    const value: unknown = parseJson(part.text);
    const isWhole = JSON.stringify(value) === part.text.replace(TOKENS, '$1');
    return isWhole ? Object.freeze({ type: 'json', text: canonicalJson(value) }) : part;
  } catch {
    // Not JSON: it stays text.
    return part;
  }
}

const MAX_PARTS = 256;

/** Limits the number of parts, since each adds a frame: those beyond the limit become one JSON file. */
function capParts(parts: readonly unknown[]): readonly unknown[] {
  if (parts.length <= MAX_PARTS) return parts;
  const rest = canonicalJson(parts.slice(MAX_PARTS - 1));
  return [...parts.slice(0, MAX_PARTS - 1), { type: 'file', mediaType: 'application/json', text: rest }];
}

/** Copies content when it is recorded, so that later changes to the caller's objects have no effect. */
export function readContent(content: Content): readonly Part[] {
  if (typeof content === 'string') return Object.freeze([Object.freeze({ type: 'text', text: content } as const)]);
  if (Array.isArray(content))
    return Object.freeze(
      capParts(content).map((input, index) => {
        const part = readPart(input);
        if (part === undefined)
          throw new SallyportError(
            'ERR_INVALID_CONTENT',
            `Part ${index} must be a TextPart, JsonPart, ImagePart ({ mediaType, data }), FilePart or LinkPart; received ${describeType(input)}.`,
          );
        return part;
      }),
    );
  if (typeof content === 'object' && content !== null && 'json' in content)
    return Object.freeze([Object.freeze({ type: 'json', text: canonicalJson(content.json) } as const)]);
  throw new SallyportError(
    'ERR_INVALID_CONTENT',
    `Content must be a string, an array of parts, or { json: value } for any other value; received ${describeType(content)}. Await a promise first.`,
  );
}

function lengthOf(data: string): [string, number] {
  return ['base64Length', data.length];
}

function describe(part: ImagePart | FilePart | LinkPart): string {
  const fields = Object.entries(part).filter(([name]) => name !== 'text');
  return canonicalJson(Object.fromEntries(fields.map((field) => (field[0] === 'data' ? lengthOf(field[1]) : field))));
}

/**
 * The text of a part that the model is shown. It includes names, titles and addresses, which an attacker may have
 * chosen.
 */
export function surfaceOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'json':
      return part.text;
    case 'file':
      return part.text === undefined ? describe(part) : `${describe(part)}\n${part.text}`;
    case 'image':
    case 'link':
      return describe(part);
  }
}

/** The media of a part, if it has bytes. */
export function mediaOf(part: Part): Media | undefined {
  if (part.type !== 'image' && part.type !== 'file') return undefined;
  return part.data === undefined ? undefined : { mediaType: part.mediaType, data: part.data };
}
