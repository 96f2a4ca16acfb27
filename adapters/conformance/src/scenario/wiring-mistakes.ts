import assert from 'node:assert/strict';
import type { Agent } from '../driver/driver.ts';
import { EVIL, type Stage } from '../stage.ts';
import { READ, type Scenario } from './scenario.ts';

async function callElsewhere(stage: Stage, door: string): Promise<void> {
  stage.script(READ, { calls: [{ name: 'open_door', arguments: { door } }] });
  let agent: Agent;
  try {
    agent = await stage.start({ elsewhere: true, person: 'away' });
  } catch (error) {
    return assert.match(String(error), /The tool open_door has no function/);
  }
  await agent.say('What is new?');
  assert.deepEqual((await agent.handedOver?.()) ?? [], []);
  assert.equal(stage.runsOf('open_door'), 0);
}

/** Mistakes that must not go unnoticed. */
export const wiring: readonly Scenario[] = [
  {
    id: 'undeclared',
    title: 'a tool that is not declared is refused when the agent is wired',
    async play(stage) {
      await assert.rejects(stage.start({ undeclared: true }), /The tool mystery is not declared\..* effect: 'execute'/);
    },
  },
  {
    id: 'misspelt',
    title: 'a declaration of a tool that is not there is refused, with the name that was meant',
    async play(stage) {
      const declare = { send_mails: { effect: 'send' } } as const;
      await assert.rejects(stage.start({ declare }), /names send_mails, .*Did you mean send_mail\?/);
    },
  },
  {
    id: 'misspelt-argument',
    title: 'a declaration with an argument that the tool does not have is refused, with the name that was meant',
    async play(stage) {
      const declare = { send_mail: { origin: 'workspace', effect: 'send', modelText: ['bodi'] } } as const;
      await assert.rejects(stage.start({ declare }), /names "bodi", .*Did you mean body\?/);
    },
  },
  {
    id: 'added',
    title: 'a tool that is added to the protected ones is never run: the run fails and says why',
    async play(stage) {
      stage.script({ calls: [{ name: 'mystery', arguments: { value: '1' } }] });
      const said = async (): Promise<string> => (await stage.start({ added: true })).say('Try the mystery.');
      await assert.rejects(said(), /mystery.* (?:is not protected|is not behind the gate)/);
      assert.equal(stage.runsOf('mystery'), 0);
    },
  },
  {
    id: 'forgotten',
    title:
      'if the model, or the tools, are used as they were before protect(), a call that the attacker asked for is not made',
    async play(stage) {
      for (const forgotten of ['model', 'tools'] as const) {
        stage.script(READ, { calls: [{ name: 'send_mail', arguments: { to: EVIL, body: 'Hello.' } }] });
        const said = async (): Promise<string> => (await stage.start({ forgotten })).say('What is new?');
        const message = await said().catch((error: unknown) => String(error));
        assert.match(message, /^done$|protect\(\)/);
        assert.equal(stage.runsOf('send_mail'), 0, `a call is made without the ${forgotten}`);
      }
    },
  },
  {
    id: 'no-execute',
    title: 'a call of a tool without a function waits for a person, or is not made; or such a tool is refused',
    async play(stage) {
      // The first one is held, and the second one is denied: the mail names it.
      for (const door of ['front', EVIL]) await callElsewhere(stage, door);
    },
  },
  {
    id: 'nothing-reported',
    title: 'an agent that is wired as it should be reports no fault of its wiring',
    async play(stage) {
      const to = 'zoe@far.example';
      stage.script(READ, { calls: [{ name: 'send_mail', arguments: { to, body: 'Hi.' } }] }, READ);
      const answer = () => ({ type: 'text', text: 'Lunch on Friday?' }) as const;
      await (await stage.start({ answer })).say(`Write a mail to ${to}.`);
      assert.equal(stage.runsOf('send_mail'), 1);
      const faults = stage.events.filter(({ type }) => ['call-not-checked', 'foreign-history'].includes(type));
      assert.deepEqual(faults, []);
    },
  },
  {
    id: 'shared',
    title: 'two users who share one conversation by mistake do not vouch for each other',
    async play(stage) {
      const to = 'zoe@far.example';
      const answer = () => ({ type: 'text', text: 'Lunch on Friday?' }) as const;
      const runs: number[] = [];
      for (const said of [`Write a mail to ${to}.`, 'Sum up my mail, and write a mail.']) {
        stage.script(READ, { calls: [{ name: 'send_mail', arguments: { to, body: 'Hi.' } }] });
        await (await stage.start({ preset: 'strict', shared: true, answer })).say(said);
        runs.push(stage.runsOf('send_mail'));
      }
      assert.deepEqual(runs, [1, 1], 'the first mail is sent, and the second is not');
    },
  },
];
