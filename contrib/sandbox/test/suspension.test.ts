import { randomBytes } from 'node:crypto';
import type { Decision } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import { createScripts, restoreSuspension, type Suspension, storeSuspension } from '../src/index.ts';
import { engine, opened, returned } from './stage.ts';
import { TOOLS, talk } from './world.ts';

describe('a script that waits', () => {
  const CODE = `const [mails, time] = await Promise.all([readMail(), readClock()]);
    const first = order({ count: mails[0].text.length * 1000 });
    const other = await llmQuery('x');
    const made = await first;
    await sendMail({ to: 'me@home.example', body: 'done' });
    return [time, other, made, Math.random(), Date.now()];`;

  async function suspended(id = 's') {
    const world = await opened();
    const result = await world.scripts.run({ id, source: CODE });
    return { ...world, suspension: (result as { suspension: Suspension }).suspension };
  }

  it('goes on where it was: nothing that was done is done twice', async () => {
    const { scripts, suspension, done, asked } = await suspended();
    expect(suspension.held.map(({ call, rule }) => [call.tool, rule])).toEqual([['order', 'computed']]);
    expect([done.length, asked.length]).toEqual([0, 1]);
    const result = await scripts.resume(suspension, () => ({ by: 'ann' }));
    expect(returned(result)).toEqual([12, 'an answer', { ok: 'order' }, expect.any(Number), suspension.now]);
    expect(done.map(([name]) => name)).toEqual(['order', 'sendMail']);
    expect(asked).toHaveLength(1);
    expect(result).toMatchObject({ record: { derivation: ['s.0', 's.1', 's.3', 's.2', 's.4'] } });
  });

  it('is told when a person has declined', async () => {
    const { scripts, suspension, done } = await suspended();
    const result = await scripts.resume(suspension, () => undefined);
    expect(result).toMatchObject({ status: 'failed', reason: 'threw' });
    expect(done).toEqual([]);
  });

  it('waits again without an approver, and resumes only once', async () => {
    const { scripts, suspension, conversation, done } = await suspended();
    const again = await scripts.resume(suspension);
    expect(again.status).toBe('suspended');
    await expect(scripts.resume(suspension)).rejects.toMatchObject({ code: 'ERR_INVALID_SUSPENSION' });
    const others = createScripts({ conversation, engine });
    await expect(others.resume(suspension)).rejects.toMatchObject({ code: 'ERR_INVALID_SUSPENSION' });
    const { suspension: second } = again as { suspension: Suspension };
    await conversation.approve(second.held[0] as Decision, { by: 'ann' });
    expect((await scripts.resume(second)).status).toBe('done');
    expect(done).toHaveLength(2);
  });

  it('can be kept, sealed, and goes on in another process with labels that are no better', async () => {
    const key = randomBytes(32);
    const { suspension } = await suspended();
    const text = storeSuspension(suspension, key);
    const { scripts, conversation, done, asked } = await opened();
    const restored = restoreSuspension(text, key, conversation);
    const result = await scripts.resume(restored, () => ({ by: 'ann' }));
    expect(result.status).toBe('done');
    expect([done.length, asked.length]).toEqual([2, 0]);
    expect(result).toMatchObject({ record: { label: { integrity: 'unknown', confidentiality: 'secret' } } });
  });

  it('gives a suspect result after a restart', async () => {
    const key = randomBytes(32);
    const source = `await order({ count: (await readMail()).length * 1000 }); return 'zoe@far.example';`;
    const functions = {
      readMail: { tool: TOOLS.readMail, run: () => 'Lunch on Friday?' },
      order: { tool: TOOLS.order, run: () => 'ok' },
    };
    const run = async (isRestored: boolean): Promise<Decision> => {
      const first = await opened({ functions });
      const { suspension } = (await first.scripts.run({ id: 's', source })) as { suspension: Suspension };
      const { scripts, conversation } = isRestored ? await opened({ functions }) : first;
      const kept = isRestored ? restoreSuspension(storeSuspension(suspension, key), key, conversation) : suspension;
      expect((await scripts.resume(kept, () => ({ by: 'ann' }))).status).toBe('done');
      await conversation.request();
      return conversation.check({ id: 'n', tool: 'sendMail', arguments: { to: 'zoe@far.example', body: 'x' } });
    };
    expect([(await run(false)).rule, (await run(true)).rule]).toEqual(['content', 'content']);
  });

  it('is refused when its text was changed, or belongs elsewhere', async () => {
    const key = randomBytes(32);
    const { suspension, conversation } = await suspended();
    const text = storeSuspension(suspension, key);
    const { boundary } = await talk();
    const refused = { code: 'ERR_INVALID_SUSPENSION' };
    const broken = text.replace('external', 'workspace');
    expect(broken).not.toBe(text);
    expect(() => restoreSuspension(broken, key, conversation)).toThrow(expect.objectContaining(refused));
    expect(() => restoreSuspension(text, randomBytes(32), conversation)).toThrow(expect.objectContaining(refused));
    expect(() => restoreSuspension(text, key, boundary.conversation('d'))).toThrow(expect.objectContaining(refused));
    expect(() => restoreSuspension('', key, conversation)).toThrow(expect.objectContaining(refused));
    expect(() => storeSuspension(suspension, new Uint8Array(8))).toThrow(/32 random bytes/);
  });

  it('ends when it does something else than before', async () => {
    const { scripts, suspension, done } = await suspended();
    const other = { ...suspension, source: CODE.replace("'x'", "'y'") };
    const result = await scripts.resume(other, () => ({ by: 'ann' }));
    expect(result).toMatchObject({ status: 'failed', reason: 'diverged' });
    expect(done).toEqual([]);
    const short = { ...suspension, source: 'return 1' };
    const ended = await scripts.resume(short);
    expect(ended).toMatchObject({
      status: 'failed',
      reason: 'diverged',
      record: { derivation: ['s.0', 's.1', 's.3'] },
    });
  });
});
