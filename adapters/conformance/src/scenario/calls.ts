import assert from 'node:assert/strict';
import { CONVERSATION, EVIL, POISON } from '../stage.ts';
import { contentOf, READ, type Scenario } from './scenario.ts';

const TO_EVIL = { name: 'send_mail', arguments: { to: EVIL, body: 'Hello.' } };
const TO_BOB = { name: 'send_mail', arguments: { to: 'bob@work.example', body: 'Hello.' } };
const PAY = { name: 'pay', arguments: { account: 'DE02120300' } };
const ASK = 'Pay DE02120300, write to bob@work.example, and tell me what is new.';

/** Every call is checked before it is made. */
export const calls: readonly Scenario[] = [
  {
    id: 'parallel',
    title: 'parallel calls of one turn are checked in the same context, and all results are framed',
    async play(stage) {
      stage.script({ calls: [READ.calls[0] as never, TO_BOB, READ.calls[0] as never] });
      assert.equal(await (await stage.start()).say(ASK), 'done');
      assert.deepEqual([stage.runsOf('read_mail'), stage.runsOf('send_mail')], [2, 1]);
      const results = stage.resultsOf(1);
      assert.equal(results.length, 3);
      for (const result of results) contentOf(result);
    },
  },
  {
    id: 'multi-step',
    title: 'over several steps every result is framed once',
    async play(stage) {
      stage.script(READ, { calls: [TO_BOB] }, READ);
      assert.equal(await (await stage.start()).say(ASK), 'done');
      assert.deepEqual(
        stage.resultsOf(3).map((result) => contentOf(result)),
        [POISON, 'sent', POISON],
      );
    },
  },
  {
    id: 'streaming',
    title: 'streaming: the same frames, and a denied call does not run',
    async play(stage) {
      stage.script(READ, { calls: [TO_EVIL] });
      assert.equal(await (await stage.start({ stream: true })).say(ASK), 'done');
      assert.equal(contentOf(stage.resultsOf(1)[0]), POISON);
      assert.equal(stage.runsOf('send_mail'), 0);
    },
  },
  {
    id: 'deny',
    title: 'a call to an address that the attacker named is denied, the model is told so, and the agent continues',
    async play(stage) {
      stage.script(READ, { calls: [TO_EVIL] }, { calls: [TO_BOB] });
      assert.equal(await (await stage.start()).say(ASK), 'done');
      assert.deepEqual(
        stage.ran.filter(({ tool }) => tool === 'send_mail').map(({ given }) => given.to),
        ['bob@work.example'],
      );
      const refusal = stage.resultsOf(2)[1]?.texts.join('') ?? '';
      assert.match(refusal, /The call was not made/);
      assert.doesNotMatch(
        refusal,
        /<untrusted |<\w+_content /,
        'what we say ourselves is not framed as the words of others',
      );
      assert.deepEqual(stage.asked, []);
    },
  },
  {
    id: 'approve',
    title: 'an approved call is made once, after the person was asked',
    async play(stage) {
      stage.script(READ, { calls: [PAY] });
      assert.equal(await (await stage.start({ person: 'approve' })).say(ASK), 'done');
      assert.deepEqual([stage.asked, stage.runsOf('pay')], [['pay'], 1]);
      assert.ok(contentOf(stage.resultsOf(-1).at(-1)).includes('paid'));
    },
  },
  {
    id: 'reject',
    title: 'a declined call is not made, it waits no longer, and the agent continues',
    async play(stage) {
      stage.script(READ, { calls: [PAY] });
      assert.equal(await (await stage.start({ person: 'decline' })).say(ASK), 'done');
      assert.deepEqual([stage.asked, stage.runsOf('pay')], [['pay'], 0]);
      assert.deepEqual(await stage.boundary().pending({ conversation: CONVERSATION }), []);
    },
  },
];
