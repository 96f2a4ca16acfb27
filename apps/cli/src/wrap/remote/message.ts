import { fieldsOf } from '@sallyport/core/adapter';

export type Id = string | number;

/** The facts about a message that its HTTP request needs. */
export interface Outline {
  readonly method: string | undefined;
  /** The ids of the requests in the message: one, or those of a batch. */
  readonly requests: readonly Id[];
  /** The ids of the requests that it answers. */
  readonly answers: readonly Id[];
  readonly params: Readonly<Record<string, unknown>>;
  /** The protocol version that a request of 2026 and later names itself. */
  readonly version: string | undefined;
  /** The version that the answer to `initialize` names. */
  readonly negotiated: string | undefined;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const NOTHING: Outline = {
  method: undefined,
  requests: [],
  answers: [],
  params: {},
  version: undefined,
  negotiated: undefined,
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function outlineOf(value: unknown): Outline {
  const { id, method, params, result } = fieldsOf(value);
  const ids = typeof id === 'string' || typeof id === 'number' ? [id] : [];
  const fields = fieldsOf(params);
  return {
    method: textOf(method),
    requests: method === undefined ? [] : ids,
    answers: method === undefined ? ids : [],
    params: fields,
    version: textOf(fieldsOf(fields._meta)[VERSION]),
    negotiated: textOf(fieldsOf(result).protocolVersion),
  };
}

/** Reads what is needed of a message. A text that is not JSON has nothing of it. */
export function readOutline(text: string): Outline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The proxy reports it.
    return NOTHING;
  }
  if (!Array.isArray(value)) return outlineOf(value);
  const all = value.map(outlineOf);
  return {
    ...NOTHING,
    requests: all.flatMap(({ requests }) => requests),
    answers: all.flatMap(({ answers }) => answers),
  };
}

const VISIBLE = /^[ -~]{1,1000}$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** A text as the value of a header. */
function headerValue(text: string): string {
  const isPlain = VISIBLE.test(text) && text.trim() === text && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** The parameter that the header Mcp-Name repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers in which the protocol of 2026 repeats parts of a message, so that servers can route by them. */
export function headersOf({ method, params, version }: Outline): Record<string, string> {
  if (version === undefined || method === undefined) return {};
  const name = Object.hasOwn(NAMED, method) ? textOf(params[NAMED[method] ?? '']) : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': headerValue(method),
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}$/;
const MAX_DEPTH = 8;

interface Declared {
  readonly header: string;
  readonly path: readonly string[];
}

/** The arguments that a tool's schema asks to repeat in headers (`x-mcp-header`). */
function declaredIn(schema: unknown, path: readonly string[] = []): readonly Declared[] {
  const { properties, 'x-mcp-header': header } = fieldsOf(schema);
  const own = typeof header === 'string' && TOKEN.test(header) && path.length > 0 ? [{ header, path }] : [];
  if (path.length >= MAX_DEPTH) return own;
  const inner = Object.entries(fieldsOf(properties)).flatMap(([name, each]) => declaredIn(each, [...path, name]));
  return [...own, ...inner];
}

/** The arguments that the server wants in headers, for the tools that it listed. */
export class ParameterHeaders {
  readonly #declared = new Map<string, readonly Declared[]>();

  /** Reads the tools of a server's answer. */
  learn(text: string): void {
    if (!text.includes('"x-mcp-header"')) return;
    const { tools } = fieldsOf(fieldsOf(JSON.parse(text)).result);
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, inputSchema } = fieldsOf(tool);
      if (typeof name === 'string') this.#declared.set(name, declaredIn(inputSchema));
    }
  }

  headersOf({ method, params, version }: Outline): Record<string, string> {
    if (method !== 'tools/call' || version === undefined) return {};
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#declared.get(String(params.name)) ?? []) {
      const value = path.reduce<unknown>((node, name) => fieldsOf(node)[name], params.arguments);
      if (['string', 'number', 'boolean'].includes(typeof value))
        headers[`mcp-param-${header.toLowerCase()}`] = headerValue(String(value));
    }
    return headers;
  }
}
