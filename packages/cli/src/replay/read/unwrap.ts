import { type Fields, isFields } from './log.ts';

/** Names by which a table is a conversation itself. */
const OWN = ['messages', 'input', 'choices', 'output', 'resourceSpans', 'attributes', 'channel_values', 'checkpoint'];

/** What a log of HTTP keeps of a message, or what stands there by itself. */
function bodyIn(value: unknown): Fields | undefined {
  if (!isFields(value)) return undefined;
  return isFields(value.body) ? value.body : value;
}

/** A request and its answer as loggers pair them (`request`, `response`), and a request with something around it (`body`). */
export function unwrapped(value: unknown): unknown {
  if (!isFields(value) || OWN.some((name) => name in value)) return value;
  const request = bodyIn(value.request) ?? (isFields(value.body) ? value.body : undefined);
  const response = bodyIn(value.response);
  if (request === undefined) return value;
  return response === undefined ? request : { ...request, response };
}
