import { type Fields, isFields } from '@sallyport/core/adapter';

/** Fields by which an object is a conversation itself. */
const CONVERSATION_FIELDS = [
  'messages',
  'input',
  'choices',
  'output',
  'resourceSpans',
  'attributes',
  'channel_values',
  'checkpoint',
];

/** The body of a logged HTTP message, or the value itself. */
function bodyIn(value: unknown): Fields | undefined {
  if (!isFields(value)) return undefined;
  return isFields(value.body) ? value.body : value;
}

/** Unwraps a logged pair of request and response (`request`, `response`), or a request (`body`). */
export function unwrapped(value: unknown): unknown {
  if (!isFields(value) || CONVERSATION_FIELDS.some((name) => name in value)) return value;
  const request = bodyIn(value.request) ?? (isFields(value.body) ? value.body : undefined);
  const response = bodyIn(value.response);
  if (request === undefined) return value;
  return response === undefined ? request : { ...request, response };
}
