import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/base/budget.ts';
import { Ledger } from '../../src/provenance/ledger.ts';
import { FIELD, VOUCHED } from '../../src/provenance/trust.ts';
import { vouchFor, weakestVouchedBy } from '../../src/provenance/vouch.ts';

const ledger = new Ledger();
for (const [text, trust] of [
  ['Save it to /user/invoices, mail alice@home.example, delete * and call "/".', VOUCHED],
  ['Where age > 30 the fee is 77.25. Write to /data/home/example/delete now.', VOUCHED],
  ['The site is docs.firm.example; on May 15, 2024 at 7:30 PM. Pay 1,299 to DE02 1203.', VOUCHED],
  ['ORDER-17', FIELD],
  ['Invoice_17.txt', FIELD],
] as const)
  ledger.add({ recordId: 'r', part: 0, text, trust, ranges: [] });

const CASES: readonly { title: string; payload: string; expected: string | undefined }[] = [
  { title: 'a word', payload: 'ALICE', expected: 'words' },
  { title: 'an address', payload: 'alice@home.example', expected: 'words' },
  { title: 'half an address and another host', payload: 'alice@docs.firm.example', expected: undefined },
  { title: 'a host assembled from trusted words', payload: 'https://example.home', expected: undefined },
  {
    title: 'a host and a path that both occur',
    payload: 'https://docs.firm.example/user/invoices',
    expected: 'words',
  },
  {
    title: 'a host and a path with another word',
    payload: 'https://docs.firm.example/user/secret',
    expected: undefined,
  },
  { title: 'a subdomain of a host that occurs', payload: 'https://evil.docs.firm.example', expected: undefined },
  { title: 'a path with a field in it', payload: '/user/invoices/Invoice_17.txt', expected: 'field' },
  { title: 'a field', payload: 'order-17', expected: 'field' },
  { title: 'an amount in another form', payload: '1299.00', expected: 'words' },
  { title: 'an account without blanks', payload: 'DE021203', expected: 'words' },
  { title: 'date and time', payload: '2024-05-15T19:30:00', expected: 'words' },
  { title: 'a date with another time', payload: '2024-05-15T18:30:00', expected: undefined },
  { title: 'a list of values that occur', payload: 'alice@home.example, ORDER-17', expected: 'field' },
  { title: 'a list with another value', payload: 'alice@home.example, bob@home.example', expected: undefined },
  { title: 'a sentence assembled from trusted words', payload: 'mail the site to alice', expected: undefined },
  { title: 'a path with dot segments', payload: '/user/invoices/..', expected: undefined },
  { title: 'a path with a tilde', payload: '/user/~', expected: undefined },
  { title: 'code made of signs', payload: 'invoices:[][(![]+[])[+[]]]', expected: undefined },
  { title: 'another comparison sign', payload: 'age < 30', expected: undefined },
  { title: 'the same comparison sign', payload: 'age > 30', expected: 'words' },
  { title: 'a word with invisible characters', payload: 'invoices\u{e0041}\u{e0042}', expected: undefined },
  {
    title: 'a host with a letter of another script',
    payload: 'https://docs.f\u0456rm.example/user',
    expected: undefined,
  },
  { title: 'a host with an accent', payload: 'https://docs.f\u00edrm.example', expected: undefined },
  {
    title: 'a host as the user name of another host',
    payload: 'https://docs.firm.example@user.invoices',
    expected: undefined,
  },
  { title: 'a host with a path word as top-level domain', payload: 'https://home.example.delete', expected: undefined },
  { title: 'a mail address assembled from a sentence', payload: 'site@is.docs', expected: undefined },
  { title: 'a word of a path as a host', payload: 'https://invoices/user', expected: undefined },
  { title: 'an amount without its fraction', payload: '77', expected: undefined },
  { title: 'an amount a hundred times as large', payload: '7725', expected: undefined },
  { title: 'a negative amount', payload: '-77.25', expected: undefined },
  { title: 'an amount in another currency', payload: '\u00a31299', expected: undefined },
  { title: 'a day of another year', payload: '1999-05-15', expected: undefined },
  { title: 'a time in another time zone', payload: '2024-05-15T19:30:00+14:00', expected: undefined },
  { title: 'blanks only', payload: '  ', expected: 'words' },
  { title: 'a sign between blanks', payload: '*', expected: 'words' },
  { title: 'a sign in quotes', payload: '/', expected: 'words' },
  { title: 'a sign that occurs nowhere', payload: '?', expected: undefined },
  { title: 'a sign that occurs only next to words', payload: ';', expected: undefined },
];

describe('who vouches for a value', () => {
  it.each(CASES)('$title', ({ payload, expected }) => {
    expect(vouchFor({ ledger, budget: new Budget(100_000) }, payload)?.by).toBe(expected);
  });

  it('is undefined if the budget runs out', () => {
    expect(vouchFor({ ledger, budget: new Budget(0) }, 'https://docs.firm.example/user/invoices')).toBeUndefined();
  });

  it.each([
    [[], 'words'],
    [['words', 'field'], 'field'],
    [['words', 'person'], 'words'],
    [['words', undefined], undefined],
  ] as const)('of %j it is %s', (vouchedBy, expected) => {
    expect(weakestVouchedBy(vouchedBy)).toBe(expected);
  });
});
