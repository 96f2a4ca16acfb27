import { isPlain, type JsonSchema } from '@sallyport/core/adapter';
import {
  type JsonNode,
  memberNamed,
  memberOf,
  parseJson,
  readJson,
  readValue,
  stringAt,
  within,
} from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import { tagFields } from '@sallyport/fields';
import { Edits } from '../json/edit.ts';
import type { Cover } from './cover.ts';

/**
 * The treatments of `structuredContent`. `typed`: numbers, dates and declared values pass, free text is tagged in
 * place, and the schema is widened so that clients accept the tags; without a schema it is like `text-only`.
 * `text-only`: it and its schema are removed, and the values that no text block repeats are framed in `content`.
 * `keep`: it passes unchanged, with an annotation.
 *
 * @example
 * ```ts
 * const isStructured = (value: string): value is Structured => STRUCTURED.some((each) => each === value);
 * ```
 */
export const STRUCTURED = ['text-only', 'keep', 'typed'] as const;

/** A way to pass on `structuredContent`. See `STRUCTURED`. */
export type Structured = (typeof STRUCTURED)[number];

/** Makes a check for texts that are the same JSON value as `json`, which is normalized once for all blocks. */
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

/** The texts of a result's blocks. */
function blockTexts({ json: { text } }: Cover, content: JsonNode | undefined): readonly string[] {
  const blocks = content?.type === 'array' ? content.members : [];
  return blocks.flatMap((block) => {
    const blockText = memberOf(block.value, 'text');
    return blockText?.type === 'string' ? [stringAt(text, blockText)] : [];
  });
}

/** Removes from a JSON text the prose that text blocks repeat. */
function withoutSaid(json: string, said: ReadonlySet<string>): string {
  const { text, root } = readJson(json);
  const edits = new Edits(text);
  for (const node of within(root))
    for (const member of node.members) {
      const { value } = member;
      const string = value.type === 'string' ? stringAt(text, value) : '';
      if (!said.has(string) || isPlain(string)) continue;
      if (node.type === 'object') edits.remove(node, member);
      else edits.replace(value.start, value.end, '""');
    }
  return edits.apply() ?? json;
}

function saysNothing(json: string): boolean {
  const { text, root } = readJson(json);
  const isEmpty = (node: JsonNode): boolean => node.type === 'string' && stringAt(text, node) === '';
  return [...within(root)].every((node) => node.type === 'object' || node.type === 'array' || isEmpty(node));
}

/** The part of structured content that no text block repeats. Undefined if nothing is left: it would be read twice. */
function unsaidIn(cover: Cover, result: JsonNode, { start, end }: JsonNode): string | undefined {
  const json = cover.json.text.slice(start, end);
  const texts = blockTexts(cover, memberOf(result, 'content'));
  if (texts.some(sameAs(json))) return undefined;
  const rest = texts.length === 0 ? json : withoutSaid(json, new Set(texts));
  return rest !== json && saysNothing(rest) ? undefined : rest;
}

/** Records the structured content that no text block repeats, so that calls are checked against it. */
function recordUnsaid(cover: Cover, result: JsonNode, structured: JsonNode): void {
  cover.skip(structured);
  const unsaid = unsaidIn(cover, result, structured);
  if (unsaid !== undefined) cover.add(unsaid, () => undefined);
}

/** Passes structured content as it is. False if there is none. */
export function keep(cover: Cover, result: JsonNode): boolean {
  const structured = memberOf(result, 'structuredContent');
  if (structured === undefined) return false;
  recordUnsaid(cover, result, structured);
  return true;
}

/** Removes structured content from a result, and adds the part that no text block repeats as a new block. */
export function textOnly(cover: Cover, result: JsonNode): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  cover.skip(structured.value);
  cover.edits.remove(result, structured);
  const content = memberOf(result, 'content');
  const unsaid = unsaidIn(cover, result, structured.value);
  if (unsaid === undefined) return;
  cover.add(unsaid, (frame) => {
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

/** The message itself is limited, so its structured content needs no other limit. */
const UNLIMITED = { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: 256 };

/**
 * Tags structured content in place. If the result would not fit the schema, the content is removed and the call marked
 * as failed.
 */
export function typed(cover: Cover, result: JsonNode, { key, id, schema }: TypedOptions): void {
  const structured = memberNamed(result, 'structuredContent');
  if (structured === undefined) return;
  const { start, end } = structured.value;
  const value = readValue(cover.json.text, structured.value);
  const tagged = tagFields(value, { key, id, schema, mode: 'typed', ...UNLIMITED });
  if (tagged.type === 'withheld') {
    textOnly(cover, result);
    const isError = memberNamed(result, 'isError');
    // Clients require the structured content that a schema promises, unless the call failed.
    if (isError === undefined) cover.edits.add(result, 'isError', 'true');
    else cover.edits.replace(isError.value.start, isError.value.end, 'true');
    return;
  }
  recordUnsaid(cover, result, structured.value);
  cover.edits.replace(start, end, JSON.stringify(tagged.value));
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
