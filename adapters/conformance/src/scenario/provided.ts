import assert from 'node:assert/strict';
import type { Step } from '@sallyport/testing';
import type { Provided } from '../driver/driver.ts';
import { EVIL, POISON, type Stage } from '../stage.ts';
import type { Scenario } from './scenario.ts';

const ASK = 'Look up the plumber, and write a mail.';
const SEARCH = { type: 'search', input: 'plumber', output: 'https://plumber.example/17' } as const;
const CODE = { type: 'code', input: 'print(open("plumber.txt").read())', output: POISON } as const;

function toMail(to: string): NonNullable<Step['calls']> {
  return [{ name: 'send_mail', arguments: { to, body: 'Hello.' } }];
}

/** How often a mail is sent to an address that was never named, under strict. */
async function mailsUnder(stage: Stage, provided: Provided | undefined, step: Step): Promise<number> {
  const before = stage.runsOf('send_mail');
  stage.script({ ...step, calls: toMail('zoe@far.example') });
  await (await stage.start({ preset: 'strict', ...(provided === undefined ? {} : { provided }) })).say(ASK);
  return stage.runsOf('send_mail') - before;
}

function withCode(stream: boolean): Scenario['play'] {
  return async (stage) => {
    stage.script({ provided: [CODE], calls: toMail(EVIL) });
    const provided = { type: 'code', isDeclared: true } as const;
    await (await stage.start({ provided, stream })).say(ASK);
    assert.equal(stage.runsOf('send_mail'), 0);
    assert.equal(stage.model.requests.length, 2, 'the agent does not continue');
  };
}

/** Tools that the provider runs while it writes an answer. */
export const provided: readonly Scenario[] = [
  {
    id: 'provider-code',
    title: 'a call with a value from a tool that the provider ran in the same answer is not made, streamed or not',
    isProvided: true,
    async play(stage) {
      await withCode(false)(stage);
      stage.model.requests.splice(0);
      await withCode(true)(stage);
    },
  },
  {
    id: 'provider-search',
    title:
      'with a search that the provider runs, shown or not, what the model has read is unknown: strict holds what no one said',
    isProvided: true,
    async play(stage) {
      assert.equal(await mailsUnder(stage, undefined, {}), 1, 'the mail is held without a search');
      assert.equal(await mailsUnder(stage, { type: 'search', isDeclared: true }, { provided: [SEARCH] }), 0);
    },
  },
  {
    id: 'provider-undeclared',
    title: 'a tool of the provider that is only offered is refused, or what the model has read is unknown',
    isProvided: true,
    async play(stage) {
      const offered = mailsUnder(stage, { type: 'search', isDeclared: false }, {});
      const mails = await offered.catch((error: Error) => {
        assert.match(error.message, /The tool web_search is not declared/);
        return 0;
      });
      assert.equal(mails, 0);
    },
  },
];
