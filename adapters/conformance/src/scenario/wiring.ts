import assert from 'node:assert/strict';
import { READ, type Scenario } from './scenario.ts';

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
