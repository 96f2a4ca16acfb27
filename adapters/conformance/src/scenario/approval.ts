import assert from 'node:assert/strict';
import type { ApprovalScope, Settlement } from '@sallyport/core';
import type { PersonAnswer } from '../driver/driver.ts';
import { CONVERSATION, EVIL, type Stage, ZOE } from '../stage.ts';
import { READ, type Scenario } from './scenario.ts';

const ASK = 'What is new?';
const TO_ZOE = { calls: [{ name: 'send_mail', arguments: { to: ZOE, body: 'Hello.' } }] };
const TO_EVIL = { calls: [{ name: 'send_mail', arguments: { to: EVIL, body: 'Hello.' } }] };
// No instruction to the model: a mail to the address is held by a rule, and not denied.
const answer = () => ({ type: 'text', text: `The keys are with Zoe. Please write to ${ZOE}.` }) as const;
const AWAY = { answer, person: 'away' } as const;

/** A person answers in a process of their own, which has only the stores. */
async function settled(stage: Stage, given: Settlement): Promise<void> {
  const page = stage.boundary();
  const waiting = await page.pending({ conversation: CONVERSATION });
  assert.deepEqual(
    waiting.map(({ decision }) => decision.call.tool),
    ['send_mail'],
    'other calls wait',
  );
  assert.ok(await page.settle(String(waiting[0]?.id), given));
  assert.deepEqual(await page.pending({ conversation: CONVERSATION }), []);
}

/**
 * Goes on in a third process: with the paused run, if the framework can pause one, and otherwise with the same message again. After
 * the call the model takes the later steps.
 */
async function goOn(
  stage: Stage,
  paused: unknown,
  given: PersonAnswer,
  ...later: readonly (typeof TO_ZOE)[]
): Promise<string> {
  const agent = await stage.start({ ...AWAY, ...(paused === undefined ? {} : { paused }) });
  stage.script(...(agent.resume === undefined ? [READ, TO_ZOE] : []), ...later);
  return agent.resume === undefined ? agent.say(ASK) : agent.resume(given);
}

async function hold(stage: Stage): Promise<unknown> {
  stage.script(READ, TO_ZOE);
  const agent = await stage.start(AWAY);
  await agent.say(ASK);
  assert.equal(stage.runsOf('send_mail'), 0, 'the call is not held');
  return agent.paused?.();
}

/** Makes the same call after another message of the user, or in another conversation. */
async function callAgain(stage: Stage, said: string, conversation: string): Promise<void> {
  stage.script(READ, TO_ZOE);
  await (await stage.start({ ...AWAY, conversation })).say(said);
}

/** How often the call is made: when the run goes on and makes it twice, after another message, in another conversation. */
const RUNS: Readonly<Record<ApprovalScope, readonly number[]>> = {
  once: [1, 0, 0],
  task: [2, 0, 0],
  conversation: [2, 1, 0],
  always: [2, 1, 1],
};

function approvedFor(scope: ApprovalScope): Scenario['play'] {
  return async (stage) => {
    const paused = await hold(stage);
    await settled(stage, { outcome: 'approve', by: 'ann', scope });
    await goOn(stage, paused, 'approve', TO_ZOE);
    const runs = [stage.runsOf('send_mail')];
    for (const [said, conversation] of [
      ['What else is new?', CONVERSATION],
      [ASK, 'another'],
    ] as const) {
      const before = stage.runsOf('send_mail');
      await callAgain(stage, said, conversation);
      runs.push(stage.runsOf('send_mail') - before);
    }
    assert.deepEqual(runs, RUNS[scope]);
  };
}

/** The run goes on as if the person had answered this. */
function rejected(given: PersonAnswer): Scenario['play'] {
  return async (stage) => {
    const paused = await hold(stage);
    await settled(stage, { outcome: 'reject', by: 'ann' });
    assert.equal(await goOn(stage, paused, given), 'done');
    assert.equal(stage.runsOf('send_mail'), 0);
    const told = stage.resultsOf(-1).at(-1)?.texts.join('') ?? '';
    assert.match(told, /not (?:made|approved|run)|declined|denied|rejected/i);
    assert.deepEqual(await stage.boundary().pending({ conversation: CONVERSATION }), []);
  };
}

/** People who answer in another process than the one that runs the agent. */
export const approval: readonly Scenario[] = [
  {
    id: 'approval-once',
    title: 'a call that is approved once in another process is made once in a third one, and is held again',
    play: approvedFor('once'),
  },
  {
    id: 'approval-task',
    title: 'a call that is approved for the task in another process is made until the next message of the user',
    play: approvedFor('task'),
  },
  {
    id: 'approval-conversation',
    title: 'a call that is approved for the conversation in another process is made in it, and in no other',
    play: approvedFor('conversation'),
  },
  {
    id: 'approval-always',
    title: 'a call that is approved always in another process is made in every conversation of the owner',
    play: approvedFor('always'),
  },
  {
    id: 'override',
    title: 'a denied call that a person overrides in another process is made once',
    async play(stage) {
      for (const runs of [0, 1, 1]) {
        stage.script(READ, TO_EVIL);
        assert.equal(await (await stage.start({ person: 'away' })).say(ASK), 'done');
        assert.equal(stage.runsOf('send_mail'), runs);
        if (runs === 0) await settled(stage, { outcome: 'approve', by: 'ann', acknowledge: true });
      }
    },
  },
  {
    id: 'rejected',
    title: 'a call that is rejected in another process is not made, the model is told, and it is listed no longer',
    play: rejected('decline'),
  },
  {
    id: 'rejected-unheard',
    title: 'a call that is rejected in another process is not made, even if the run is resumed as approved',
    play: rejected('approve'),
  },
];
