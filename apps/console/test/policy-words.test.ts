// What the policy's page and a decision say.
import { describe, expect, test } from 'vitest';
import type { Correction, Me } from '../src/api/types.ts';
import { maySee, VIEWS } from '../src/app/views.ts';
import { causeOf, cellWords, ruleWords } from '../src/parts/words/policy-cell.ts';
import { alarmsOf, raisable } from '../src/views/corrections/alarms.ts';
import { effectiveTable, withCell } from '../src/views/policy/table.ts';

describe('the table of a policy', () => {
  const cell = (body: unknown) =>
    effectiveTable(body as never)
      ?.find(({ effect }) => effect === 'spend')
      ?.cells.find(({ supplier }) => supplier === 'content');
  test.each([
    { title: 'the preset balanced, if none is named', body: {}, shown: { outcome: 'ask', isChanged: false } },
    {
      title: 'a changed cell',
      body: { table: { spend: { content: 'allow' } } },
      shown: { outcome: 'allow', isChanged: true },
    },
    {
      title: 'a draft with an unknown outcome',
      body: { table: { spend: { content: {} } } },
      shown: { outcome: 'ask' },
    },
    { title: 'a draft without a table', body: { table: null }, shown: { outcome: 'ask' } },
  ])('$title', ({ body, shown }) => expect(cell(body)).toMatchObject(shown));

  test.each(['none', 'strickt', 'constructor'])('has none with the preset %s', (preset) =>
    expect(effectiveTable({ preset } as never)).toBeUndefined(),
  );
});

test('corrections are a view of the gateway, and not of sallyport ui', () => {
  const me = { principal: 'ann', workspace: 'team', scopes: ['approve:own' as const] };
  const shownTo = (person: Me): string[] => VIEWS.filter((view) => maySee(person, view)).map(({ name }) => name);
  expect(shownTo(me)).toEqual(['Approvals', 'Conversations', 'Corrections']);
  expect(shownTo({ ...me, isLocal: true })).toEqual(['Approvals', 'Conversations']);
});

test('false alarms count once for each text, of one server and tag, and only with a low likelihood', () => {
  const alarm = { type: 'span', server: 'mail', tag: 'imperative', likelihood: 'low', verdict: 'false-alarm' } as const;
  const said = (digest: string, changes: object = {}): Correction =>
    ({ ...alarm, digest, by: 'ann', at: '', ...changes }) as Correction;
  const three = [said('a'), said('a', { by: 'bob' }), said('b'), said('c', { likelihood: 'medium' })];
  expect(
    alarmsOf([...three, said('d', { server: 'web' }), said('e', { verdict: 'attack' })], 'mail', 'imperative'),
  ).toBe(2);
  expect(raisable(three)).toEqual([]);
  expect(raisable([...three, said('f')])).toEqual([{ server: 'mail', tag: 'imperative' }]);
});

describe('a cell of the policy', () => {
  const cell = { effect: 'send', supplier: 'content' } as const;

  test('is written into the policy, and the rest stays', () => {
    const body = { preset: 'balanced', observe: true, table: { spend: { content: 'allow' } } } as const;
    expect(withCell(body, cell, 'deny')).toEqual({
      ...body,
      table: { ...body.table, send: { content: 'deny' } },
    });
  });

  test('that says what the preset says is not written', () => {
    const body = { table: { send: { content: 'deny', model: 'deny' } } } as const;
    expect(withCell(body, cell, 'allow')).toEqual({ table: { send: { model: 'deny' } } });
    expect(withCell({ table: { send: { content: 'deny' } } }, cell, 'allow')).toEqual({});
  });

  test('of a draft that is not a table is written all the same', () => {
    expect(withCell({ table: { send: 'x' } } as never, cell, 'deny')).toEqual({
      table: { send: { content: 'deny' } },
    });
  });
});

describe('what decided', () => {
  test.each([
    { cell: 'spend, instructed', words: 'spend, the value comes from: an instruction to the model' },
    { cell: 'spend, constructor', words: undefined },
    { cell: 'spend, unheard, content', words: undefined },
    { cell: 'once', words: undefined },
  ])('$cell is said in words', ({ cell, words }) => expect(cellWords(cell)).toBe(words));

  test.each([
    { rule: 'content', cell: 'send, content', cause: 'send, content' },
    { rule: 'requested', cell: 'send, content', cause: 'requested' },
    { rule: 'own', cell: undefined, cause: 'own' },
  ])('the rule $rule in $cell is $cause', ({ rule, cell, cause }) => expect(causeOf(rule, cell)).toBe(cause));

  test('a rule is explained, if it is known', () => {
    expect(ruleWords('unread')).toBe('nothing that others wrote was read before');
    expect(ruleWords('constructor')).toBeUndefined();
  });
});
