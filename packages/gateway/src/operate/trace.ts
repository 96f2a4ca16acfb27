import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { placeAt } from '../upstream/place.ts';
import { codeOf } from './log.ts';

/** The request that a span is about. */
export interface TracedRequest {
  readonly workspace: string;
  readonly server: string;
  readonly headers: Headers;
  readonly message: {
    readonly id?: unknown;
    readonly method?: unknown;
    readonly params?: Readonly<Record<string, unknown>>;
  };
}

type Carrier = Record<string, string>;

/** Whatever else a caller would like to hand on goes unjudged, so baggage stays here. */
const FIELDS = ['traceparent', 'tracestate'] as const;
const MAX_FIELD_LENGTH = 512;
/** Anything else is counted as one: a caller could write anything there. */
const METHODS: ReadonlySet<unknown> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);
const OTHER = '_OTHER';
const NAME = /^[\w./-]{1,128}$/;
const ID = /^[\w-]{1,64}$/;
const VERSION = /^[\w.-]{1,40}$/;
const SERVER = /^[a-z0-9-]{1,40}$/;
/** A message that tells of a failure, seen without reading it whole. */
const TELLS_OF_FAILURE = /"(?:error|isError)"\s*:/;

function carrierOf(read: (field: string) => unknown): Carrier {
  const carrier: Carrier = {};
  for (const field of FIELDS) {
    const value = read(field);
    if (typeof value === 'string' && value.length <= MAX_FIELD_LENGTH) carrier[field] = value;
  }
  return carrier;
}

/** What the span is under, and what it stands beside. A message's own context comes before that of its transport. */
function originOf({ headers, message }: TracedRequest): { parent: Context; beside: SpanContext | undefined } {
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const meta = message.params?._meta as Readonly<Record<string, unknown>> | undefined;
  const given = carrierOf((field) => meta?.[field]);
  if (given.traceparent !== undefined) return { parent: propagation.extract(active, given), beside: ambient };
  if (ambient !== undefined) return { parent: active, beside: undefined };
  return {
    parent: propagation.extract(
      active,
      carrierOf((field) => headers.get(field) ?? undefined),
    ),
    beside: undefined,
  };
}

function textIf(pattern: RegExp, value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && pattern.test(text) ? text : undefined;
}

/** Names, versions and numbers. Never arguments, addresses of resources, session ids, or anything that a server said. */
function attributesOf({ workspace, server, headers, message }: TracedRequest): Attributes {
  const { id, method, params } = message;
  const name = textIf(NAME, params?.name);
  return {
    'mcp.method.name': METHODS.has(method) ? String(method) : OTHER,
    'mcp.protocol.version': textIf(VERSION, headers.get('mcp-protocol-version')),
    'jsonrpc.request.id': textIf(ID, id),
    'gen_ai.operation.name': method === 'tools/call' ? 'execute_tool' : undefined,
    'gen_ai.tool.name': method === 'tools/call' ? name : undefined,
    'gen_ai.prompt.name': method === 'prompts/get' ? name : undefined,
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'sallyport.workspace': workspace,
    'sallyport.server': textIf(SERVER, server),
  };
}

/** Adds a member to the object at a place, before the others. */
function withMember(text: string, start: number, name: string, json: string): string {
  const rest = text.slice(start + 1);
  return `${text.slice(0, start + 1)}${JSON.stringify(name)}:${json}${/^\s*\}/.test(rest) ? '' : ','}${rest}`;
}

function withField(text: string, name: string, value: string): string {
  const json = JSON.stringify(value);
  const known = placeAt(text, 'params', '_meta', name);
  if (known !== undefined) return text.slice(0, known.start) + json + text.slice(known.end);
  const meta = placeAt(text, 'params', '_meta');
  if (meta !== undefined) return text[meta.start] === '{' ? withMember(text, meta.start, name, json) : text;
  const params = placeAt(text, 'params');
  const isObject = params !== undefined && text[params.start] === '{';
  return isObject ? withMember(text, params.start, '_meta', `{${JSON.stringify(name)}:${json}}`) : text;
}

/** One request of a client, from when it was read until everything that comes of it was sent. */
export class Trace {
  readonly #span: Span;
  readonly #context: Context;
  readonly #id: unknown;
  /** The span's context, for the server's headers. Empty where nobody traces. */
  readonly headers: Readonly<Carrier>;
  #hasEnded = false;

  constructor(request: TracedRequest) {
    const { parent, beside } = originOf(request);
    const attributes = attributesOf(request);
    const target = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name'];
    const method = attributes['mcp.method.name'];
    this.#id = request.message.id;
    this.#span = trace
      .getTracer('@sallyport/gateway')
      .startSpan(
        target === undefined ? `${method}` : `${method} ${target}`,
        { kind: SpanKind.SERVER, attributes, links: beside === undefined ? [] : [{ context: beside }] },
        parent,
      );
    this.#context = trace.setSpan(parent, this.#span);
    const carrier: Carrier = {};
    // Without a span of ours there is nothing to hand on: a caller's own context goes on in its message.
    if (this.#span.isRecording()) propagation.inject(this.#context, carrier);
    this.headers = carrierOf((field) => carrier[field]);
  }

  /** Does work under the span. The span ends with it only where it fails. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await context.with(this.#context, work);
    } catch (cause) {
      this.fail(codeOf(cause));
      this.end();
      throw cause;
    }
  }

  /** A message as it goes to the server: under this span, and otherwise the same bytes. */
  handOn(text: string): string {
    try {
      return Object.entries(this.headers).reduce((left, [name, value]) => withField(left, name, value), text);
    } catch {
      // Two members of one name: whoever reads it decides.
      return text;
    }
  }

  /** Takes note of a message for the client, if it says that the request failed. */
  sent(text: string): void {
    if (!this.#span.isRecording() || !TELLS_OF_FAILURE.test(text)) return;
    const { id, error, result } = JSON.parse(text) as {
      readonly id?: unknown;
      readonly error?: { readonly code?: unknown };
      readonly result?: { readonly isError?: unknown };
    };
    if (id !== this.#id) return;
    if (result?.isError === true) this.fail('tool_error');
    if (error === undefined) return;
    const code = Number.isInteger(error.code) ? String(error.code) : OTHER;
    this.#span.setAttribute('rpc.response.status_code', code);
    this.fail(code);
  }

  /** The kind of failure, without its words. */
  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Ends with an answer that is already there. */
  answered(response: Response): Response {
    if (response.status >= 400) this.fail(String(response.status));
    this.end();
    return response;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#span.end();
  }
}

/** What became of a call, on the span that it was judged under. */
export function traceOutcome(outcome: string, rule: string): void {
  trace.getActiveSpan()?.setAttributes({ 'sallyport.outcome': outcome, 'sallyport.rule': rule });
}
