import { tagFields } from '@sallyport/core';
import type { JsonSchema } from '@sallyport/core/adapter';
import { type JsonNode, memberNamed, memberOf, readValue, stringAt } from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import type { Cover } from './cover.ts';

/**
 * What becomes of `structuredContent`. `text-only`: it is taken out, and its schema with it, and its JSON stands framed in the
 * content. `keep`: it goes on raw, beside an annotation. `typed`: numbers, dates and declared values go on, free texts are
 * tagged in place, and the schema is widened so that clients accept that.
 */
export const STRUCTURED = ['text-only', 'keep', 'typed'] as const;

export type Structured = (typeof STRUCTURED)[number];

/** Whether a text says what a JSON text says. Asked of every block, so that what is compared with is written down once. */
function sameAs(json: string): (text: string) => boolean {
  const compact = JSON.stringify(JSON.parse(json));
  // Beyond this JavaScript does not count exactly: such numbers are compared as they are written.
  const isExact = !/\d{16}/.test(json);
  return (text) => {
    if (text === json || !isExact) return text === json;
    try {
      return JSON.stringify(JSON.parse(text)) === compact;
    } catch {
      return false;
    }
  };
}

/** Whether a text block says what the structured content says. */
function isSaid({ json: { text } }: Cover, content: JsonNode | undefined, structured: JsonNode): boolean {
  const blocks = content?.type === 'array' ? content.members : [];
  const isSame = sameAs(text.slice(structured.start, structured.end));
  return blocks.some((block) => {
    const said = memberOf(block.value, 'text');
    return said?.type === 'string' && isSame(stringAt(text, said));
  });
}

/** Takes structured content out of a result; what no block says of it is said by one more. */
export function textOnly(cover: Cover, result: JsonNode): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  cover.skip(structured.value);
  cover.edits.remove(result, structured);
  const content = memberOf(result, 'content');
  const { text } = cover.json;
  if (isSaid(cover, content, structured.value)) return;
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

/** Tags structured content in place. Where that cannot be done so that the schema holds, it is taken out, and says so. */
export function typed(cover: Cover, result: JsonNode, { key, id, schema }: TypedOptions): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  const { start, end } = structured.value;
  const tagged = tagFields(readValue(cover.json.text, structured.value), { key, id, schema, mode: 'typed' });
  if (tagged.type === 'withheld') {
    textOnly(cover, result);
    const isError = memberNamed(result, 'isError');
    // A client asks for structured content where the schema promises it, unless the call failed.
    if (isError === undefined) cover.edits.add(result, 'isError', 'true');
    else cover.edits.replace(isError.value.start, isError.value.end, 'true');
    return;
  }
  cover.skip(structured.value);
  // Read as well, so that the gate knows whose words its values are.
  cover.add(cover.json.text.slice(start, end), () => cover.edits.replace(start, end, JSON.stringify(tagged.value)));
}

/** The schema that tagged values fulfil; undefined where there can be none. */
export function widened(schema: JsonSchema, key: FrameKey): JsonSchema | undefined {
  try {
    const tagged = tagFields(null, { key, id: 'schema', schema, mode: 'typed' });
    return tagged.type === 'tagged' ? tagged.schema : undefined;
  } catch {
    return undefined;
  }
}
