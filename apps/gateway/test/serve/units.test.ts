import { spanClassifier } from '@sallyport/classifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUnits } from '../../../../bench/units.mjs';
import { isLinear, repeated } from '../../../../packages/core/test/fixture/linear.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const LENGTH = 50_000;
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
    const { unit = '', length = 0 } = params?.arguments ?? {};
    const text = repeated(unit, length);
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

test.each(units)(
  '%s, over and over, in a result and in an argument, takes time in proportion to its length',
  async (name, unit) => {
    let count = 0;
    const carry = async (length: number): Promise<void> => {
      const conversation = `${name} ${++count}`;
      const shown = await call({ unit, length }, conversation);
      // Framed or withheld, never unchanged.
      expect(shown).toMatch(/<untrusted |"error"/);
      await call({ unit: '', long: repeated(unit, length) }, conversation);
    };
    expect(await isLinear(LENGTH, carry)).toBe(true);
  },
);
