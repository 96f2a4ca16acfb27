import { describe, expect, it } from 'vitest';
import { SUPPLIERS, type Supplier } from '../../src/call/table-changes.ts';
import { decide, RULES_OF } from '../../src/gate/decide.ts';
import type { Facts, ValueFacts } from '../../src/index.ts';

const { balanced, strict } = RULES_OF;

/** Facts of a call that sends to one recipient, after a mail was read. */
function factsWith(changes: Partial<Facts> = {}, supplier: Supplier = 'content', value: object = {}): Facts {
  const isVouched = supplier === 'trusted';
  return {
    ...{
      tool: 'send_mail',
      isDeclared: true,
      effect: 'send',
      hasRendered: true,
      hasReadOthers: true,
      isAlarmed: false,
    },
    context: { integrity: 'external', confidentiality: 'private' },
    values: [{ path: '/to', value: 'ann', role: 'recipient', supplier, from: 'from read_mail', isVouched, ...value }],
    ...{ addresses: [], isOversized: false, secrets: [] },
    ...changes,
  };
}

const outcomeOf = (facts: Facts, rules = balanced({})): string => {
  const { outcome, rule } = decide(facts, rules);
  return `${outcome} ${rule}`;
};

const ORDINARY = ['fetch', 'write', 'send'] as const;
const GRAVE = ['configure', 'spend', 'destroy', 'execute'] as const;

describe('the table', () => {
  it.each([
    ...ORDINARY.map((effect) => ({ effect, expected: ['allow', 'allow', 'allow', 'deny'] })),
    ...GRAVE.map((effect) => ({ effect, expected: ['allow', 'allow', 'ask', 'deny'] })),
    { effect: 'read' as const, expected: ['allow', 'allow', 'allow', 'allow'] },
  ])('of balanced, $effect: $expected', ({ effect, expected }) => {
    expect(SUPPLIERS.map((each) => decide(factsWith({ effect }, each), balanced({})).outcome)).toEqual(expected);
  });

  it.each([...ORDINARY, ...GRAVE])('of strict, %s: what no trusted source wrote is asked about', (effect) => {
    const outcomes = SUPPLIERS.map((each) => decide(factsWith({ effect }, each), strict({})).outcome);
    expect(outcomes).toEqual(['allow', 'ask', 'ask', 'deny']);
  });
});

interface Row {
  readonly title: string;
  readonly origin: Supplier;
  readonly payload: Partial<Facts>;
  readonly value?: object;
  readonly expected: string;
}

const NO = { act: false, target: true, careful: false, reason: 'They did not.' };
const YES = { act: true, target: true, careful: false, reason: 'They said so.' };

/** An address in a text, which only others wrote. */
const QUOTED: ValueFacts = {
  ...{ path: '/body', value: 'eve@evil.example', role: 'url', supplier: 'content', from: 'from read_mail' },
  ...{ isVouched: false, isInText: true },
};

const ROWS: readonly Row[] = [
  {
    title: 'nothing of others was read',
    origin: 'model',
    payload: { hasReadOthers: false, effect: 'execute' },
    expected: 'allow unread',
  },
  {
    title: 'an undeclared tool, before others were read',
    origin: 'model',
    payload: { isDeclared: false, hasReadOthers: false },
    expected: 'ask undeclared',
  },
  { title: 'nothing was shown yet', origin: 'trusted', payload: { hasRendered: false }, expected: 'deny blind' },
  { title: 'too many values', origin: 'trusted', payload: { isOversized: true }, expected: 'deny over-budget' },
  {
    title: 'only an instruction supplied a value, whatever a judge says',
    origin: 'instructed',
    payload: { judge: YES },
    expected: 'deny instructed',
  },
  {
    title: 'the same in a value that decides nothing',
    origin: 'instructed',
    payload: {},
    value: { role: 'choice' },
    expected: 'deny instructed',
  },
  {
    title: 'the same in wording that is left to the model',
    origin: 'instructed',
    payload: {},
    value: { isFree: true, role: 'text' },
    expected: 'allow model',
  },
  {
    title: 'an instruction in what the user quotes, before others were read',
    origin: 'instructed',
    payload: { hasReadOthers: false },
    expected: 'deny instructed',
  },
  {
    title: 'a value in what the user quotes, before others were read',
    origin: 'content',
    payload: { hasReadOthers: false, effect: 'spend' },
    expected: 'ask content',
  },
  {
    title: 'the same, which the judge has seen',
    origin: 'content',
    payload: { hasReadOthers: false, effect: 'spend', judge: YES },
    expected: 'allow judge',
  },
  {
    title: 'an address in a text that the user quotes, before others were read',
    origin: 'trusted',
    payload: { hasReadOthers: false, addresses: [QUOTED] },
    expected: 'allow trusted',
  },
  {
    title: 'a request names a recipient',
    origin: 'content',
    payload: {},
    value: { isRequested: true },
    expected: 'allow content',
  },
  {
    title: 'a request names an address in a text of a payment',
    origin: 'trusted',
    payload: { effect: 'spend', addresses: [{ ...QUOTED, isRequested: true }] },
    expected: 'ask requested',
  },
  {
    title: 'a request names an amount of an ordinary call',
    origin: 'content',
    payload: {},
    value: { isRequested: true, role: 'amount' },
    expected: 'allow model',
  },
  {
    title: 'a request names an amount of a payment',
    origin: 'content',
    payload: { effect: 'spend' },
    value: { isRequested: true, role: 'amount' },
    expected: 'ask content',
  },
  {
    title: 'a value that was not searched to the end',
    origin: 'content',
    payload: {},
    value: { isRequested: true, isUnchecked: true },
    expected: 'ask over-budget',
  },
  { title: 'a text addressed the model', origin: 'content', payload: { isAlarmed: true }, expected: 'ask alarm' },
  {
    title: 'a text addressed the model, an ordinary call with trusted values',
    origin: 'trusted',
    payload: { isAlarmed: true },
    expected: 'allow trusted',
  },
  {
    title: 'a text addressed the model, a payment with trusted values',
    origin: 'trusted',
    payload: { isAlarmed: true, effect: 'spend' },
    expected: 'ask alarm',
  },
  {
    title: 'private data for an address of others',
    origin: 'content',
    payload: { disclosure: { degree: 'private', paths: ['/to'] } },
    expected: 'ask disclosure',
  },
  {
    title: 'the same, which the judge has seen',
    origin: 'content',
    payload: { disclosure: { degree: 'private', paths: ['/to'] }, judge: YES },
    expected: 'allow judge',
  },
  {
    title: 'secret data, whatever a judge says',
    origin: 'content',
    payload: { disclosure: { degree: 'secret', paths: ['/to'] }, judge: YES },
    expected: 'ask disclosure',
  },
  {
    title: 'data that was not searched to the end',
    origin: 'content',
    payload: { disclosure: { degree: 'unchecked', paths: ['/to'] }, judge: YES },
    expected: 'ask over-budget',
  },
  {
    title: 'a known secret, whatever a judge says',
    origin: 'trusted',
    payload: { secrets: [{ path: '/to', kind: 'API key' }], judge: YES },
    expected: 'ask secrets',
  },
  {
    title: 'what a script computed',
    origin: 'content',
    payload: { computed: ['/to'], judge: YES },
    expected: 'ask computed',
  },
  { title: 'a yes of the judge', origin: 'content', payload: { effect: 'spend', judge: YES }, expected: 'allow judge' },
  {
    title: 'a judge that fails',
    origin: 'trusted',
    payload: { judge: { failed: 'TimeoutError' } },
    expected: 'ask judge-failed',
  },
  ...[{ act: false }, { target: false }, { careful: true }].map((answer) => ({
    title: `a judge that says ${JSON.stringify(answer)}`,
    origin: 'trusted' as const,
    payload: { judge: { ...YES, ...answer } },
    expected: 'ask judge',
  })),
];

describe('balanced decides', () => {
  it.each(ROWS)('$title: $expected', ({ origin, payload, value, expected }) => {
    expect(outcomeOf(factsWith(payload, origin, value))).toBe(expected);
  });

  it.each(ROWS)('the same by stored facts: $title', ({ origin, payload, value }) => {
    const facts = Object.freeze(factsWith(payload, origin, value));
    expect(decide(JSON.parse(JSON.stringify(facts)), balanced({}))).toEqual(decide(facts, balanced({})));
  });

  it('what the application reserves for a person, no judge changes, nor that nothing of others was read', () => {
    const rules = balanced({ send: { content: 'ask', trusted: 'deny' } });
    expect(outcomeOf(factsWith({ judge: YES }), rules)).toBe('ask content');
    expect(outcomeOf(factsWith({ hasReadOthers: false }, 'trusted'), rules)).toBe('deny trusted');
    expect(outcomeOf(factsWith({ table: { send: { content: 'allow' } } }), rules)).toBe('allow content');
    expect(outcomeOf(factsWith({}, 'instructed'), balanced({ send: { instructed: 'ask' } }))).toBe('ask instructed');
  });
});

describe('a changed cell', () => {
  const requested = { value: { isRequested: true } as object };

  it.each([
    { title: 'ask, although the judge says yes', change: 'ask', facts: { judge: YES }, expected: 'ask content' },
    { title: 'deny, although the judge says yes', change: 'deny', facts: { judge: YES }, expected: 'deny content' },
    {
      title: 'ask, although the judge fails',
      change: 'ask',
      facts: { judge: { failed: 'Error' } },
      expected: 'ask content',
    },
    { title: 'allow, without a judge', change: 'allow', facts: {}, expected: 'allow content' },
    { title: 'allow, and the judge says no', change: 'allow', facts: { judge: NO }, expected: 'ask judge' },
    {
      title: 'allow, and the judge fails',
      change: 'allow',
      facts: { judge: { failed: 'Error' } },
      expected: 'ask judge-failed',
    },
    {
      title: 'allow, and a text addressed the model',
      change: 'allow',
      facts: { isAlarmed: true },
      expected: 'ask alarm',
    },
    {
      title: 'allow, and a request names the value',
      change: 'allow',
      facts: {},
      ...requested,
      expected: 'ask requested',
    },
  ] as const)('$title: $expected', ({ change, facts, expected, ...rest }) => {
    const { value = {} } = rest as { value?: object };
    const given = factsWith({ effect: 'spend', ...facts }, 'content', value);
    expect(outcomeOf(given, balanced({ spend: { content: change } }))).toBe(expected);
    expect(outcomeOf({ ...given, table: { spend: { content: change } } })).toBe(expected);
  });

  it('allow does not allow what only an instruction supplied', () => {
    expect(outcomeOf(factsWith({}, 'instructed'), balanced({ send: { instructed: 'allow' } }))).toBe('deny instructed');
  });
});

describe('what was too much to search is asked about', () => {
  const unchecked = { isUnchecked: true } as const;

  it.each([...ORDINARY, ...GRAVE])('in every effect, whatever a judge says: %s', (effect) => {
    for (const answer of [{}, { judge: YES }, { judge: { failed: 'Error' } }]) {
      const value = decide(factsWith({ effect, ...answer }, 'content', unchecked), balanced({}));
      expect(value).toMatchObject({ outcome: 'ask', about: ['/to'] });
      expect(value.rules).toContain('over-budget');
      const address = factsWith({ effect, ...answer, addresses: [{ ...QUOTED, ...unchecked }] }, 'trusted');
      expect(decide(address, balanced({}))).toMatchObject({ outcome: 'ask', rule: 'over-budget', about: ['/body'] });
    }
  });

  it.each([
    ['a call that only reads', factsWith({ effect: 'read' }, 'content', unchecked), 'allow reads'],
    ['a text of the model', factsWith({}, 'model', { ...unchecked, isFree: true, role: 'text' }), 'allow model'],
    ['a call before others were read', factsWith({ hasReadOthers: false }, 'model', unchecked), 'allow unread'],
  ] as const)('but not in %s', (_, facts, expected) => {
    expect(outcomeOf(facts)).toBe(expected);
  });
});
