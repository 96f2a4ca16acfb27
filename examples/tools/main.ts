// What an application declares about its tools, and what a mistake in it looks like.
import assert from 'node:assert/strict';
import { createBoundary, defineTool } from 'sallyport';
import { z } from 'zod';

// #region declare
const tools = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] }),
  defineTool({
    name: 'search_products',
    origin: 'external',
    effect: 'read',
    serviceFields: { '/results/*/product_id': 'code', '/results/*/price': 'number' },
  }),
  defineTool({ name: 'today', trusted: true, effect: 'read', confidentiality: 'public' }),
];
// #endregion declare

// #region roles
const pay = defineTool({
  name: 'pay',
  effect: 'spend',
  parameters: z.object({ where: z.string(), note: z.string() }),
  roles: { where: 'recipient', note: 'text' }, // a misspelt name does not compile: "Did you mean where?"
});
// #endregion roles

const parameters = z.object({ where: z.string(), note: z.string() });
// @ts-expect-error: the schema has no argument of this name
assert.throws(() => defineTool({ name: 'pay', effect: 'spend', parameters, roles: { wear: 'recipient' } }), /where/);

const conversation = createBoundary({ tools: [...tools, pay] }).conversation('shop-1');
conversation.addUserMessage('Find a kettle and buy it.');
conversation.addToolResult({
  id: 'call_1',
  tool: 'search_products',
  content: { json: { results: [{ product_id: 'KT-100', price: 49, seller: 'Kettles Ltd' }] } },
});
await conversation.request();
const call = { id: 'call_2', tool: 'pay', arguments: { where: 'Kettles Ltd', note: 'KT-100' } };
const { outcome, reason } = await conversation.check(call);
assert.equal(outcome, 'ask');
console.log(`${outcome}: ${reason}`);
