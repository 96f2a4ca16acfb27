import { readFileSync } from 'node:fs';
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { Installation } from '../fixture/replica.ts';
import { Contexts, w3c } from '../fixture/tracer.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

const received: ReceivedSpan[] = [];
let receiver: Local;
let mail: Local;
let installation: Installation;

beforeAll(async () => {
  receiver = await serve(async (request, response) => {
    const { resourceSpans } = JSON.parse(await bodyOf(request));
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) received.push(...spans);
    json(response, {});
  });
  mail = await serve(async (request, response) => {
    const { id } = JSON.parse(await bodyOf(request));
    json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'Nothing new.' }] } });
  });
  const exporter = new OTLPTraceExporter({ url: `${receiver.origin}/v1/traces` });
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  propagation.setGlobalPropagator(w3c);
  context.setGlobalContextManager(new Contexts());
  installation = await Installation.make();
});

afterAll(async () => {
  trace.disable();
  propagation.disable();
  context.disable();
  await installation?.drop();
  await receiver?.close();
  await mail?.close();
});

test("spans arrive at an OTLP receiver through the real SDK, and continue the caller's trace", async () => {
  const { origin } = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
  const workspace = await installation.workspace('traced');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.policy(workspace, { servers: { mail: { tools: { read: { effect: 'read' } } } } });
  const [traceId, parent] = ['c'.repeat(32), 'd'.repeat(16)];
  const response = await fetch(`${origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await installation.key(workspace)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      traceparent: `00-${traceId}-${parent}-01`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: {} } }),
  });
  expect(await response.text()).toContain('Nothing new');
  const span = await eventually(() => {
    const found = received.find(({ name }) => name === 'tools/call read');
    expect(found).toBeDefined();
    return found as ReceivedSpan;
  });
  expect(span).toMatchObject({ traceId, parentSpanId: parent });
  const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]));
  expect(attributes).toMatchObject({ 'sallyport.server': 'mail', 'sallyport.outcome': 'allow' });
});

test('the API is a peer, so that the gateway has the one that the SDK has', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { dependencies, peerDependencies } = JSON.parse(text);
  expect(peerDependencies).toEqual({ '@opentelemetry/api': '>=1.3.0 <2' });
  expect(dependencies).not.toHaveProperty('@opentelemetry/api');
});
