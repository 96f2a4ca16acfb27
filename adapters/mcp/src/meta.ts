import { fieldsOf } from './fields.ts';

/** Where this package writes in the `_meta` of messages. Nothing else of a message is changed. */
export const META: {
  /** On what a server says: `{ server, tool }`, `{ server, resource }`, `{ server, prompt }` or `{ server }`. */
  readonly source: 'sallyport/source';
  /** On a `tools/call` of yours: the id under which the model made the call. It does not leave the host. */
  readonly call: 'sallyport/call';
  /** On the result of a call that was not made: `{ outcome, rule }`. */
  readonly decision: 'sallyport/decision';
  /** On what `serve` reads back: `{ lifecycle, label, standing }`, of a block and of the whole. */
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

/** A copy without an entry of its `_meta`, and without `_meta` where nothing else is in it. */
export function withoutMeta<T extends object>(holder: T, key: string): T {
  const { _meta, ...rest } = holder as T & { readonly _meta?: unknown };
  const { [key]: _, ...kept } = fieldsOf(_meta);
  return (Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept }) as T;
}
