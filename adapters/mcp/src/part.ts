import type { Content, ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, textOf } from './fields.ts';

const BYTES = 'application/octet-stream';

/** The entries of a table that are texts. */
function texts<K extends string>(table: Readonly<Record<K, unknown>>): { readonly [P in K]?: string } {
  const given = Object.entries(table).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(given) as { readonly [P in K]?: string };
}

function bytesOf(mediaType: string, data: string, about: { readonly uri?: string }): ContentPart {
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', mediaType, data, ...about };
}

function resourceOf({ uri, mimeType, text, blob }: Fields): ContentPart | undefined {
  const about = texts({ uri });
  if (typeof text === 'string') return { type: 'file', mediaType: textOf(mimeType) ?? 'text/plain', text, ...about };
  return typeof blob === 'string' ? bytesOf(textOf(mimeType) ?? BYTES, blob, about) : undefined;
}

function knownOf(block: unknown): ContentPart | undefined {
  if (typeof block === 'string') return { type: 'text', text: block };
  const { type, text, data, mimeType, resource, uri, name, title, description } = fieldsOf(block);
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type: 'text', text } : undefined;
    case 'image':
    case 'audio':
      return typeof data === 'string' ? bytesOf(textOf(mimeType) ?? BYTES, data, {}) : undefined;
    case 'resource':
      return resourceOf(fieldsOf(resource));
    case 'resource_link':
      return typeof uri === 'string'
        ? { type: 'link', uri, ...texts({ name, title, description, mediaType: mimeType }) }
        : undefined;
    default:
      return undefined;
  }
}

/** Content blocks as parts. A block that nobody knows yet is shown as the JSON it is. */
export function partsOf(content: unknown): readonly ContentPart[] {
  if (content === undefined) return [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => knownOf(block) ?? { type: 'json', value: block });
}

/** JSON without a blank, or nothing where it is none or too deep to be written down. */
function plainJson(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make());
  } catch {
    return undefined;
  }
}

/** Whether a text says a value. Only those long enough are read: a server may send many, and a long value. */
function isSaidIn(parts: readonly ContentPart[], value: unknown): boolean {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const said = texts.length === 0 ? undefined : plainJson(() => value);
  if (said === undefined) return false;
  return texts.some((text) => text.length >= said.length && plainJson(() => JSON.parse(text)) === said);
}

/** One text by itself is that text, so that a refusal of ours is known for one when it comes back in a history. */
function contentFrom(parts: readonly ContentPart[]): Content {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

/**
 * All that the result of a call says: its blocks, and its structured content where no block says the same. Frame this, and not
 * one half of it, when you cannot tell which half your model is shown.
 */
export function contentOf(result: unknown): Content {
  const { content, structuredContent } = fieldsOf(result);
  if (content === undefined && structuredContent === undefined) return { json: result ?? null };
  const parts = partsOf(content);
  const isWhole = structuredContent === undefined || isSaidIn(parts, structuredContent);
  return contentFrom(isWhole ? parts : [...parts, { type: 'json', value: structuredContent }]);
}

/** What `resources/read` answers. */
export function resourceContentOf(result: unknown): Content {
  const { contents } = fieldsOf(result);
  if (!Array.isArray(contents)) return { json: result ?? null };
  return contents.map((each) => resourceOf(fieldsOf(each)) ?? { type: 'json', value: each });
}

/** What `prompts/get` answers: words of the server, whatever role it gives them. */
export function promptContentOf(result: unknown): Content {
  const { messages, description } = fieldsOf(result);
  if (!Array.isArray(messages)) return { json: result ?? null };
  return [...partsOf(description), ...messages.flatMap((message) => partsOf(fieldsOf(message).content ?? message))];
}

/** What a JSON-RPC error says: its message was written by the other side. */
export function errorContentOf(error: unknown): Content {
  const { message, data } = fieldsOf(error);
  if (typeof message !== 'string') return { json: error ?? null };
  return contentFrom([
    { type: 'text', text: message },
    ...(data === undefined ? [] : [{ type: 'json' as const, value: data }]),
  ]);
}
