// A sub-model and a script without a framework: your own function asks the model, a person approves a value that the script computed.
import assert from 'node:assert/strict';
import { createScripts, createSubModel, quickjsEngine, scriptTool } from '@sallyport/sandbox';
import { createBoundary, defineTool } from 'sallyport';
import { record } from 'sallyport/stages';

// In place of a provider: receives { system, content, schema, signal }, returns a text.
const generate = async ({ content }: { content: string }) =>
  content.includes('from=schema') ? '{"euros": 120}' : 'An invoice.';

// #region ask
const readMail = defineTool({ name: 'read_mail', origin: 'external', effect: 'read' });
const pay = defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' });
const boundary = createBoundary({ tools: [readMail, pay, scriptTool()] });
const conversation = boundary.conversation('chat-1');
conversation.addUserMessage('Pay the invoice of Acme to DE02 1203.');
await conversation.request(); // before the first request every effect is denied

const subModel = createSubModel({ boundary, conversation, generate });
const mail = record({ id: 'mail-1', source: readMail.source, content: 'Invoice of Acme over 120 EUR, to DE02 1203.' });
const answer = await subModel.query('What is this?', { data: [mail] });
const schema = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] };
const { value, record: kept } = await subModel.queryStructured('How much?', schema, { data: [mail] });
console.log(answer.parts, answer.label, value, kept.label); // records: what the conversation is shown
// #endregion ask
assert.deepEqual(value, { euros: 120 });

const paid: unknown[] = [];
// #region approve
const engine = quickjsEngine();
const functions = {
  pay: { tool: pay, description: 'pays: account, amount', run: (given: object) => paid.push(given) },
};
const scripts = createScripts({ conversation, engine, subModel, functions });
const code = `const { euros } = await llmQueryStructured('How much?', { type: 'object' }, { data: [input.mail] });
await pay({ account: 'DE02 1203', amount: euros });
return 'paid';`;
const first = await scripts.run({ id: 'call-1', source: code, input: { mail } });
if (first.status === 'suspended') {
  const [held] = first.suspension.held;
  console.log(held?.reason, held?.evidence); // show it to a person: { by } lets the call pass, undefined declines it
  const second = await scripts.resume(first.suspension, () => ({ by: 'ann' }));
  console.log(second.status, paid);
}
await engine.close();
// #endregion approve
assert.deepEqual(paid, [{ account: 'DE02 1203', amount: 120 }]);
