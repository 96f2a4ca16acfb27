import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { recordOutcome, Trace, type TracedRequest } from '../../src/operate/trace.ts';
import { type Recorded, recordSpans } from '../fixture/tracer.ts';

const PARENT = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
const OTHER = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` };
const WORKSPACE = '00000000-0000-4000-8000-000000000000';

let recording: ReturnType<typeof recordSpans> | undefined;
afterEach(() => {
  recording?.stop();
  recording = undefined;
});

function begin(message: TracedRequest['message'], headers: Record<string, string> = {}): Trace {
  return new Trace({ workspace: WORKSPACE, server: 'mail', headers: new Headers(headers), message });
}

function record(
  message: TracedRequest['message'],
  headers: Record<string, string> = {},
): { traced: Trace; span: Recorded } {
  recording ??= recordSpans();
  const traced = begin(message, headers);
  return { traced, span: recording.spans.at(-1) as Recorded };
}

test('the span of a tool call follows the MCP and GenAI conventions', () => {
  const secret = 'hunter2';
  const params = { name: 'send_mail', arguments: { to: secret }, _meta: { progressToken: secret } };
  const headers = { 'mcp-protocol-version': '2025-11-25', authorization: secret, 'mcp-session-id': secret };
  const { traced, span } = record({ id: 7, method: 'tools/call', params }, headers);
  traced.end();
  traced.end();
  expect(span).toMatchObject({ name: 'tools/call send_mail', kind: SpanKind.SERVER, parent: undefined, ends: 1 });
  expect(span.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': '2025-11-25',
    'jsonrpc.request.id': '7',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'send_mail',
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'sallyport.workspace': WORKSPACE,
    'sallyport.server': 'mail',
  });
  expect(JSON.stringify(span)).not.toContain(secret);
});

test.each([
  [{ method: 'prompts/get', params: { name: 'review' } }, 'prompts/get review'],
  [{ method: 'resources/read', params: { uri: 'file:///secret' } }, 'resources/read'],
  [{ method: 'the password is hunter2' }, '_OTHER'],
  [{ method: 'tools/call', params: { name: 'say it: hunter2' } }, 'tools/call'],
  [{}, '_OTHER'],
])('the name of a span contains only names of the protocol: %j', (message, name) => {
  const { span } = record(message);
  expect(span.name).toBe(name);
  expect(JSON.stringify(span)).not.toMatch(/hunter2|secret/);
});

describe('context', () => {
  const ping = { method: 'ping', params: {} };

  test('comes from the message, and the active span is linked', async () => {
    const { span: around } = record(ping);
    const message = { method: 'ping', params: { _meta: PARENT } };
    const inner = await context.with(trace.setSpan(context.active(), around.span), async () => record(message, OTHER));
    expect(inner.span).toMatchObject({ parent: 'b'.repeat(16), context: { traceId: 'a'.repeat(32) } });
    expect(inner.span.links).toEqual([{ context: around.context }]);
  });

  test('comes from the active span, then from headers', async () => {
    const { span: around } = record(ping, OTHER);
    expect(around.parent).toBe('d'.repeat(16));
    const inner = await context.with(trace.setSpan(context.active(), around.span), async () => record(ping, PARENT));
    expect(inner.span).toMatchObject({ parent: around.context.spanId, links: [] });
  });

  test.each([
    ['{"id":1, "params" : { "x": 1.0 }}', (own: string) => `{"id":1, "params" : {"_meta":{${own}}, "x": 1.0 }}`],
    ['{"params":{}}', (own: string) => `{"params":{"_meta":{${own}}}}`],
    ['{"params":{"_meta":{}}}', (own: string) => `{"params":{"_meta":{${own}}}}`],
    ['{"params":{"_meta":{"a":1e2}}}', (own: string) => `{"params":{"_meta":{${own},"a":1e2}}}`],
    ['{"params":{"_meta":{"traceparent":"theirs"}}}', (own: string) => `{"params":{"_meta":{${own}}}}`],
    ['{"params":{"_meta":7}}', () => '{"params":{"_meta":7}}'],
    ['{"params":[1]}', () => '{"params":[1]}'],
    ['{"id":1,"result":{}}', () => '{"id":1,"result":{}}'],
    ['[{"params":{}}]', () => '[{"params":{}}]'],
    ['{"params":{},"params":{}}', () => '{"params":{},"params":{}}'],
  ])('is forwarded to the server in %s', (text, expected) => {
    const { traced, span } = record(ping, PARENT);
    const traceparent = `00-${'a'.repeat(32)}-${span.context.spanId}-01`;
    expect(traced.headers).toEqual({ traceparent });
    expect(traced.withContext(text)).toBe(expected(`"traceparent":"${traceparent}"`));
  });

  test('is not added if tracing is off', () => {
    const traced = begin({ method: 'ping', params: { _meta: PARENT } }, OTHER);
    expect(traced.headers).toEqual({});
    expect(traced.withContext('{"params":{}}')).toBe('{"params":{}}');
    traced.recordSent('{"error": not even JSON');
    traced.end();
  });
});

describe('failures', () => {
  const call = { id: 'a-1', method: 'tools/call', params: { name: 'send' } };

  test.each([
    ['{"jsonrpc":"2.0","id":"a-1","error":{"code":-32602,"message":"hunter2"}}', '-32602', '-32602'],
    ['{"jsonrpc":"2.0","id":"a-1","error":{"code":"x","message":"hunter2"}}', '_OTHER', '_OTHER'],
    ['{"jsonrpc":"2.0","id":"a-1","result":{"content":[],"isError":true}}', 'tool_error', undefined],
  ])('of the request are recorded: %s', (text, type, code) => {
    const { traced, span } = record(call);
    traced.recordSent(text);
    expect(span.attributes['error.type']).toBe(type);
    expect(span.attributes['rpc.response.status_code']).toBe(code);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(JSON.stringify(span)).not.toContain('hunter2');
  });

  test.each([
    '{"jsonrpc":"2.0","id":"a-1","result":{"content":[],"isError":false}}',
    '{"jsonrpc":"2.0","id":"b","error":{"code":-32602}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"error":1}}',
  ])('of other requests are not recorded: %s', (text) => {
    const { traced, span } = record(call);
    traced.recordSent(text);
    expect(span.status).toBeUndefined();
  });

  test('before the answer end the span', async () => {
    const failing = record(call);
    const cause = Object.assign(new Error('hunter2'), { code: 'ECONNREFUSED' });
    await expect(failing.traced.run(() => Promise.reject(cause))).rejects.toBe(cause);
    expect(failing.span).toMatchObject({ ends: 1, attributes: { 'error.type': 'Error ECONNREFUSED' } });
    const refused = record(call);
    expect(refused.traced.finish(new Response(null, { status: 404 })).status).toBe(404);
    expect(refused.span).toMatchObject({ ends: 1, attributes: { 'error.type': '404' } });
  });
});

test('the outcome of a call is recorded on the active span', async () => {
  const { traced, span } = record({ method: 'tools/call' });
  await traced.run(async () => recordOutcome('deny', 'instructed'));
  recordOutcome('allow', 'nobody');
  expect(span.attributes).toMatchObject({ 'sallyport.outcome': 'deny', 'sallyport.rule': 'instructed' });
});
