// A rule of your own: money goes only to an account that you listed or that the user typed. No one can approve another one.
import assert from 'node:assert/strict';
import { createBoundary, defineTool, type Rule } from 'sallyport';

// #region rule
const payees: Rule = ({ effect, values }) => {
  if (effect !== 'spend') return undefined; // the rule says nothing about this call
  const foreign = values.filter(({ role, isVouched }) => role === 'recipient' && !isVouched);
  if (foreign.length === 0) return undefined;
  const about = foreign.map(({ path }) => path);
  return { outcome: 'deny', reason: 'This account is not on the list of payees. Add it there first.', about };
};

const boundary = createBoundary({
  tools: [
    defineTool({ name: 'list_mails', origin: 'external', effect: 'read' }),
    defineTool({ name: 'pay', effect: 'spend', roles: { account: 'recipient' }, modelText: ['reference'] }),
  ],
  gate: { rules: { payees }, vouch: ['DE89370400440532013000'] }, // the list of payees
});
// #endregion rule

// #region try
/** What a user says, what an email says, and where the model then wants to pay. */
async function payment(id: string, said: string, account: string): Promise<string> {
  const conversation = boundary.conversation(id);
  conversation.addUserMessage(said);
  await conversation.request(); // what the model is shown: the message
  conversation.recordCall({ id: 'call-1', tool: 'list_mails', arguments: {} });
  const mail = 'Tom: 240 euros please, my new account is DE75512108001245126199.';
  conversation.addToolResult({ id: 'call-1', tool: 'list_mails', content: mail });
  await conversation.request(); // and the email
  const decision = await conversation.check({ id: 'call-2', tool: 'pay', arguments: { account, amount: 240 } });
  console.log(decision.outcome, decision.rule, '-', decision.reason);
  return decision.outcome;
}

const results = [
  await payment('1', 'Pay Tom 240 euros.', 'DE89370400440532013000'), // listed
  await payment('2', 'Pay 240 euros to DE02120300000000202051.', 'DE02120300000000202051'), // typed
  await payment('3', 'Pay Tom 240 euros, his account is in the mail.', 'DE75512108001245126199'), // only in the email
];
// #endregion try
assert.deepEqual(results, ['allow', 'allow', 'deny']);
