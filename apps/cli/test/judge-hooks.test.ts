import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HookAnswer } from '../src/hook/event.ts';
import { HookSessions } from '../src/hook/sessions.ts';
import { judgeFor } from '../src/judge/judge-for.ts';
import { JudgeRig, KEY, NO, refuse, reply, YES } from './fixtures/judge-rig.ts';

const rig = new JudgeRig();
let sessions: HookSessions;
let count = 0;

beforeEach(() => {
  sessions = restart();
});

function restart(): HookSessions {
  const environment = { ...rig.folder.environment, ...rig.environment };
  return new HookSessions({ stateFolder: rig.folder.state, environment });
}

const at = { session: 's' };
const MAIL = 'Invoice of May: 120 euros, account DE02120300000000202051. STRANGER-WORDS';

async function read(): Promise<void> {
  await sessions.handle('claude-code', { type: 'prompt', ...at, text: 'Pay the invoice in my mail.' });
  const call = { tool: 'mcp__mail__read_mail', arguments: { number: 1 }, id: 'read' };
  await sessions.handle('claude-code', { type: 'call', ...at, ...call });
  await sessions.handle('claude-code', { type: 'result', ...at, ...call, result: MAIL });
}

function pay(note = 'May'): Promise<HookAnswer> {
  const given = { account: 'DE02120300000000202051', amount: '120', note };
  const call = { tool: 'mcp__bank__pay_invoice', arguments: given, id: `pay-${count++}` };
  return sessions.handle('claude-code', { type: 'call', ...at, ...call });
}

describe('a call in doubt', () => {
  test('without a judge is asked about', async () => {
    await read();
    expect((await pay()).outcome).toBe('ask');
    expect(rig.asked).toEqual([]);
  });

  test('passes if the judge says that it fits, and is asked about with its reason if not', async () => {
    await rig.set('--key-from', 'prompt');
    rig.asked = [];
    rig.respond = reply(() => YES);
    await read();
    expect((await pay()).outcome).toBe('allow');
    rig.respond = reply(() => NO);
    expect(await pay('June')).toMatchObject({
      outcome: 'ask',
      reason: expect.stringContaining('No words ask for it.'),
    });
    const all = JSON.stringify(rig.asked.map(({ body }) => body));
    expect(all).toContain('Pay the invoice in my mail.');
    expect(all).not.toContain('STRANGER-WORDS');
  });

  test.each([
    { title: 'refuses', respond: refuse(401) },
    { title: 'is broken', respond: refuse(500) },
    { title: 'answers in another form', respond: reply(() => ({ act: 'yes' })) },
    { title: 'leads elsewhere', respond: refuse(302, { location: '/yes' }) },
  ])('is asked about if the judge $title', async ({ respond }) => {
    await rig.set();
    rig.respond = respond;
    await read();
    expect(await pay()).toMatchObject({
      outcome: 'ask',
      reason: expect.stringContaining('The judge did not answer'),
    });
  });

  test.each(['{', '{}', '{"type":"client","client":"codex","program":""}'])(
    'is asked about if the set-up is broken: %s',
    async (text) => {
      await rig.set();
      writeFileSync(join(rig.folder.state, 'judge.json'), text);
      await read();
      expect(await pay()).toMatchObject({
        outcome: 'ask',
        reason: expect.stringContaining('The judge did not answer'),
      });
    },
  );

  test('that was held is not judged again when the session is continued in another process', async () => {
    await rig.set();
    rig.respond = reply(() => NO);
    await read();
    await pay();
    rig.asked = [];
    sessions = restart();
    await sessions.handle('claude-code', { type: 'prompt', ...at, text: 'Go on.' });
    expect(rig.asked).toEqual([]);
    await pay('Again.');
    expect(rig.asked.length).toBeGreaterThan(0);
  });

  test('is judged as a person last set it up, in each new session', async () => {
    await rig.set();
    rig.respond = reply(() => YES);
    await read();
    expect((await pay()).outcome).toBe('allow');
    await rig.say(['off']);
    sessions = restart();
    expect((await pay('Again.')).outcome).toBe('ask');
  });
});

describe('judgeFor', () => {
  const question = { messages: ['Do it.'], calledBefore: [], tool: { name: 'send', effect: 'send' } } as const;
  const ask = async (timeout: number, look: 1 | 2 = 1, value = 'x'): Promise<unknown> => {
    const environment = rig.environment;
    const judge = judgeFor({ stateFolder: rig.folder.state, environment, isAsked: () => true, timeout });
    const values = [{ name: 'to', value, from: 'said by the user' }];
    return judge?.ask({ ...question, arguments: values, look }, { signal: new AbortController().signal });
  };

  test('is late for all looks at a call together', async () => {
    await rig.set();
    rig.respond = () => undefined;
    await expect(ask(200)).rejects.toMatchObject({ name: 'TimeoutError' });
    // No time is left for a second look that did not begin with a first.
    rig.respond = reply(() => YES);
    await expect(ask(200, 2)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('sends no secret of the call', async () => {
    await rig.set();
    rig.respond = reply(() => YES);
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    await ask(5000, 1, token);
    const [asked] = rig.asked.slice(-1);
    expect(JSON.stringify(asked?.body)).not.toContain(token);
    expect(asked?.body.messages.at(-1)?.content).toContain('removed]');
  });

  test('is undefined if none is set up', () => {
    const place = { stateFolder: rig.folder.state, environment: { KEY }, isAsked: () => true };
    expect(judgeFor(place)).toBeUndefined();
  });
});
