import type { Content, ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, mediaPart, stringOf } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';

/** The entries of a table that are strings. */
function strings<K extends string>(table: Readonly<Record<K, unknown>>): { readonly [P in K]?: string } {
  const given = Object.entries(table).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(given) as { readonly [P in K]?: string };
}

function resourceOf({ uri, mimeType, text, blob }: Fields): ContentPart | undefined {
  const mediaType = stringOf(mimeType);
  if (typeof text === 'string')
    return { type: 'file', mediaType: mediaType ?? 'text/plain', text, ...strings({ uri }) };
  return typeof blob === 'string' ? mediaPart({ mediaType, data: blob, uri }) : undefined;
}

function knownOf(block: unknown): ContentPart | undefined {
  if (typeof block === 'string') return { type: 'text', text: block };
  const { type, text, data, mimeType, resource, uri, name, title, description } = fieldsOf(block);
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type: 'text', text } : undefined;
    case 'image':
    case 'audio':
      return mediaPart({ mediaType: stringOf(mimeType), data: stringOf(data) });
    case 'resource':
      return resourceOf(fieldsOf(resource));
    case 'resource_link':
      return typeof uri === 'string'
        ? { type: 'link', uri, ...strings({ name, title, description, mediaType: mimeType }) }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * The content blocks of a message as parts. A block of an unknown type becomes JSON.
 *
 * @example
 * ```ts
 * conversation.addContent({ id: 'note-1', source: source('external', { name: 'mail' }), content: partsOf(message.content) });
 * ```
 */
export function partsOf(content: unknown): readonly ContentPart[] {
  if (content === undefined) return [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => knownOf(block) ?? { type: 'json', value: block });
}

/** JSON without white space; undefined if the value is not JSON or nested too deeply. */
function plainJson(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make());
  } catch {
    return undefined;
  }
}

/** Looks for the value as JSON in the text parts. Shorter texts are not parsed: a server may send many. */
function isContained(parts: readonly ContentPart[], value: unknown): boolean {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const json = texts.length === 0 ? undefined : plainJson(() => value);
  if (json === undefined) return false;
  return texts.some((text) => text.length >= json.length && plainJson(() => parseJson(text)) === json);
}

/** A single text part becomes a string, so that core recognizes a refusal in a history. */
function contentFrom(parts: readonly ContentPart[]): Content {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

/**
 * The whole content of a tool result: its blocks, and its structured content if no block contains the same. Frame this, and not
 * one of the two, if you do not know which of them your model is shown.
 *
 * @example
 * ```ts
 * const result = await client.callTool({ name, arguments: input });
 * const turn: Turn = { type: 'result', id, tool: name, content: contentOf(result) };
 * ```
 */
export function contentOf(result: unknown): Content {
  const { content, structuredContent } = fieldsOf(result);
  if (content === undefined && structuredContent === undefined) return { json: result ?? null };
  const parts = partsOf(content);
  const isWhole = structuredContent === undefined || isContained(parts, structuredContent);
  return contentFrom(isWhole ? parts : [...parts, { type: 'json', value: structuredContent }]);
}

/** The content of a `resources/read` result. */
export function resourceContentOf(result: unknown): Content {
  const { contents } = fieldsOf(result);
  if (!Array.isArray(contents)) return { json: result ?? null };
  return contents.map((each) => resourceOf(fieldsOf(each)) ?? { type: 'json', value: each });
}

/** The content of a `prompts/get` result: the server's words, whatever role it gives them. */
export function promptContentOf(result: unknown): Content {
  const { messages, description } = fieldsOf(result);
  if (!Array.isArray(messages)) return { json: result ?? null };
  return [...partsOf(description), ...messages.flatMap((message) => partsOf(fieldsOf(message).content ?? message))];
}

/** The content of a JSON-RPC error. The server wrote its message. */
export function errorContentOf(error: unknown): Content {
  const { message, data } = fieldsOf(error);
  if (typeof message !== 'string') return { json: error ?? null };
  return contentFrom([
    { type: 'text', text: message },
    ...(data === undefined ? [] : [{ type: 'json' as const, value: data }]),
  ]);
}
