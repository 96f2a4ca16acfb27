import { fieldsOf } from '@sallyport/core/adapter';

/**
 * The keys that this package uses in the `_meta` of messages. Nothing else in a message is changed.
 *
 * @example
 * ```ts
 * const result = await client.callTool({ name, arguments: input, _meta: { [META.call]: toolCall.id } });
 * const source = result._meta?.[META.source]; // { server: 'mail', tool: 'list_mails' }
 * ```
 */
export const META: {
  /** On content of a server: `{ server, tool }`, `{ server, resource }`, `{ server, prompt }` or `{ server }`. */
  readonly source: 'sallyport/source';
  /** On your `tools/call`: the id under which the model made the call. It is not sent to the server. */
  readonly call: 'sallyport/call';
  /** On the result of a call that was not made: `{ outcome, rule }`. */
  readonly decision: 'sallyport/decision';
  /** On results of `serve`: `{ lifecycle, label, standing }`, of each block and of the whole result. */
  readonly submission: 'sallyport/submission';
} = {
  source: 'sallyport/source',
  call: 'sallyport/call',
  decision: 'sallyport/decision',
  submission: 'sallyport/submission',
};

/** A copy with one more entry in its `_meta`. */
export function withMeta<T extends object>(holder: T, key: string, value: unknown): T {
  return { ...holder, _meta: { ...fieldsOf(fieldsOf(holder)._meta), [key]: value } };
}

/** A copy without an entry of its `_meta`, and without `_meta` if it has no other entry. */
export function withoutMeta<T extends object>(holder: T, key: string): T {
  const { _meta, ...rest } = holder as T & { readonly _meta?: unknown };
  const { [key]: _, ...kept } = fieldsOf(_meta);
  return (Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept }) as T;
}
