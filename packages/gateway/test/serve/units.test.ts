import { spanClassifier } from '@sallyport/classifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUnits } from '../../../../tools/bench/units.mjs';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const LENGTH = 100_000;
/** Milliseconds. What grows faster than its length takes minutes for this much. */
const LIMIT = 20_000;
const units = Object.entries(readUnits().units);

let installation: Installation;
let replica: Replica;
let upstream: Local;
let key: string;

beforeAll(async () => {
  installation = await Installation.make();
  upstream = await serve(async (request, response) => {
    const { id, method, params } = JSON.parse(await bodyOf(request));
    const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
    const text = String(params?.arguments?.unit ?? '')
      .repeat(LENGTH / 10)
      .slice(0, LENGTH);
    json(response, {
      jsonrpc: '2.0',
      id,
      result: method === 'tools/list' ? { tools } : { content: [{ type: 'text', text }] },
    });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: upstream.origin }, classifier: spanClassifier });
  const workspace = await installation.workspace('team');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${upstream.origin}/mcp` });
  await installation.policy(workspace, { askTimeout: 1, servers: { mail: { tools: { read: { effect: 'read' } } } } });
  key = await installation.key(workspace);
});

afterAll(async () => {
  await installation?.drop();
  await upstream?.close();
});

async function call(given: Record<string, unknown>, conversation: string): Promise<string> {
  const response = await fetch(`${replica.origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'sallyport-conversation': conversation,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: given } }),
  });
  return response.text();
}

test.each(units)('%s, over and over, in a result and in an argument, holds nobody up', async (name, unit) => {
  const begun = performance.now();
  const shown = await call({ unit }, name);
  // Framed or withheld, never as it is.
  expect(shown).toMatch(/untrusted_content_|"error"/);
  await call({ unit: '', long: unit.repeat(LENGTH / 10).slice(0, LENGTH) }, name);
  expect(performance.now() - begun).toBeLessThan(LIMIT);
});
