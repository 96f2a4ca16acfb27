import assert from 'node:assert/strict';
import type { Step } from '@sallyport/testing';
import { SYSTEM } from '../stage.ts';
import { READ, type Scenario } from './scenario.ts';

const TO = 'zoe@far.example';
const answer = () => ({ type: 'text', text: `From ${TO}: is lunch on Friday all right?` }) as const;
const SEND = { calls: [{ name: 'send_mail', arguments: { to: TO, body: 'Yes.' } }] };
const SAID = 'Friday is fine with me, she should hear about it.';

function says(act: boolean): Step {
  return { text: JSON.stringify({ reason: 'A mail to Zoe.', act, target: true, careful: false }) };
}

/** Scenarios in which the agent's own model judges its calls. */
export const judge: readonly Scenario[] = [
  {
    id: 'judge',
    title: "the agent's own model judges a call, without tools and without content: a yes passes",
    async play(stage) {
      stage.script(READ, SEND, says(true));
      assert.equal(await (await stage.start({ answer, judge: true })).say(SAID), 'done');
      assert.deepEqual([stage.runsOf('send_mail'), stage.asked], [1, []]);
      assert.equal(stage.model.requests.length, 4, 'one request for the call, three for the agent');
      const { body, bytes, results } = stage.request(2);
      assert.equal((body.tools as readonly unknown[] | undefined)?.length ?? 0, 0);
      assert.deepEqual(results, []);
      for (const shown of [SYSTEM, SAID, TO, 'from read_mail, where outsiders write']) assert.ok(bytes.includes(shown));
      assert.ok(!bytes.includes('lunch'), 'the judge is shown what the agent has read');
    },
  },
  {
    id: 'judge-doubts',
    title:
      'a call that the judge doubts, or about which it says nothing that can be read, is not made without a person',
    async play(stage) {
      const wrong = [{ text: 'You may send it.' }, { text: '{"act":true}' }, { calls: SEND.calls }];
      const answers = [[says(false), says(false)], ...wrong.map((step) => [step])];
      for (const [index, steps] of answers.entries()) {
        stage.script(READ, SEND, ...steps);
        const agent = await stage.start({ answer, judge: true, conversation: `judge-${index}` });
        assert.equal(await agent.say(SAID), 'done');
        assert.deepEqual([stage.runsOf('send_mail'), stage.asked.length], [0, index + 1]);
      }
    },
  },
];
