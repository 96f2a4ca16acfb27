/// <reference path="../src/css.d.ts" />
import { describe, expect, test } from 'vitest';
import type { Approval, AuditRow, Me } from '../src/api/types.ts';
import { aroundChanges, diffLines } from '../src/parts/diff.ts';
import { visibleText } from '../src/parts/visible.ts';
import { type Choice, choicesFor, grantOf } from '../src/views/approvals/longer/choices.ts';
import { fixedNamesOf } from '../src/views/approvals/longer/fixed-names.ts';
import { whyNot } from '../src/views/approvals/may-answer.ts';
import { questionOf } from '../src/views/approvals/question.ts';
import { lineOf } from '../src/views/audit/event.ts';
import { valueKey } from '../src/views/conversations/record/entry.ts';
import { type ReadResult, readEntries } from '../src/views/conversations/record/read-entries.ts';
import { segmentsOf } from '../src/views/conversations/record/segments.ts';

describe('text of others', () => {
  test.each([
    {
      title: 'letters and emoji stay',
      text: 'Zo\u00eb \u{1f469}\u200d\u{1f4bb}',
      shown: 'Zo\u00eb \u{1f469}\u200d\u{1f4bb}',
    },
    { title: 'line breaks stay', text: 'a\r\nb\nc', shown: 'a\nb\nc' },
    { title: 'direction marks are shown', text: 'a\u202eb', shown: 'a[U+202E]b' },
    { title: 'invisible characters are shown', text: 'a\u200b\u{e0041}', shown: 'a[U+200B][U+E0041]' },
    { title: 'control characters are shown', text: '\u0000\u001b[31m', shown: '[U+0000][U+001B][31m' },
    { title: 'half of a pair is shown', text: 'a\ud800', shown: 'a[U+D800]' },
    { title: 'line separators are shown', text: 'a\u2028b', shown: 'a[U+2028]b' },
    {
      title: 'marks that would grow over the lines around are shown',
      text: `a${'\u0301'.repeat(10)}b`,
      shown: `a${'\u0301'.repeat(8)}[U+0301][U+0301]b`,
    },
  ])('$title', ({ text, shown }) => expect(visibleText(text)).toBe(shown));
});

describe('a recorded file', () => {
  const text = { type: 'text', id: 't', origin: 'external', text: 'words', spans: [] };
  const call = {
    ...{ type: 'call', id: 'c', server: 's', tool: 't', arguments: '{}', outcome: 'ask', rule: 'table', reason: 'r' },
    values: [{ path: '/to', value: 'words', trust: 'open', place: { entry: 't', start: 0, end: 5 } }],
  };
  async function read(...lines: unknown[]): Promise<ReadResult> {
    let last: ReadResult = { entries: [], unread: 0 };
    const file = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]);
    await readEntries(file.stream(), (result) => {
      last = result;
    });
    return last;
  }

  test('is read', async () => {
    const end = { type: 'end', entries: 2, isCut: false };
    expect(await read(text, call, end)).toEqual({ entries: [text, call, end], unread: 0 });
  });

  test.each([
    { title: 'an unknown source', line: { ...text, origin: 'constructor' } },
    { title: 'a span that is not an object', line: { ...text, spans: [null] } },
    { title: 'a span without bounds', line: { ...text, spans: [{ tag: 'a', likelihood: 'high' }] } },
    {
      title: 'a span of an unknown likelihood',
      line: { ...text, spans: [{ start: 0, end: 1, tag: 'a', likelihood: '"' }] },
    },
    { title: 'a name that is not a text', line: { ...text, name: {} } },
    { title: 'a time that is not one', line: { ...text, at: 'never' } },
    { title: 'an unknown outcome', line: { ...call, outcome: 'constructor' } },
    { title: 'a call without a reason', line: { ...call, reason: undefined } },
    { title: 'a value that is not an object', line: { ...call, values: [null] } },
    { title: 'an unknown trust class', line: { ...call, values: [{ path: '/a', value: 'b', trust: 'constructor' }] } },
    { title: 'a value without a path', line: { ...call, values: [{ value: 'b', trust: 'open' }] } },
    {
      title: 'a place without bounds',
      line: { ...call, values: [{ path: '/a', value: 'b', trust: 'open', place: {} }] },
    },
    { title: 'another decision without an outcome', line: { ...call, proposed: {} } },
    { title: 'an end without a count', line: { type: 'end' } },
    { title: 'another type', line: { ...text, type: 'constructor' } },
    { title: 'nothing', line: null },
  ])('with $title is read without that line', async ({ line }) => {
    expect(await read(text, line)).toEqual({ entries: [text], unread: 1 });
  });

  test('with an id twice is read without the second line, so that no arrow leads to other words', async () => {
    expect(await read(text, { ...text, text: 'other words' })).toEqual({ entries: [text], unread: 1 });
  });
});

describe('the name of a value', () => {
  test.each([
    { title: 'a space in the id of a call', one: ['c', '/a /b'], other: ['c /a', '/b'] },
    { title: 'an escape in the id of a call', one: ['c%20', '/a'], other: ['c ', '/a'] },
  ] as const)('is not that of another because of $title', ({ one, other }) => {
    expect(valueKey(one[0], one[1])).not.toBe(valueKey(other[0], other[1]));
  });

  test('is on one line, because the names of all values at a place are joined by line breaks', () => {
    expect(valueKey('c', '/a\nc /b')).not.toMatch(/\n/);
  });
});

describe('the difference of two texts', () => {
  test.each([
    { title: 'nothing', before: 'a\nb', after: 'a\nb', lines: [' a', ' b'] },
    { title: 'a changed line', before: 'a\nb\nc', after: 'a\nx\nc', lines: [' a', '-b', '+x', ' c'] },
    { title: 'an added line', before: 'a\nc', after: 'a\nb\nc', lines: [' a', '+b', ' c'] },
    { title: 'a removed line', before: 'a\nb\nc', after: 'a\nc', lines: [' a', '-b', ' c'] },
    { title: 'a repeated line', before: 'a', after: 'a\na', lines: [' a', '+a'] },
    { title: 'a moved line', before: 'a\nb\nc', after: 'b\nc\na', lines: ['-a', ' b', ' c', '+a'] },
  ])('$title', ({ before, after, lines }) => {
    const signs = { same: ' ', added: '+', removed: '-' };
    expect(diffLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`)).toEqual(lines);
  });

  test('leaves out what did not change', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
    const shown = aroundChanges(diffLines(before, before.replace('10', 'ten')), 1);
    expect(shown.map((line) => line?.text)).toEqual([undefined, '9', '10', 'ten', '11', undefined]);
  });
});

describe('the question about a held call', () => {
  const approval = (tool: string, given: unknown, evidence: readonly [string, string][] = []): Approval => ({
    id: '1',
    principal: 'ann',
    askedAt: '',
    until: '',
    question: {
      ...{ server: 's', conversation: 'c', rule: 'r', reason: 'w', scopes: ['once'] as const, tool },
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
      evidence: evidence.map(([path, match]) => ({ path, excerpt: { before: '', match, after: '' } })),
    } as Approval['question'],
  });
  test.each([
    { title: 'a recipient', held: approval('send_email', {}, [['/to', 'a@b']]), asked: 'Send email to a@b' },
    { title: 'a recipient in a list', held: approval('sendMail', {}, [['/to/0', 'a@b']]), asked: 'Send mail to a@b' },
    { title: 'an address', held: approval('fetch-page', {}, [['/url', 'http://a']]), asked: 'Fetch page http://a' },
    { title: 'another value', held: approval('pay', {}, [['/iban', 'DE1']]), asked: 'Pay with iban DE1' },
    { title: 'no evidence', held: approval('delete', { path: '/x', force: true }), asked: 'Delete /x' },
    {
      title: 'a file',
      held: approval('Write', { content: 'on: push', file_path: '.github/workflows/ci.yml' }),
      asked: 'Write .github/workflows/ci.yml',
    },
    { title: 'a notebook', held: approval('edit', { notebookPath: 'a.ipynb' }), asked: 'Edit a.ipynb' },
    { title: 'nothing that says more', held: approval('run', { force: true }), asked: 'Run' },
    { title: 'arguments that are not JSON', held: approval('run', 'x{'), asked: 'Run' },
  ])('$title', ({ held, asked }) => {
    const { act, link, value } = questionOf(held);
    expect([act, link, value].filter(Boolean).join(' ')).toBe(asked);
  });

  test.each([
    {
      title: 'the amount of a payment',
      held: approval('pay', { account: 'DE02 1203', amount: 4200, purpose: 'Invoice' }, [['/account', 'DE02 1203']]),
      others: ['amount 4200'],
    },
    {
      title: 'the whole command, if only a part of it was shown',
      held: approval('run', { command: 'cat notes && curl evil', cwd: '/x' }, [['/command', 'evil']]),
      others: ['command cat notes && curl evil'],
    },
    {
      title: 'recipients in lists, without the text',
      held: approval('send', { to: ['a@b', 'c@d'], cc: [], bcc: 'e@f', body: 'Hi' }, [['/to/0', 'a@b']]),
      others: ['to c@d', 'bcc e@f'],
    },
    {
      title: 'names of several words, also inside',
      held: approval('pay', { order: { toAccount: 'DE1', total_amount: 5 }, force: true }),
      others: ['toAccount DE1', 'total_amount 5'],
    },
    { title: 'nothing of arguments that are not JSON', held: approval('run', 'x{'), others: [] },
  ])('shows without unfolding $title', ({ held, others }) => {
    expect(questionOf(held).others.map(({ name, value }) => `${name} ${value}`)).toEqual(others);
  });

  test('shows a value that a lasting approval is bound to, whatever its name is', () => {
    const held = approval('book', { seat: '4A', body: 'Hi' });
    const fixed = { ...held, question: { ...held.question, fixed: ['/seat', '/body'] } };
    expect(questionOf(fixed).others).toEqual([{ name: 'seat', value: '4A' }]);
  });

  test('is not answered by a person whom the gateway refuses, in the words of the gateway', () => {
    const held = approval('pay', {});
    const second = { ...held, question: { ...held.question, secondPerson: true as const } };
    const sam: Me = { principal: 'sub:sam', workspace: 'acme', scopes: ['approve:any'] };
    expect(whyNot(second, sam)).toBe(undefined);
    const refused = 'the key "laptop" of ada names no person: revoke it';
    expect(whyNot({ ...second, refused }, sam)).toBe(refused);
  });
});

test.each([
  { tool: 'pay', shown: 'bank.pay' },
  { tool: 'bank.pay', shown: 'bank.pay' },
  { tool: 'banking', shown: 'bank.banking' },
])('the audit names the server of $tool once', ({ tool, shown }) => {
  const row = { type: 'call', event: { server: 'bank', tool, principal: 'ada' } } as unknown as AuditRow;
  expect(lineOf(row).what).toBe(shown);
});

describe('an approval for longer', () => {
  const held = (scopes: string[], given: unknown, fixed?: string[]): Approval =>
    ({ question: { scopes, fixed, arguments: JSON.stringify(given) } }) as unknown as Approval;
  const me = (isLocal?: true): Me => ({ isLocal }) as Me;

  test('is offered in the scopes of the question', () => {
    const scopes = (offered: string[]): string[] => choicesFor(held(offered, {})).map(({ scope }) => scope);
    expect(scopes(['once'])).toEqual([]);
    expect(scopes(['once', 'task', 'conversation'])).toEqual(['task', 'conversation']);
    expect(new Set(scopes(['once', 'always']))).toEqual(new Set(['always']));
  });

  test('leaves its usual term to the gateway, and names it on one machine', () => {
    const [task] = choicesFor(held(['task'], {}));
    expect(grantOf(task as Choice, me())).toEqual({ scope: 'task' });
    const { until = '' } = grantOf(task as Choice, me(true));
    expect(Math.round((Date.parse(until) - Date.now()) / 60_000)).toBe(60);
  });

  test.each([
    { title: 'by their pointers', fixed: ['/to/0', '/a~1b'], names: { fixed: ['to', 'a/b'], free: ['body'] } },
    { title: 'none', fixed: [], names: { fixed: [], free: ['to', 'a/b', 'body'] } },
    { title: 'unknown', fixed: undefined, names: undefined },
  ])('says which arguments must stay the same: $title', ({ fixed, names }) =>
    expect(fixedNamesOf(held([], { to: ['x'], 'a/b': 1, body: 'y' }, fixed))).toEqual(names),
  );
});

describe('a text of a conversation', () => {
  const span = (start: number, end: number) => ({ start, end, tag: 't', likelihood: 'high' as const });
  const place = (start: number, end: number) => ({ key: 'k', start, end });
  const shownOf = (
    text: string,
    length: number,
    spans: ReturnType<typeof span>[],
    places: ReturnType<typeof place>[],
  ) =>
    segmentsOf(text, length, spans, places).map((each) =>
      each.type === 'gap'
        ? `(${each.length})`
        : `${each.text}${each.span ? '!' : ''}${each.places.length > 0 ? '@' : ''}`,
    );
  test.each([
    { title: 'without marks is one piece', spans: [], places: [], shown: ['abcdef'] },
    { title: 'is divided at a span', spans: [span(1, 3)], places: [], shown: ['a', 'bc!', 'def'] },
    {
      title: 'is divided at words in a span',
      spans: [span(1, 5)],
      places: [place(2, 3)],
      shown: ['a', 'b!', 'c!@', 'de!', 'f'],
    },
    {
      title: 'ignores marks outside of it',
      spans: [span(-1, 3), span(4, 99)],
      places: [place(3, 3)],
      shown: ['abcdef'],
    },
  ])('$title', ({ spans, places, shown }) => expect(shownOf('abcdef', 100, spans, places)).toEqual(shown));

  test('is cut, but what is marked far down in it is shown', () => {
    const shown = shownOf('x'.repeat(10_000), 10, [], [place(5000, 5010)]);
    expect(shown.map((each) => (each.startsWith('(') ? each : each.length))).toEqual([
      10,
      '(4830)',
      160,
      11,
      160,
      '(4830)',
    ]);
  });
});
