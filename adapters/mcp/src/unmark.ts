import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import { META } from './meta.ts';

function isForged(name: string): boolean {
  return name.startsWith('sallyport/') && name !== META.submission;
}

/** A copy with one member changed; the same object if nothing changes. */
function withMember(holder: Fields, name: string, change: (value: unknown) => unknown): Fields {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  const changed = value === undefined ? undefined : change(value);
  return changed === value ? holder : { ...holder, [name]: changed };
}

/** Changes every entry of a list, or a value that is not a list. */
function each(value: unknown, change: (entry: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return change(value);
  const changed = value.map(change);
  return changed.every((entry, index) => entry === value[index]) ? value : changed;
}

function unmarkedOne(holder: unknown): unknown {
  if (!isFields(holder)) return holder;
  const names = Object.keys(fieldsOf(holder._meta));
  if (!names.some(isForged)) return holder;
  const { _meta, ...rest } = holder;
  const kept = Object.entries(fieldsOf(_meta)).filter(([name]) => !isForged(name));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

/** A result or the params of a request, including its blocks. */
function unmarkedBody(body: unknown): unknown {
  const clean = unmarkedOne(body);
  if (!isFields(clean)) return clean;
  const blocks = (content: unknown): unknown => each(content, unmarkedOne);
  const message = (given: unknown): unknown => {
    const own = unmarkedOne(given);
    return isFields(own) ? withMember(own, 'content', blocks) : own;
  };
  return withMember(withMember(withMember(clean, 'content', blocks), 'contents', blocks), 'messages', (messages) =>
    each(messages, message),
  );
}

/** The requests of a server within its result. */
function unmarkedRequests(requests: unknown): unknown {
  if (!isFields(requests)) return requests;
  const entries = Object.entries(requests).map(([key, request]) => [
    key,
    isFields(request) ? withMember(request, 'params', unmarkedBody) : request,
  ]);
  return Object.fromEntries(entries);
}

/**
 * A message without the `_meta` entries of this package that a server wrote: a client would take them for ours. The submission
 * entry stays, because a server may declare it, and it can only lower the label.
 */
export function unmarked(message: Fields): Fields {
  const result = (given: unknown): unknown => {
    const clean = unmarkedBody(given);
    return isFields(clean) ? withMember(clean, 'inputRequests', unmarkedRequests) : clean;
  };
  return withMember(withMember(message, 'params', unmarkedBody), 'result', result);
}
