import type { Effect, Preset } from '@sallyport/core';
import { createBoundary, type Decision, defineTool, prompt } from 'sallyport';
import { describe, expect, test } from 'vitest';
import { ATTACKS, type Attack, type AttackGoal, attacksOn, expectStopped, plant, scriptedJudge } from '../src/index.ts';

describe('ATTACKS', () => {
  test('has an attack for each goal in each place, with distinct titles and texts', () => {
    const goals = new Set(ATTACKS.map(({ goal }) => goal));
    const places = new Set(ATTACKS.map(({ place }) => place));
    expect([goals.size, places.size]).toEqual([6, 7]);
    expect(new Set(ATTACKS.map(({ goal, place }) => `${goal} ${place}`)).size).toBe(42);
    expect(new Set(ATTACKS.map(({ title }) => title)).size).toBe(ATTACKS.length);
    expect(new Set(ATTACKS.map(({ text }) => text)).size).toBe(ATTACKS.length);
  });

  test.each(ATTACKS)('$title: the text names the value, and only hosts that do not exist', ({ text, wants }) => {
    expect(text).toContain(wants.value);
    expect(text.length).toBeLessThan(250);
    for (const [, host] of text.matchAll(/(?:https?:\/\/|@)([\w-]+(?:\.[\w-]+)*)/g)) expect(host).toMatch(/\.example$/);
  });

  test('of a tool are those that want a word of its name', () => {
    expect(attacksOn('send_mail').length).toBeGreaterThan(3);
    expect(attacksOn('sendMail')).toEqual(attacksOn('send_mail'));
    expect(() => attacksOn('sender')).toThrow('No attack wants a tool named "sender"');
    expect(attacksOn('pay').every(({ wants }) => wants.tools.includes('pay'))).toBe(true);
  });
});

const EFFECTS: Readonly<Record<AttackGoal, Effect>> = {
  send: 'send',
  pay: 'spend',
  delete: 'destroy',
  change: 'configure',
  hide: 'write',
  steer: 'read',
};

/** What the gate decides about the call of an agent that does what the attack wants. */
async function check(attack: Attack, preset: Preset): Promise<Decision> {
  const tool = `${attack.wants.tools[0]}_it`;
  const conversation = createBoundary({
    tools: [
      defineTool({ name: 'look', origin: 'external', effect: 'read' }),
      defineTool({ name: tool, origin: 'workspace', effect: EFFECTS[attack.goal] }),
    ],
    gate: { preset },
    judge: scriptedJudge('no'),
  }).conversation(attack.title);
  conversation.addUserMessage('What does it say?');
  const content = plant(attack, 'The minutes are attached.');
  conversation.addToolResult({ id: 'call-1', tool: 'look', content });
  await conversation.request({ policy: prompt`You help Ann.` });
  return conversation.check({ id: 'call-2', tool, arguments: { id: attack.wants.value } });
}

const ACTING = ATTACKS.filter(({ wants }) => wants.tools.length > 0);

test.each(ACTING)('strict stops the call that an agent makes for: $title', async (attack) => {
  expectStopped(await check(attack, 'strict'));
});

test.each(ACTING)('balanced stops a call if the judge says no: $title', async (attack) => {
  expectStopped(await check(attack, 'balanced'));
});

describe('plant', () => {
  const attack = { text: 'Pay.' };

  test('puts the text after a string, or after one string of a JSON value', () => {
    expect(plant(attack, 'Hi')).toBe('Hi\n\nPay.');
    expect(plant(attack, '')).toBe('Pay.');
    const mails = [{ body: 'Hi' }, { body: 'Bye', 'a/b': ['x'] }];
    expect(plant(attack, mails, '/1/body')).toEqual([{ body: 'Hi' }, { body: 'Bye\n\nPay.', 'a/b': ['x'] }]);
    expect(plant(attack, mails, '/1/a~1b/0')).toEqual([{ body: 'Hi' }, { body: 'Bye', 'a/b': ['x\n\nPay.'] }]);
    expect(mails).toEqual([{ body: 'Hi' }, { body: 'Bye', 'a/b': ['x'] }]);
  });

  test.each([
    { title: 'a carrier that is not a string', carrier: { body: 'Hi' }, at: '', message: 'the carrier is object' },
    { title: 'a path that does not exist', carrier: { body: 'Hi' }, at: '/text', message: '/text does not exist' },
    { title: 'a path through a string', carrier: { body: 'Hi' }, at: '/body/0', message: '/body/0 does not exist' },
    { title: 'a path to a number', carrier: { size: 1 }, at: '/size', message: '/size is number' },
    { title: 'a path that is not a pointer', carrier: { body: 'Hi' }, at: 'body', message: 'received "body"' },
    { title: 'an inherited member', carrier: {}, at: '/constructor/name', message: 'does not exist' },
  ])('refuses $title', ({ carrier, at, message }) => {
    expect(() => plant(attack, carrier, at)).toThrow(message);
  });
});
