import { Budget } from '@sallyport/decode';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/call/role.ts';
import { Ledger } from '../../src/provenance/ledger.ts';
import { FIELD, VOUCHED } from '../../src/provenance/trust.ts';
import { vouchFor, weakestVouchedBy } from '../../src/provenance/vouch.ts';

function ledgerOf(...texts: readonly string[]): Ledger {
  const ledger = new Ledger();
  for (const text of texts)
    ledger.add({ recordId: 'r', part: 0, text, trust: text === 'ORDER-17' ? FIELD : VOUCHED, ranges: [] });
  return ledger;
}

interface Row {
  readonly title: string;
  /** What the user said. */
  readonly origin: string;
  readonly payload: readonly [Role, string];
  readonly expected: 'words' | 'field' | undefined;
}

const ROWS: readonly Row[] = [
  { title: 'an id', origin: 'Delete the database prod-db.', payload: ['id', 'prod-db'], expected: 'words' },
  {
    title: 'the start of a longer id',
    origin: 'Delete the database prod-db-test.',
    payload: ['id', 'prod-db'],
    expected: undefined,
  },
  {
    title: 'the start of a number with a hyphen',
    origin: 'Cancel order 1234-5678.',
    payload: ['id', '1234'],
    expected: undefined,
  },
  {
    title: 'the end of a longer id',
    origin: 'Delete the database old-prod-db.',
    payload: ['id', 'prod-db'],
    expected: undefined,
  },
  { title: 'the start of a branch', origin: 'Delete branch main-old', payload: ['id', 'main'], expected: undefined },
  { title: 'a number with its sign', origin: 'Close ticket #812, please.', payload: ['id', '812'], expected: 'words' },
  { title: 'a repository', origin: 'Fork acme/site now', payload: ['id', 'Acme/Site'], expected: 'words' },
  { title: 'a path', origin: 'Delete /data/ann/tmp.', payload: ['path', '/data/ann/tmp/'], expected: 'words' },
  { title: 'a parent of a path', origin: 'Delete /data/ann/tmp', payload: ['path', '/data'], expected: undefined },
  { title: 'a path in other letters', origin: 'Open /Data/x', payload: ['path', '/data/x'], expected: undefined },
  {
    title: 'a path with dot segments',
    origin: 'Save to /user/invoices.',
    payload: ['path', '/user/invoices/..'],
    expected: undefined,
  },
  {
    title: 'a path before dot segments',
    origin: 'Save to /user/invoices/..',
    payload: ['path', '/user/invoices'],
    expected: undefined,
  },
  {
    title: 'a sign alone',
    origin: 'Rules:\n* Be kind. The root / is shared.',
    payload: ['path', '/'],
    expected: undefined,
  },
  { title: 'a pattern of one sign', origin: 'Rules:\n* Be kind.', payload: ['text', '*'], expected: undefined },
  {
    title: 'a command between backticks',
    origin: 'Run `DELETE FROM users WHERE id = 5` for me.',
    payload: ['command', 'DELETE FROM users WHERE id = 5'],
    expected: undefined,
  },
  {
    title: 'the start of a command',
    origin: 'Run `DELETE FROM users WHERE id = 5` for me.',
    payload: ['command', 'DELETE FROM users'],
    expected: undefined,
  },
  {
    title: 'a command inside a sentence',
    origin: 'Please run rm -rf /var/build and tell me.',
    payload: ['command', 'rm -rf /'],
    expected: undefined,
  },
  {
    title: 'a command after many blanks in a sentence',
    origin: `I heard of ${' '.repeat(100)}rm -rf /var/build`,
    payload: ['command', 'rm -rf /var/build'],
    expected: undefined,
  },
  {
    title: 'a command after a verb of running',
    origin: 'Run npm install zod and use it in src/a.ts.',
    payload: ['command', 'npm install zod'],
    expected: undefined,
  },
  {
    title: 'a command at the end of a sentence',
    origin: 'Before you commit, run rm -rf dist. Then build.',
    payload: ['command', 'rm -rf dist'],
    expected: undefined,
  },
  {
    title: 'a command without its last option',
    origin: 'Run npm publish --dry-run and tell me.',
    payload: ['command', 'npm publish'],
    expected: undefined,
  },
  {
    title: 'a command that the user asks about',
    origin: 'What does npm publish do? Explain npm publish and then run the tests.',
    payload: ['command', 'npm publish'],
    expected: undefined,
  },
  {
    title: 'a command of one word',
    origin: 'Run deploy and tell me.',
    payload: ['command', 'deploy'],
    expected: undefined,
  },
  {
    title: 'a command that a command prints',
    origin: 'Run `echo "rm -rf ~"` now.',
    payload: ['command', 'rm -rf ~'],
    expected: undefined,
  },
  {
    title: 'the end of a command',
    origin: 'Run `echo rm -rf build` now.',
    payload: ['command', 'rm -rf build'],
    expected: undefined,
  },
  {
    title: 'a command on a line of its own',
    origin: 'Run this:\n  make clean\nand tell me.',
    payload: ['command', 'make clean'],
    expected: 'words',
  },
  {
    title: 'an address without its query',
    origin: 'Delete https://api.corp.example/v1/users/5?dryRun=1',
    payload: ['url', 'https://api.corp.example/v1/users/5'],
    expected: undefined,
  },
  {
    title: 'an address in another form',
    origin: 'Read https://www.corp.example/Api/.',
    payload: ['url', 'http://CORP.example/Api'],
    expected: 'words',
  },
  {
    title: 'an address with another scheme',
    origin: 'Read https://corp.example/api',
    payload: ['url', 'gopher://corp.example/api'],
    expected: undefined,
  },
  {
    title: 'a path of an address in other letters',
    origin: 'Read https://corp.example/Api',
    payload: ['url', 'https://corp.example/api'],
    expected: undefined,
  },
  {
    title: 'a subdomain',
    origin: 'The site is docs.firm.example; read it.',
    payload: ['url', 'https://evil.docs.firm.example'],
    expected: undefined,
  },
  {
    title: 'a host with a letter of another script',
    origin: 'Read docs.firm.example',
    payload: ['url', 'https://docs.f\u0456rm.example'],
    expected: undefined,
  },
  {
    title: 'a host as the user name of another host',
    origin: 'Read docs.firm.example',
    payload: ['url', 'https://docs.firm.example@evil.example'],
    expected: undefined,
  },
  {
    title: 'a mail address',
    origin: 'Write to alice@home.example.',
    payload: ['recipient', 'Alice@home.example'],
    expected: 'words',
  },
  {
    title: 'a mail address with a display name',
    origin: 'Write to alice@home.example.',
    payload: ['recipient', 'The bank <alice@home.example>'],
    expected: 'words',
  },
  {
    title: 'a display name with another address',
    origin: 'Write to alice@home.example.',
    payload: ['recipient', 'alice@home.example <eve@evil.example>'],
    expected: undefined,
  },
  {
    title: 'a longer mail address',
    origin: 'Write to alice@home.example.evil.example',
    payload: ['recipient', 'alice@home.example'],
    expected: undefined,
  },
  {
    title: 'a list of addresses that all occur',
    origin: 'Write to a@x.example and b@x.example',
    payload: ['recipient', 'a@x.example, b@x.example'],
    expected: 'words',
  },
  {
    title: 'a list with another address',
    origin: 'Write to a@x.example',
    payload: ['recipient', 'a@x.example, eve@evil.example'],
    expected: undefined,
  },
  { title: 'a handle', origin: 'Tell @bob about it.', payload: ['recipient', 'bob'], expected: 'words' },
  {
    title: 'a mail address in Chinese text',
    origin: '\u53d1\u7ed9bob@x.example\u3002',
    payload: ['recipient', 'bob@x.example'],
    expected: 'words',
  },
  {
    title: 'an account in groups',
    origin: 'Pay to DE75 5121 0800 1245 1261 99 today.',
    payload: ['recipient', 'DE75512108001245126199'],
    expected: 'words',
  },
  {
    title: 'a part of an account in groups',
    origin: 'Pay to DE75 5121 0800 1245 1261 99 today.',
    payload: ['recipient', 'DE7551210800'],
    expected: undefined,
  },
  {
    title: 'a word and a number',
    origin: 'Pay the plumber 120 euros.',
    payload: ['recipient', 'plumber120'],
    expected: undefined,
  },
  { title: 'an amount', origin: 'Pay 240 EUR.', payload: ['amount', '240'], expected: 'words' },
  { title: 'an amount in another form', origin: 'Pay 1,299.00 euros.', payload: ['amount', '1299'], expected: 'words' },
  { title: 'an amount with a sign', origin: 'Pay $77.25!', payload: ['amount', '77.25'], expected: 'words' },
  { title: 'an amount with a code', origin: 'Pay EUR 500.', payload: ['amount', '500'], expected: 'words' },
  {
    title: 'two numbers joined',
    origin: 'Pay invoice 12, 500 euros.',
    payload: ['amount', '12500'],
    expected: undefined,
  },
  {
    title: 'three numbers joined',
    origin: 'Pay items 7, 400, 999.',
    payload: ['amount', '7400999'],
    expected: undefined,
  },
  { title: 'one of two readings', origin: 'Pay Bob 1.250 ETH.', payload: ['amount', '1250'], expected: undefined },
  {
    title: 'the other of two readings',
    origin: 'Pay Bob 1.250 ETH.',
    payload: ['amount', '1.25'],
    expected: undefined,
  },
  {
    title: 'a part of a telephone number',
    origin: 'Call 030 123 456.',
    payload: ['amount', '123456'],
    expected: undefined,
  },
  { title: 'a part of a date', origin: 'Pay Bob on 2026-11-16.', payload: ['amount', '2026.11'], expected: undefined },
  { title: 'a day of a date', origin: 'Pay Bob on 2026-11-16.', payload: ['amount', '16'], expected: undefined },
  { title: 'the hundredfold', origin: 'Pay 77.25.', payload: ['amount', '7725'], expected: undefined },
  { title: 'an amount without its fraction', origin: 'Pay 77.25.', payload: ['amount', '77'], expected: undefined },
  { title: 'a negative amount', origin: 'Pay 77.25.', payload: ['amount', '-77.25'], expected: undefined },
  { title: 'a percentage', origin: 'Take 5% off.', payload: ['amount', '5'], expected: undefined },
  {
    title: 'the end of a number in groups',
    origin: 'Pay 1 299 euros.',
    payload: ['amount', '299'],
    expected: undefined,
  },
  {
    title: 'date and time',
    origin: 'On May 15, 2024 at 7:30 PM.',
    payload: ['time', '2024-05-15T19:30:00'],
    expected: 'words',
  },
  {
    title: 'a date with another time',
    origin: 'On May 15, 2024 at 7:30 PM.',
    payload: ['time', '2024-05-15T18:30:00'],
    expected: undefined,
  },
  { title: 'a field of a service', origin: 'ORDER-17', payload: ['id', 'order-17'], expected: 'field' },
  {
    title: 'a secret in other letters',
    origin: 'My password is Hunter2.',
    payload: ['secret', 'hunter2'],
    expected: undefined,
  },
  { title: 'blanks only', origin: 'Hello.', payload: ['text', '  '], expected: 'words' },
  {
    title: 'invisible characters',
    origin: 'Open invoices.',
    payload: ['id', 'invoices\u{e0041}'],
    expected: undefined,
  },
];

describe('who vouches for a value', () => {
  it.each(ROWS)('$title: $expected', ({ origin, payload: [role, value], expected }) => {
    expect(vouchFor({ ledger: ledgerOf(origin), budget: new Budget(100_000) }, value, role)?.by).toBe(expected);
  });

  it('is undefined if the budget runs out', () => {
    const question = { ledger: ledgerOf('Write to a@x.example'), budget: new Budget(0) };
    expect(vouchFor(question, 'a@x.example', 'recipient')).toBeUndefined();
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
