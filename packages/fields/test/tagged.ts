import { deriveKey, recover } from '@sallyport/core/stages';
import { type TagFieldsOptions, tagFields } from '../src/tag-fields.ts';

const key = deriveKey(new Uint8Array(32).fill(7), 'conversation');
export const base: TagFieldsOptions = { key, id: 'record-1' };
export const nonce = key.nonce('field', 'record-1');
export const OPEN = `<untrusted_field ${nonce}>`;
export const CLOSE = `</untrusted_field ${nonce}>`;
export const inTags = (text: string): string => OPEN + text + CLOSE;
export const UUID = '6f1c2b7e-0d4a-4c1e-9b7a-3f5d2e8c9a10';
export const TIME = '2026-05-01T12:30:00.123Z';

export type Tree = { readonly [name: string]: unknown };

export function tag(payload: unknown, options: Partial<TagFieldsOptions> = {}): Tree {
  const result = tagFields(payload, { ...base, ...options });
  if (result.type !== 'tagged') throw new Error(`withheld: ${result.reason}`);
  return result.value as Tree;
}

/** The content of a pair of tags; undefined if the text is not one pair, or contains something that reads as another tag. */
export function contentOf(text: string): string | undefined {
  if (!text.startsWith(OPEN) || !text.endsWith(CLOSE) || text.length < OPEN.length + CLOSE.length) return undefined;
  const body = text.slice(OPEN.length, text.length - CLOSE.length);
  const seen = body.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return /<[\s/|\\]*untrusted_field/i.test(seen) ? undefined : recover(body);
}
