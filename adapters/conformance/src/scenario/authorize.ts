import assert from 'node:assert/strict';
import { contentOf, READ, type Scenario } from './scenario.ts';

const TO = 'zoe@far.example';
const answer = () => ({ type: 'text', text: `From ${TO}: is lunch on Friday all right?` }) as const;
const SEND = { calls: [{ name: 'send_mail', arguments: { to: TO, body: 'Yes.' } }] };
const ANSWER = { tools: ['send_mail'], people: [], values: [], delegates: [] };

/** What the agent's own model says about the user's words. */
export const authorize: readonly Scenario[] = [
  {
    id: 'authorize',
    title: "the agent's own model says what a message of the user authorizes, once, without tools and without content",
    async play(stage) {
      const said = 'Friday is fine with me, she should hear about it.';
      stage.script(READ, SEND);
      await (await stage.start({ answer })).say(said);
      assert.equal(stage.runsOf('send_mail'), 0, 'the built-in words do not know this request');
      const before = stage.model.requests.length;
      stage.script({ text: JSON.stringify(ANSWER) }, READ, SEND);
      await (await stage.start({ answer, authorize: true })).say(said);
      assert.equal(stage.runsOf('send_mail'), 1);
      assert.equal(stage.model.requests.length - before, 4, 'one request for the message, three for the agent');
      const { body, bytes, results } = stage.request(before);
      assert.equal((body.tools as readonly unknown[] | undefined)?.length ?? 0, 0);
      assert.deepEqual(results, []);
      assert.ok(bytes.includes('she should hear') && !bytes.includes(TO));
      assert.ok(contentOf(stage.resultsOf(-1)[0]) !== undefined);
    },
  },
];
