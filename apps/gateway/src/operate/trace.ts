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
import { parseJson } from '@sallyport/core/json';
import { addToOrigin } from '../request-origin.ts';
import { placeAt } from '../upstream/place.ts';
import { codeOf } from './log.ts';

/** The request that a span describes. */
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

/** Only these are forwarded. Baggage is not: it would reach the server without a check. */
const FIELDS = ['traceparent', 'tracestate'] as const;
const MAX_FIELD_LENGTH = 512;
/** Other methods are recorded as `_OTHER`, because a caller could write anything there. */
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
/** Finds messages that may report a failure, without parsing them. */
const MAY_REPORT_FAILURE = /"(?:error|isError)"\s*:/;

function carrierOf(read: (field: string) => unknown): Carrier {
  const carrier: Carrier = {};
  for (const field of FIELDS) {
    const value = read(field);
    if (typeof value === 'string' && value.length <= MAX_FIELD_LENGTH) carrier[field] = value;
  }
  return carrier;
}

/** The parent of the span, and the span to link. The context in the message takes precedence over that of the transport. */
function originOf({ headers, message }: TracedRequest): { parent: Context; linked: SpanContext | undefined } {
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const meta = message.params?._meta as Readonly<Record<string, unknown>> | undefined;
  const given = carrierOf((field) => meta?.[field]);
  if (given.traceparent !== undefined) return { parent: propagation.extract(active, given), linked: ambient };
  if (ambient !== undefined) return { parent: active, linked: undefined };
  return {
    parent: propagation.extract(
      active,
      carrierOf((field) => headers.get(field) ?? undefined),
    ),
    linked: undefined,
  };
}

function textIf(pattern: RegExp, value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && pattern.test(text) ? text : undefined;
}

/** Names, versions and numbers. Never arguments, resource URIs, session ids, or anything that a server sent. */
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

/** Adds a member at the beginning of the object that starts at `start`. */
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

/** The span of one request, from its arrival until the last message of its answer. */
export class Trace {
  readonly #span: Span;
  readonly #context: Context;
  readonly #id: unknown;
  /** The span's context as headers for the server. Empty if tracing is off. */
  readonly headers: Readonly<Carrier>;
  #hasEnded = false;

  constructor(request: TracedRequest) {
    const { parent, linked } = originOf(request);
    const attributes = attributesOf(request);
    const target = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name'];
    const method = attributes['mcp.method.name'];
    this.#id = request.message.id;
    this.#span = trace
      .getTracer('@sallyport/gateway')
      .startSpan(
        target === undefined ? `${method}` : `${method} ${target}`,
        { kind: SpanKind.SERVER, attributes, links: linked === undefined ? [] : [{ context: linked }] },
        parent,
      );
    this.#context = trace.setSpan(parent, this.#span);
    const carrier: Carrier = {};
    // Without a recorded span there is no context to inject: the caller's own context stays in its message.
    if (this.#span.isRecording()) {
      propagation.inject(this.#context, carrier);
      addToOrigin({ trace: this.#span.spanContext().traceId });
    }
    this.headers = carrierOf((field) => carrier[field]);
  }

  /** Runs `work` under the span. The span ends here only if the work fails. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await context.with(this.#context, work);
    } catch (cause) {
      this.fail(codeOf(cause));
      this.end();
      throw cause;
    }
  }

  /** Adds the span's context to a message for the server. All other bytes stay the same. */
  withContext(text: string): string {
    try {
      return Object.entries(this.headers).reduce((left, [name, value]) => withField(left, name, value), text);
    } catch {
      // The message has two members of one name. It is forwarded unchanged.
      return text;
    }
  }

  /** Records a message for the client if it reports that the request failed. */
  recordSent(text: string): void {
    if (!this.#span.isRecording() || !MAY_REPORT_FAILURE.test(text)) return;
    const { id, error, result } = parseJson(text) as {
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

  /** Records the kind of failure, without its message. */
  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Ends the span with a complete response. */
  finish(response: Response): Response {
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

/** Records the outcome of a call on the active span. */
export function recordOutcome(outcome: string, rule: string): void {
  trace.getActiveSpan()?.setAttributes({ 'sallyport.outcome': outcome, 'sallyport.rule': rule });
}
