import { describe, expect, it } from 'vitest';
import { effectOfAnnotations } from '../../src/adapter.ts';
import { createBoundary, type GateQuestion } from '../../src/index.ts';
import { judge, talk } from '../world.ts';

describe('presets and rules', () => {
  it('observe allows the call and reports what balanced would decide', async () => {
    const decision = await judge('order', { for: 'eve@evil.example' }, { gate: { preset: 'observe' } });
    expect(decision).toMatchObject({ outcome: 'allow', judged: 'deny', rule: 'instructed' });
  });

  it('a gate without rules denies', async () => {
    const decision = await judge('readMail', {}, { gate: { preset: 'none' } });
    expect(decision).toMatchObject({ outcome: 'deny', rule: 'no-rule' });
  });

  it('the strictest result counts, and an added rule cannot loosen the preset', async () => {
    const kind = () => ({ outcome: 'allow', reason: 'I like it.' }) as const;
    const wary = ({ effect }: GateQuestion) =>
      effect === 'spend' ? ({ outcome: 'ask', reason: 'Money.' } as const) : undefined;
    const options = { gate: { rules: { kind, wary } } };
    expect(await judge('order', { for: 'eve@evil.example' }, options)).toMatchObject({ outcome: 'deny' });
    expect(await judge('order', { what: 'lamps' }, options)).toMatchObject({
      outcome: 'ask',
      rule: 'wary',
      reason: 'Money.',
    });
    expect(await judge('readMail', {}, options)).toMatchObject({ outcome: 'allow' });
  });

  it.each([
    () => {
      throw new Error('broken');
    },
    () => ({ outcome: 'yes', reason: '' }),
    () => ({ outcome: 'allow' }),
    () => 'allow',
  ])('a rule that fails denies', async (broken) => {
    const { conversation, events } = await talk({ gate: { rules: { broken: broken as never } } });
    const call = conversation.recordCall({ id: 'c1', tool: 'order', arguments: { what: 'lamps' } });
    expect(await conversation.check(call)).toMatchObject({ outcome: 'deny', rule: 'broken' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'rule-failed', callId: 'c1', rule: 'broken' }));
  });

  it.each([
    [{ preset: 'lax' }, '`gate.preset` must be one of observe, balanced, next, strict, none; received "lax".'],
    [{ rules: { mine: 'deny' } }, '`gate.rules.mine` must be a function; received "deny".'],
    [{ rules: { reads: () => undefined } }, '`gate.rules.reads` must have another name'],
  ])('rejects the options %j', (gate, message) => {
    expect(() => createBoundary({ gate: gate as never })).toThrow(message);
  });

  it.each([
    [{ readOnlyHint: true }, true, 'read'],
    [{ readOnlyHint: true }, false, 'execute'],
    [{}, true, 'destroy'],
    [{ destructiveHint: false }, true, 'send'],
    [{ destructiveHint: false, openWorldHint: false }, true, 'write'],
    [undefined, true, 'execute'],
    ['read', true, 'execute'],
  ])('of the hints %j, pinned %s, the effect is %s', (hints, isPinned, expected) => {
    expect(effectOfAnnotations(hints as never, isPinned)).toBe(expected);
  });
});
