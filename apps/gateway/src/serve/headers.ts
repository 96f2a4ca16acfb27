import { parseJson } from '@sallyport/core/json';

// The protocol of 2026 repeats parts of a message in headers. A server may route by them, so they must match the message that
// was checked.
const PARAMETER = /^mcp-param-[\w-]{1,100}$/;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/;
const VISIBLE = /^[ -~]{1,1000}$/;

interface Message {
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Collects the argument values that a header may repeat, as strings. */
function valuesIn(value: unknown, found: Set<string>): void {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) valuesIn(each, found);
  else if (value !== null) found.add(String(value));
}

function textOf(header: string): string {
  const encoded = ENCODED.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}

function asHeader(text: string): string {
  const isPlain = VISIBLE.test(text) && text.trim() === text && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function nameIn({ method, params }: Message): string | undefined {
  const named = method === 'resources/read' ? params?.uri : params?.name;
  return typeof named === 'string' ? named : undefined;
}

/**
 * The protocol headers for an outgoing message. Method and name are taken from the message; a parameter header is kept only if
 * the message contains its value.
 */
export function protocolHeaders(text: string, given: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  const version = given.get('mcp-protocol-version');
  if (version !== null && /^[\w.-]{1,40}$/.test(version)) headers['mcp-protocol-version'] = version;
  // Only the protocol of 2026 has the headers below.
  if (given.get('mcp-method') === null) return headers;
  const message = parseJson(text) as Message;
  if (typeof message.method === 'string') headers['mcp-method'] = asHeader(message.method);
  const name = nameIn(message);
  if (name !== undefined && given.get('mcp-name') !== null) headers['mcp-name'] = asHeader(name);
  const values = new Set<string>();
  valuesIn(message.params?.arguments, values);
  for (const [header, value] of given) if (PARAMETER.test(header) && values.has(textOf(value))) headers[header] = value;
  return headers;
}
