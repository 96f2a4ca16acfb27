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
  { title: 'a name at a host of words that were said', payload: 'https://example.home', expected: undefined },
  {
    title: 'a host and a path that were both said',
    payload: 'https://docs.firm.example/user/invoices',
    expected: 'words',
  },
  { title: 'the same with something smuggled', payload: 'https://docs.firm.example/user/secret', expected: undefined },
  { title: 'a host beneath one that was said', payload: 'https://evil.docs.firm.example', expected: undefined },
  { title: 'a path with a field in it', payload: '/user/invoices/Invoice_17.txt', expected: 'field' },
  { title: 'a field', payload: 'order-17', expected: 'field' },
  { title: 'an amount in another form', payload: '1299.00', expected: 'words' },
  { title: 'an account without blanks', payload: 'DE021203', expected: 'words' },
  { title: 'date and time', payload: '2024-05-15T19:30:00', expected: 'words' },
  { title: 'a date with another time', payload: '2024-05-15T18:30:00', expected: undefined },
  { title: 'a list of what was said', payload: 'alice@home.example, ORDER-17', expected: 'field' },
  { title: 'a list with one thing more', payload: 'alice@home.example, bob@home.example', expected: undefined },
  { title: 'a sentence of the words that were said', payload: 'mail the site to alice', expected: undefined },
  { title: 'a path that goes back up', payload: '/user/invoices/..', expected: undefined },
  { title: 'all that lies in a path', payload: '/user/~', expected: undefined },
  { title: 'signs in place of words', payload: 'invoices:[][(![]+[])[+[]]]', expected: undefined },
  { title: 'the opposite sign', payload: 'age < 30', expected: undefined },
  { title: 'the same sign', payload: 'age > 30', expected: 'words' },
  { title: 'a word with something invisible in it', payload: 'invoices\u{e0041}\u{e0042}', expected: undefined },
  {
    title: 'a host with a letter of another script',
    payload: 'https://docs.f\u0456rm.example/user',
    expected: undefined,
  },
  { title: 'a host with an accent', payload: 'https://docs.f\u00edrm.example', expected: undefined },
  {
    title: 'a host as the name before another',
    payload: 'https://docs.firm.example@user.invoices',
    expected: undefined,
  },
  { title: 'a host of a host and a path', payload: 'https://home.example.delete', expected: undefined },
  { title: 'a mailbox of words in a sentence', payload: 'site@is.docs', expected: undefined },
  { title: 'a word of a path as a host', payload: 'https://invoices/user', expected: undefined },
  { title: 'an amount without its fraction', payload: '77', expected: undefined },
  { title: 'an amount a hundred times as large', payload: '7725', expected: undefined },
  { title: 'an amount that is owed', payload: '-77.25', expected: undefined },
  { title: 'an amount in another currency', payload: '\u00a31299', expected: undefined },
  { title: 'a day of another year', payload: '1999-05-15', expected: undefined },
  { title: 'a time elsewhere', payload: '2024-05-15T19:30:00+14:00', expected: undefined },
  { title: 'nothing', payload: '  ', expected: 'words' },
  { title: 'a sign that stands alone', payload: '*', expected: 'words' },
  { title: 'one in quotes', payload: '/', expected: 'words' },
  { title: 'one that nobody wrote', payload: '?', expected: undefined },
  { title: 'one that stands beside words only', payload: ';', expected: undefined },
];

describe('who stands for a value', () => {
  it.each(CASES)('$title', ({ payload, expected }) => {
    expect(vouchFor({ ledger, budget: new Budget(100_000) }, payload)?.by).toBe(expected);
  });

  it('is nobody when it would take too long to find out', () => {
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
