import { tagFields } from '@sallyport/core';
import type { JsonSchema } from '@sallyport/core/adapter';
import { type JsonNode, memberNamed, memberOf, parseJson, readValue, stringAt } from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import type { Cover } from './cover.ts';

/**
 * What happens to `structuredContent`. `text-only`: it and its schema are removed, and its JSON is framed in `content`.
 * `keep`: it passes unchanged, with an annotation. `typed`: numbers, dates and declared values pass, free text is tagged in
 * place, and the schema is widened so that clients accept the tags.
 *
 * @example
 * ```ts
 * const isStructured = (value: string): value is Structured => STRUCTURED.some((each) => each === value);
 * ```
 */
export const STRUCTURED = ['text-only', 'keep', 'typed'] as const;

/** A way to pass on `structuredContent`. See `STRUCTURED`. */
export type Structured = (typeof STRUCTURED)[number];

/** Returns a check whether a text is the same JSON value. The JSON is normalized once for all blocks. */
function sameAs(json: string): (text: string) => boolean {
  const compact = JSON.stringify(parseJson(json));
  // JavaScript rounds longer numbers, so they are compared as written.
  const isExact = !/\d{16}/.test(json);
  return (text) => {
    if (text === json || !isExact) return text === json;
    try {
      return JSON.stringify(parseJson(text)) === compact;
    } catch {
      // Not JSON, so not the same value. Most text blocks are not JSON.
      return false;
    }
  };
}

/** Whether a text block holds the same value as the structured content. */
function hasSameText({ json: { text } }: Cover, content: JsonNode | undefined, structured: JsonNode): boolean {
  const blocks = content?.type === 'array' ? content.members : [];
  const isSame = sameAs(text.slice(structured.start, structured.end));
  return blocks.some((block) => {
    const blockText = memberOf(block.value, 'text');
    return blockText?.type === 'string' && isSame(stringAt(text, blockText));
  });
}

/** Removes structured content from a result, and adds it as a text block if no block holds it already. */
export function textOnly(cover: Cover, result: JsonNode): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  cover.skip(structured.value);
  cover.edits.remove(result, structured);
  const content = memberOf(result, 'content');
  const { text } = cover.json;
  if (hasSameText(cover, content, structured.value)) return;
  cover.add(text.slice(structured.value.start, structured.value.end), (frame) => {
    const block = JSON.stringify({ type: 'text', text: frame });
    if (content === undefined) cover.edits.add(result, 'content', `[${block}]`);
    else if (content.type === 'array') cover.edits.add(content, undefined, block);
    else cover.edits.replace(content.start, content.end, `[${block}]`);
  });
}

export interface TypedOptions {
  readonly key: FrameKey;
  readonly id: string;
  readonly schema: JsonSchema;
}

/** Tags structured content in place. If the result would not fit the schema, the content is removed and the call marked as failed. */
export function typed(cover: Cover, result: JsonNode, { key, id, schema }: TypedOptions): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  const { start, end } = structured.value;
  const tagged = tagFields(readValue(cover.json.text, structured.value), { key, id, schema, mode: 'typed' });
  if (tagged.type === 'withheld') {
    textOnly(cover, result);
    const isError = memberNamed(result, 'isError');
    // Clients require the structured content that a schema promises, unless the call failed.
    if (isError === undefined) cover.edits.add(result, 'isError', 'true');
    else cover.edits.replace(isError.value.start, isError.value.end, 'true');
    return;
  }
  cover.skip(structured.value);
  // Recorded as well, so that the gate knows the origin of its values.
  cover.add(cover.json.text.slice(start, end), () => cover.edits.replace(start, end, JSON.stringify(tagged.value)));
}

/** The schema that tagged values fit, or undefined if there is none. */
export function widened(schema: JsonSchema, key: FrameKey): JsonSchema | undefined {
  try {
    const tagged = tagFields(null, { key, id: 'schema', schema, mode: 'typed' });
    return tagged.type === 'tagged' ? tagged.schema : undefined;
  } catch {
    // A schema that core rejects. The caller falls back to `text-only`, which needs no schema.
    return undefined;
  }
}
