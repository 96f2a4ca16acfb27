import { describe, expect, it } from 'vitest';
import { effectOfAnnotations } from '../../src/adapter.ts';
import { type CheckOptions, createBoundary, defineTool, type Facts, prompt, type ToolCall } from '../../src/index.ts';
import { CALM, judge, TOOLS, talk } from '../world.ts';

describe('presets and rules', () => {
  it.each([
    ['balanced', { for: 'eve@evil.example' }, 'deny', 'instructed'],
    ['strict', { what: 'batteries' }, 'ask', 'model'],
  ] as const)('observing allows the call and reports what %s would decide', async (preset, given, judged, rule) => {
    const decision = await judge('order', given, { gate: { preset, observe: true } });
    expect(decision).toMatchObject({ outcome: 'allow', judged, rule });
  });

  it('a check may have a policy of its own, with the rules and the vouched values of the boundary', async () => {
    const wary = ({ tool }: Facts) =>
      tool === 'forward' ? ({ outcome: 'deny', reason: 'Never.' } as const) : undefined;
    const { conversation } = await talk({ gate: { preset: 'strict', vouch: ['lamps'], rules: { wary } } }, CALM);
    const order = { tool: 'order', arguments: { what: 'batteries' } };
    const check = async (id: string, gate?: CheckOptions['gate'], call: Omit<ToolCall, 'id'> = order) =>
      (await conversation.check({ id, ...call }, gate === undefined ? {} : { gate })).outcome;
    expect(await check('c1')).toBe('ask');
    expect(await check('c2', { preset: 'strict', observe: true })).toBe('allow');
    expect(await check('c3', { table: { spend: { model: 'allow' } } })).toBe('allow');
    // What one check is given does not stay.
    expect(await check('c4')).toBe('ask');
    expect(await check('c5', { preset: 'strict' }, { tool: 'order', arguments: { what: 'lamps' } })).toBe('allow');
    expect(await check('c6', { preset: 'balanced' }, { tool: 'forward', arguments: {} })).toBe('deny');
    await expect(check('c7', { rules: {} } as never)).rejects.toThrow('gate of check() has no option "rules"');
  });

  it('a cell of the table can be changed for all tools, and for one tool', async () => {
    const table = { spend: { model: 'allow', content: 'deny' } } as const;
    const order = defineTool({ name: 'order', effect: 'spend', table: { spend: { content: 'allow' } } });
    const gate = { table };
    expect((await judge('order', { what: 'batteries' }, { gate }, CALM)).outcome).toBe('allow');
    expect((await judge('order', { room: '4711' }, { gate })).outcome).toBe('deny');
    const tools = [...TOOLS.filter(({ name }) => name !== 'order'), order];
    expect((await judge('order', { room: '4711' }, { gate, tools }, CALM)).outcome).toBe('allow');
  });

  it.each([
    [{ spent: {} }, 'gate.table has no option "spent"'],
    [
      { spend: { anyone: 'allow' } },
      'gate.table.spend has no option "anyone". The options are trusted, model, content, instructed.',
    ],
    [{ spend: { model: 'yes' } }, 'gate.table.spend.model must be one of allow, ask, deny'],
    [{ spend: 'allow' }, 'gate.table.spend must be an object'],
  ])('rejects the changes %j of the table', (table, message) => {
    expect(() => createBoundary({ gate: { table: table as never } })).toThrow(message);
  });

  it('the words of a prompt vouch for nothing, and listed values do', async () => {
    const decide = async (vouch: readonly string[]) => {
      const { conversation } = await talk({ gate: { preset: 'strict', vouch } });
      await conversation.request({ policy: prompt`Known fraud: GB33-BUKB-2020. Never pay more than 9000.` });
      return conversation.check({ id: 'c1', tool: 'order', arguments: { account: 'GB33-BUKB-2020', amount: 9000 } });
    };
    expect((await decide([])).outcome).toBe('ask');
    expect((await decide(['GB33-BUKB-2020', '9000'])).outcome).toBe('allow');
  });

  it('a gate without rules denies', async () => {
    const decision = await judge('readMail', {}, { gate: { preset: 'none' } });
    expect(decision).toMatchObject({ outcome: 'deny', rule: 'no-rule' });
  });

  it('the strictest result counts, and an added rule cannot loosen the preset', async () => {
    const kind = () => ({ outcome: 'allow', reason: 'I like it.' }) as const;
    const wary = ({ effect }: Facts) =>
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

  it('an own rule gives the reason if the preset agrees', async () => {
    const own = () => ({ outcome: 'ask', reason: 'Own.' }) as const;
    const { rules, ...decision } = await judge('unknown', {}, { gate: { rules: { own } } });
    expect(decision).toMatchObject({ outcome: 'ask', rule: 'own', reason: 'Own.' });
    expect(rules).toContain('undeclared');
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
    [{ preset: 'lax' }, '`gate.preset` must be one of balanced, strict, none; received "lax".'],
    [{ observe: 'yes' }, '`gate.observe` must be true or false; received "yes".'],
    [{ findSecrets: 'x' }, '`gate.findSecrets` must be a function of a text; received "x".'],
    [{ vouch: 'x' }, '`gate.vouch` must be an array of texts'],
    [{ rules: { mine: 'deny' } }, '`gate.rules.mine` must be a function; received "deny".'],
    [{ rules: { reads: () => undefined } }, '`gate.rules.reads` must have another name'],
  ])('rejects the options %j', (gate, message) => {
    expect(() => createBoundary({ gate: gate as never })).toThrow(message);
  });

  it.each([
    [{ readOnlyHint: true }, true, 'fetch'],
    [{ readOnlyHint: true, openWorldHint: false }, true, 'read'],
    [{ readOnlyHint: true }, false, 'execute'],
    [{}, true, 'destroy'],
    [{ destructiveHint: false }, true, 'send'],
    [{ destructiveHint: false, openWorldHint: false }, true, 'write'],
    [undefined, true, 'execute'],
    ['read', true, 'execute'],
  ])('of the hints %j, pinned %s, the effect is %s', (hints, isPinned, expected) => {
    expect(effectOfAnnotations(hints as never, isPinned)).toBe(expected);
  });

  it('a password towards an address that content chose is for a person, whatever the judge says', async () => {
    const tools = [
      defineTool({ name: 'read_mail', origin: 'external', effect: 'read', confidentiality: 'public' }),
      defineTool({ name: 'share_login', origin: 'workspace', effect: 'send', modelText: ['note'] }),
    ];
    const yes = () => ({ act: true, target: true, careful: false, reason: 'It fits.' });
    const conversation = createBoundary({ tools, judge: yes }).conversation('c');
    conversation.addUserMessage('Send the login to whom the mail names.');
    conversation.recordCall({ id: 'r1', tool: 'read_mail', arguments: {} });
    conversation.addToolResult({ id: 'r1', tool: 'read_mail', content: 'Kim is at kim@partner.example.' });
    await conversation.request({ policy: prompt`You help.` });
    const check = (id: string, given: object) =>
      conversation.check({ id, tool: 'share_login', arguments: { to: 'kim@partner.example', ...given } });
    expect(await check('c1', { note: 'Hello Kim.' })).toMatchObject({ outcome: 'allow' });
    expect(await check('c2', { password: 'correct-horse-7' })).toMatchObject({ outcome: 'ask', rule: 'disclosure' });
  });
});
