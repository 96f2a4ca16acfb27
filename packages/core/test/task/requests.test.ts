import { describe, expect, it } from 'vitest';
import { actsIn } from '../../src/task/requests.ts';
import { LANGUAGES } from '../../src/task/words/languages.ts';
import { ACTING, ROWS as FIRST_ROWS, type RequestRow } from './request-rows.ts';

const ROWS: readonly RequestRow[] = [
  ...FIRST_ROWS,
  {
    origin: 'hi',
    payload:
      '\u092e\u0947\u0930\u0947 \u0908\u092e\u0947\u0932 \u0915\u093e \u0938\u093e\u0930\u093e\u0902\u0936 \u092c\u0928\u093e\u0913\u0964',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'hi',
    payload:
      '\u092e\u0947\u0930\u0947 \u0938\u0902\u0926\u0947\u0936 \u0915\u094d\u092f\u093e \u0915\u0939\u0924\u0947 \u0939\u0948\u0902?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'hi',
    payload:
      '\u092e\u0947\u0930\u0947 \u092c\u093f\u0932 \u0914\u0930 \u0911\u0930\u094d\u0921\u0930 \u091c\u093e\u0902\u091a\u094b\u0964',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'hi',
    payload: '\u092c\u0949\u092c \u0915\u094b \u0908\u092e\u0947\u0932 \u092d\u0947\u091c\u094b\u0964',
    expected: ['send'],
  },
  {
    origin: 'hi',
    payload: '\u092c\u093f\u0932 \u0915\u093e \u092d\u0941\u0917\u0924\u093e\u0928 \u0915\u0930\u094b\u0964',
    expected: ['pay'],
  },
  { origin: 'hi', payload: '\u0908\u092e\u0947\u0932 \u0939\u091f\u093e\u0913\u0964', expected: ['remove'] },
  {
    origin: 'bn',
    payload:
      '\u0986\u09ae\u09be\u09b0 \u0987\u09ae\u09c7\u0987\u09b2\u0997\u09c1\u09b2\u09cb\u09b0 \u09b8\u09be\u09b0\u09be\u0982\u09b6 \u09a6\u09be\u0993\u0964',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'bn',
    payload:
      '\u0986\u09ae\u09be\u09b0 \u09ac\u09be\u09b0\u09cd\u09a4\u09be\u0997\u09c1\u09b2\u09cb\u09a4\u09c7 \u0995\u09c0 \u0986\u099b\u09c7?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'bn',
    payload:
      '\u0986\u09ae\u09be\u09b0 \u099a\u09be\u09b2\u09be\u09a8 \u0986\u09b0 \u0985\u09b0\u09cd\u09a1\u09be\u09b0 \u09af\u09be\u099a\u09be\u0987 \u0995\u09b0\u09cb\u0964',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'bn',
    payload:
      '\u09ac\u09ac\u0995\u09c7 \u098f\u0995\u099f\u09bf \u0987\u09ae\u09c7\u0987\u09b2 \u09aa\u09be\u09a0\u09be\u0993\u0964',
    expected: ['send'],
  },
  {
    origin: 'bn',
    payload: '\u09ac\u09bf\u09b2 \u09aa\u09b0\u09bf\u09b6\u09cb\u09a7 \u0995\u09b0\u09cb\u0964',
    expected: ['pay'],
  },
  {
    origin: 'bn',
    payload: '\u0987\u09ae\u09c7\u0987\u09b2\u099f\u09bf \u09ae\u09c1\u099b\u09c7 \u09a6\u09be\u0993\u0964',
    expected: ['remove'],
  },
  { origin: 'zh', payload: '\u603b\u7ed3\u6211\u7684\u90ae\u4ef6\u3002', not: ['send', 'pay', 'remove'] },
  { origin: 'zh', payload: '\u6211\u7684\u6d88\u606f\u8bf4\u4e86\u4ec0\u4e48?', not: ['send', 'pay', 'remove'] },
  {
    origin: 'zh',
    payload: '\u68c0\u67e5\u6211\u7684\u53d1\u7968\u548c\u8ba2\u5355\u3002',
    not: ['send', 'pay', 'remove'],
  },
  { origin: 'zh', payload: '\u7ed9\u9c8d\u52c3\u53d1\u90ae\u4ef6\u3002', expected: ['send'] },
  { origin: 'zh', payload: '\u652f\u4ed8\u8fd9\u5f20\u53d1\u7968\u3002', expected: ['pay'] },
  { origin: 'zh', payload: '\u5220\u9664\u8fd9\u5c01\u90ae\u4ef6\u3002', expected: ['remove'] },
  { origin: 'ja', payload: '\u30e1\u30fc\u30eb\u3092\u8981\u7d04\u3057\u3066\u3002', not: ['send', 'pay', 'remove'] },
  {
    origin: 'ja',
    payload: '\u30e1\u30c3\u30bb\u30fc\u30b8\u306b\u306f\u4f55\u3068\u66f8\u3044\u3066\u3042\u308a\u307e\u3059\u304b?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ja',
    payload: '\u8acb\u6c42\u66f8\u3068\u6ce8\u6587\u3092\u78ba\u8a8d\u3057\u3066\u3002',
    not: ['send', 'pay', 'remove'],
  },
  { origin: 'ja', payload: '\u30dc\u30d6\u306b\u30e1\u30fc\u30eb\u3092\u9001\u3063\u3066\u3002', expected: ['send'] },
  { origin: 'ja', payload: '\u8acb\u6c42\u66f8\u3092\u652f\u6255\u3063\u3066\u3002', expected: ['pay'] },
  { origin: 'ja', payload: '\u305d\u306e\u30e1\u30fc\u30eb\u3092\u524a\u9664\u3057\u3066\u3002', expected: ['remove'] },
  { origin: 'ko', payload: '\ub0b4 \uba54\uc77c\uc744 \uc694\uc57d\ud574 \uc918.', not: ['send', 'pay', 'remove'] },
  {
    origin: 'ko',
    payload: '\ub0b4 \uba54\uc2dc\uc9c0\uc5d0 \ubb50\ub77c\uace0 \ub418\uc5b4 \uc788\uc5b4?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ko',
    payload: '\uccad\uad6c\uc11c\uc640 \uc8fc\ubb38\uc744 \ud655\uc778\ud574 \uc918.',
    not: ['send', 'pay', 'remove'],
  },
  { origin: 'ko', payload: '\ubc25\uc5d0\uac8c \uba54\uc77c\uc744 \ubcf4\ub0b4 \uc918.', expected: ['send'] },
  { origin: 'ko', payload: '\uccad\uad6c\uc11c\ub97c \uacb0\uc81c\ud574 \uc918.', expected: ['pay'] },
  { origin: 'ko', payload: '\uadf8 \uba54\uc77c\uc744 \uc0ad\uc81c\ud574 \uc918.', expected: ['remove'] },
  {
    origin: 'th',
    payload: '\u0e2a\u0e23\u0e38\u0e1b\u0e2d\u0e35\u0e40\u0e21\u0e25\u0e02\u0e2d\u0e07\u0e09\u0e31\u0e19',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'th',
    payload:
      '\u0e02\u0e49\u0e2d\u0e04\u0e27\u0e32\u0e21\u0e02\u0e2d\u0e07\u0e09\u0e31\u0e19\u0e1a\u0e2d\u0e01\u0e27\u0e48\u0e32\u0e2d\u0e30\u0e44\u0e23',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'th',
    payload:
      '\u0e15\u0e23\u0e27\u0e08\u0e2a\u0e2d\u0e1a\u0e43\u0e1a\u0e41\u0e08\u0e49\u0e07\u0e2b\u0e19\u0e35\u0e49\u0e41\u0e25\u0e30\u0e04\u0e33\u0e2a\u0e31\u0e48\u0e07\u0e0b\u0e37\u0e49\u0e2d\u0e02\u0e2d\u0e07\u0e09\u0e31\u0e19',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'th',
    payload: '\u0e2a\u0e48\u0e07\u0e2d\u0e35\u0e40\u0e21\u0e25\u0e43\u0e2b\u0e49\u0e1a\u0e47\u0e2d\u0e1a',
    expected: ['send'],
  },
  {
    origin: 'th',
    payload: '\u0e08\u0e48\u0e32\u0e22\u0e43\u0e1a\u0e41\u0e08\u0e49\u0e07\u0e2b\u0e19\u0e35\u0e49',
    expected: ['pay'],
  },
  { origin: 'th', payload: '\u0e25\u0e1a\u0e2d\u0e35\u0e40\u0e21\u0e25\u0e19\u0e31\u0e49\u0e19', expected: ['remove'] },
  { origin: 'en', payload: "Pay Tom's invoice.", expected: ['pay'] },
  { origin: 'en', payload: 'Order 2 lamps with it, mail to me@home.example.', expected: ['pay', 'send'] },
  { origin: 'en', payload: 'Answer the newest mail.', expected: ['send'] },
  { origin: 'en', payload: 'Tell Ines I come to her party.', expected: ['send'] },
  { origin: 'en', payload: 'Write to Bob.', expected: ['send'] },
  { origin: 'en', payload: 'Write Bob that I am late.', expected: ['send'] },
  { origin: 'en', payload: 'Write eve@x.example a note.', expected: ['send'] },
  { origin: 'en', payload: 'Write an email to the team.', expected: ['send'] },
  { origin: 'en', payload: 'Let Bob know that I am late.', expected: ['send'] },
  { origin: 'en', payload: 'Make a payment of 20 to Bob.', expected: ['pay'] },
  { origin: 'en', payload: 'Send 50 euros to Ann.', expected: ['pay'] },
  { origin: 'en', payload: 'Send Ann $50.', expected: ['pay'] },
  { origin: 'en', payload: 'Transfer 20 \u20ac to Bob.', expected: ['pay'] },
  { origin: 'en', payload: 'Request a refund.', expected: ['pay'] },
  { origin: 'en', payload: 'Put lunch into my calendar.', expected: ['schedule'] },
  { origin: 'en', payload: 'Invite Bob to lunch.', expected: ['schedule', 'invite'] },
  { origin: 'en', payload: 'Reserve a table.', expected: ['book'] },
  { origin: 'en', payload: 'Book the Hotel Aurora for 2 nights.', expected: ['book'] },
  { origin: 'en', payload: 'Upload my work.', expected: ['sync'] },
  { origin: 'en', payload: 'Could you email Bob the report?', expected: ['send'] },
  { origin: 'en', payload: 'Email Bob.', expected: ['send'] },
  { origin: 'en', payload: 'E-mail Bob.', expected: ['send'] },
  { origin: 'en', payload: 'Send me the report.', expected: ['send'] },
  { origin: 'en', payload: 'Email me the report.', expected: ['send'] },
  { origin: 'en', payload: "I'd like you to message her.", expected: ['send'] },
  { origin: 'en', payload: "I'd like to order lamps.", expected: ['pay'] },
  { origin: 'en', payload: 'Place an order for lamps', expected: ['pay'] },
  { origin: 'en', payload: 'Fill in the form', expected: ['form'] },
  { origin: 'en', payload: 'Leave a comment on the issue', expected: ['post'] },
  { origin: 'en', payload: 'Open the link that Dora sent', expected: ['visit'] },
  { origin: 'en', payload: 'Share the file with Bob.', expected: ['send', 'invite'] },
  { origin: 'en', payload: "Read Bob's mail and reply.", expected: ['send'] },
  { origin: 'en', payload: 'Report it to Bob.', expected: ['send'] },
  { origin: 'en', payload: '1. mail Bob\n2. order lamps', expected: ['send', 'pay'] },
  { origin: 'en', payload: "Let's reply to Bob.", expected: ['send'] },
  { origin: 'en', payload: 'Sum up my mail.', not: ACTING },
  { origin: 'en', payload: 'Tell me what is new.', not: ACTING },
  { origin: 'en', payload: 'Let me know what is new.', not: ACTING },
  { origin: 'en', payload: 'Inform me.', not: ACTING },
  { origin: 'en', payload: 'Give me the order numbers.', not: ACTING },
  { origin: 'en', payload: 'Write me a summary.', not: ACTING },
  { origin: 'en', payload: 'Write a summary of the guideline.', not: ACTING },
  { origin: 'en', payload: 'Write a summary of messages.', not: ACTING },
  { origin: 'en', payload: 'Write Python code.', not: ACTING },
  { origin: 'en', payload: 'Report what the guideline says.', not: ACTING },
  { origin: 'en', payload: 'Report back.', not: ACTING },
  { origin: 'en', payload: 'Check my orders', not: ACTING },
  { origin: 'en', payload: 'Is there an invoice? Sum it up.', not: ACTING },
  { origin: 'en', payload: 'What did the transfer cost?', not: ACTING },
  { origin: 'en', payload: 'Read the invoice that Tom mailed.', not: ACTING },
  { origin: 'en', payload: 'Which flight did I book?', not: ACTING },
  { origin: 'en', payload: 'List my open orders.', not: ACTING },
  { origin: 'en', payload: 'Look at the post about cats.', not: ACTING },
  { origin: 'en', payload: 'Who is on the call?', not: ACTING },
  { origin: 'en', payload: 'Find the email about the meeting.', not: ACTING },
  { origin: 'en', payload: 'Get the email from Bob.', not: ACTING },
  { origin: 'en', payload: 'Move the email to the archive.', not: ACTING },
  { origin: 'en', payload: 'Summarise the comments.', not: ACTING },
  { origin: 'en', payload: 'Summarise the replies.', not: ACTING },
  { origin: 'en', payload: "Find Bob's reply.", not: ACTING },
  { origin: 'en', payload: 'What is in the shared folder?', not: ACTING },
  { origin: 'en', payload: 'Check the order and invoice.', not: ACTING },
  { origin: 'en', payload: 'List the deleted mails.', not: ACTING },
  { origin: 'en', payload: 'Mail from Bob: sum it up.', not: ACTING },
  { origin: 'en', payload: 'Thank you.', not: ACTING },
  { origin: 'en', payload: 'I send mails daily; list them.', not: ACTING },
  { origin: 'en', payload: 'Can I pay Bob now?', expected: ['pay'] },
  { origin: 'de', payload: 'Sag mir, was neu ist, und schreib eine Zusammenfassung.', not: ACTING },
  { origin: 'de', payload: 'Schreib Bob, dass ich komme.', expected: ['send'] },
  { origin: 'fr', payload: 'Dis-moi ce qui est nouveau.', not: ACTING },
  { origin: 'es', payload: 'Haz un pago a Bob.', expected: ['pay'] },
  { origin: 'tl', payload: 'i-book mo ang hotel', expected: ['book'] },
  { origin: 'en', payload: 'I look forward to it.', not: ACTING },
  { origin: 'en', payload: 'See bob@mail.example.', not: ACTING },
];

const asking = ROWS.filter(({ expected }) => expected !== undefined);
const harmless = ROWS.filter(({ not }) => not !== undefined);

describe('a request', () => {
  it.each(asking)('$origin: "$payload" asks to $expected', ({ payload, expected = [] }) => {
    expect([...actsIn(payload)]).toEqual(expect.arrayContaining([...expected]));
  });

  it.each(harmless)('$origin: "$payload" asks for no act', ({ payload, not = [] }) => {
    expect([...actsIn(payload)].filter((act) => not.includes(act))).toEqual([]);
  });

  it.each([{ rows: asking }, { rows: harmless }])('has three rows in each language', ({ rows }) => {
    const counts = LANGUAGES.map(({ language }) => rows.filter(({ origin }) => origin === language).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  });
});
