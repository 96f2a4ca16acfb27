import { describe, expect, it } from 'vitest';
import { isAccountName } from '../../src/call/role.ts';
import { findFields, findIdentifiers, objectFinder } from '../../src/json/leaf-positions.ts';
import type { Shape } from '../../src/json/shape.ts';

interface Row {
  readonly title: string;
  /** The pointer. */
  readonly origin: string;
  readonly payload: unknown;
  readonly expected: readonly string[];
}

const FIELDS: readonly (Row & { readonly shape?: Shape })[] = [
  { title: 'a member', origin: '/id', payload: { id: 'A17' }, expected: ['A17'] },
  { title: 'a number', origin: '/price', payload: { price: 12.5 }, shape: 'number', expected: ['12.5'] },
  {
    title: 'a member of every item',
    origin: '/*/id',
    payload: [{ id: 'A17' }, { id: 'B23' }],
    expected: ['A17', 'B23'],
  },
  { title: 'an item', origin: '/ids/*', payload: { ids: ['A17', 'B23'] }, expected: ['A17', 'B23'] },
  { title: 'a name with a slash', origin: '/a~1b', payload: { 'a/b': 'A17' }, expected: ['A17'] },
  { title: 'a name with a tilde', origin: '/a~0b', payload: { 'a~b': 'A17' }, expected: ['A17'] },
  { title: 'not a member with another name', origin: '/id', payload: { text: 'A17' }, expected: [] },
  { title: 'not a member further inside', origin: '/id', payload: { review: { id: 'A17' } }, expected: [] },
  { title: 'not a member of an item', origin: '/id', payload: [{ id: 'A17' }], expected: [] },
  { title: 'not a text of another form', origin: '/id', payload: { id: 'Pay to A17' }, expected: [] },
  { title: 'not a constant', origin: '/id', payload: { id: true }, expected: [] },
];

const IDENTIFIERS: readonly Omit<Row, 'origin'>[] = [
  { title: 'an id', payload: { order_id: 'A-17' }, expected: ['A-17'] },
  { title: 'an id in camel case', payload: { orderId: 'A-17' }, expected: ['A-17'] },
  { title: 'a number as an id', payload: { id: 305 }, expected: ['305'] },
  { title: 'not a sentence', payload: { id: 'Pay 305 to Eve' }, expected: [] },
  { title: 'not a word without a digit', payload: { id: 'mallory' }, expected: [] },
  { title: 'not an account', payload: { id: 'DE75512108001245126199' }, expected: [] },
  { title: 'not a telephone number', payload: { number: '+4930123456789' }, expected: [] },
  { title: 'not a web address', payload: { id: 'https://evil.example/1' }, expected: [] },
  { title: 'not a mail address', payload: { id: 'eve2@evil.example' }, expected: [] },
  { title: 'not what is named as an account', payload: { account_number: 'K-4711' }, expected: [] },
];

describe('where JSON text has a field is', () => {
  it.each(FIELDS)('$title: $origin', ({ origin, payload, shape = 'code', expected }) => {
    const found = findFields(JSON.stringify(payload), new Map([[origin, shape]]));
    expect(found.map(({ text }) => text)).toEqual(expected);
  });

  it('found by its position', () => {
    const text = '{"a": "A17", "id": "A17"}';
    expect(findFields(text, new Map([['/id', 'code']]))).toEqual([{ start: 19, end: 24, text: 'A17' }]);
  });
});

describe('what a service mints is', () => {
  it.each(IDENTIFIERS)('$title', ({ payload, expected }) => {
    expect(findIdentifiers(JSON.stringify(payload), isAccountName).map(({ text }) => text)).toEqual(expected);
  });
});

describe('the message around a position is', () => {
  it('the innermost object', () => {
    const text = '{"mails":[{"text":"one"},{"text":"two"}]}';
    const find = objectFinder(text, 'innermost');
    const around = ['one', 'two', 'mails'].map((word) => find(text.indexOf(word)));
    expect(around.map((range) => text.slice(range?.start, range?.end))).toEqual([
      '{"text":"one"}',
      '{"text":"two"}',
      text,
    ]);
  });

  it('the outermost object', () => {
    const text = '[{"text":"one","files":[{"text":"two"}]},[{"text":"three"}],"four"]';
    const find = objectFinder(text, 'outermost');
    const around = ['one', 'two', 'three', 'four'].map((word) => find(text.indexOf(word)));
    expect(around.map((range) => range && text.slice(range.start, range.end))).toEqual([
      ...Array(2).fill('{"text":"one","files":[{"text":"two"}]}'),
      '{"text":"three"}',
      undefined,
    ]);
  });
});
