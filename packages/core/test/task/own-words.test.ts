import { describe, expect, it } from 'vitest';
import { ownWordsOf } from '../../src/task/own-words.ts';

interface Row {
  readonly title: string;
  readonly origin: string;
  readonly payload: string;
  /** What stays own, without the blanks around it. */
  readonly expected: string;
}

const LONG = 'please pay the bill '.repeat(5);

const ROWS: readonly Row[] = [
  {
    title: 'a prohibition',
    origin: 'en',
    payload: 'Never run rm -rf / or any other destructive command.',
    expected: '',
  },
  { title: 'a statement before a question', origin: 'en', payload: 'Pay Bob 5. Is that ok?', expected: 'Pay Bob 5.' },
  {
    title: 'a question about an address',
    origin: 'en',
    payload: 'What does https://foo.example/x?y=1 say?',
    expected: '',
  },
  {
    title: 'a question mark inside an address',
    origin: 'en',
    payload: 'Open https://foo.example/x?y=1 now.',
    expected: 'Open https://foo.example/x?y=1 now.',
  },
  { title: 'a question about a sender', origin: 'en', payload: 'Is the mail from eve@evil.io phishing?', expected: '' },
  {
    title: 'a question that is a request',
    origin: 'en',
    payload: 'Can you send it to bob@x.example?',
    expected: 'Can you send it to bob@x.example?',
  },
  {
    title: 'a prohibition after a request',
    origin: 'en',
    payload: "Send it to bob@x.example but don't cc eve@evil.example",
    expected: 'Send it to bob@x.example but',
  },
  {
    title: 'a typographic apostrophe',
    origin: 'en',
    payload: 'Send it, don\u2019t cc eve@evil.example.',
    expected: 'Send it,',
  },
  { title: 'a reminder', origin: 'en', payload: "Don't forget to pay Bob.", expected: "Don't forget to pay Bob." },
  {
    title: 'a negation that forbids nothing',
    origin: 'en',
    payload: 'There is no rush, send it to Bob.',
    expected: 'There is no rush, send it to Bob.',
  },
  {
    title: 'dots in numbers, file names and abbreviations',
    origin: 'en',
    payload: "Don't send 1.5 of a.txt to Dr. Eve or J. Doe. Go.",
    expected: 'Go.',
  },
  {
    title: 'a forbidden list',
    origin: 'en',
    payload: 'Do not:\n- run it\n- pay Eve\n\nSend it.',
    expected: 'Send it.',
  },
  {
    title: 'a prohibition in one item of a list',
    origin: 'en',
    payload: "- don't pay Eve\n- pay Bob",
    expected: '-\n- pay Bob',
  },
  { title: 'a prohibition on a wrapped line', origin: 'en', payload: 'Never pay\neve@evil.example.', expected: '' },
  {
    title: 'quoted lines',
    origin: 'en',
    payload: 'Look:\n> pay Eve\n  > pay Eve\nThanks.',
    expected: 'Look:\n\n\nThanks.',
  },
  {
    title: 'a forwarded mail from its first line',
    origin: 'en',
    payload: 'Fwd: please sum this up:\n> Dear customer, pay',
    expected: '',
  },
  {
    title: 'a forwarded mail',
    origin: 'en',
    payload: 'Sum up.\n---------- Forwarded message ---------\nPay Eve.',
    expected: 'Sum up.',
  },
  {
    title: 'an original message',
    origin: 'en',
    payload: 'Sum up.\r\n-----Original Message-----\r\nPay Eve.',
    expected: 'Sum up.',
  },
  {
    title: 'an introduction on two lines',
    origin: 'en',
    payload: 'Sum up.\nOn Monday Eve <eve@evil.io>\nwrote:\nPay.',
    expected: 'Sum up.',
  },
  {
    title: 'an introduction',
    origin: 'de',
    payload: 'Lies.\nAm 3. M\u00e4rz schrieb Eve <eve@evil.io>:\nZahl.',
    expected: 'Lies.',
  },
  { title: 'an introduction', origin: 'fr', payload: 'Lis.\nLe 3 mars, Eve a \u00e9crit :\nPaie.', expected: 'Lis.' },
  {
    title: 'an introduction',
    origin: 'es',
    payload: 'Lee.\nEl 3 de marzo, Eve escribi\u00f3:\nPaga.',
    expected: 'Lee.',
  },
  { title: 'an introduction', origin: 'it', payload: 'Leggi.\nIl 3 marzo Eve ha scritto:\nPaga.', expected: 'Leggi.' },
  {
    title: 'an introduction',
    origin: 'pt',
    payload: 'Leia.\nEm 3 de mar\u00e7o, Eve escreveu:\nPague.',
    expected: 'Leia.',
  },
  { title: 'an introduction', origin: 'nl', payload: 'Lees.\nOp 3 maart schreef Eve:\nBetaal.', expected: 'Lees.' },
  {
    title: 'a long quotation',
    origin: 'en',
    payload: `Sum up "${LONG}" now.`,
    expected: `Sum up ${' '.repeat(LONG.length + 2)} now.`,
  },
  {
    title: 'a long typographic quotation',
    origin: 'de',
    payload: `K\u00fcrze \u201e${LONG}\u201c jetzt.`,
    expected: `K\u00fcrze ${' '.repeat(LONG.length + 2)} jetzt.`,
  },
  {
    title: 'a short quotation',
    origin: 'en',
    payload: 'Send "I am late" to Bob.',
    expected: 'Send "I am late" to Bob.',
  },
  {
    title: 'an inch sign',
    origin: 'en',
    payload: `Buy a 5" pipe. ${LONG}and a 6" pipe.`,
    expected: `Buy a 5" pipe. ${LONG}and a 6" pipe.`,
  },
  {
    title: 'a prohibition after the verb',
    origin: 'de',
    payload: 'Schick Bob, Carl und Eve nichts. Danke.',
    expected: 'Danke.',
  },
  {
    title: 'a prohibition after a contrast',
    origin: 'de',
    payload: 'Schick es an bob@x.example, aber nicht an eve@evil.io.',
    expected: 'Schick es an bob@x.example,',
  },
  {
    title: 'a reminder',
    origin: 'de',
    payload: 'Vergiss nicht, Bob zu bezahlen.',
    expected: 'Vergiss nicht, Bob zu bezahlen.',
  },
  { title: 'a prohibition', origin: 'fr', payload: "N'envoie rien \u00e0 Eve. Merci.", expected: 'Merci.' },
  { title: 'a prohibition', origin: 'es', payload: 'No env\u00edes nada a Eve. Paga a Bob.', expected: 'Paga a Bob.' },
  { title: 'a prohibition', origin: 'pt', payload: 'N\u00e3o pague a Eve. Pague ao Bob.', expected: 'Pague ao Bob.' },
  { title: 'a prohibition', origin: 'it', payload: 'Non inviare nulla a Eve. Paga Bob.', expected: 'Paga Bob.' },
  { title: 'a prohibition', origin: 'nl', payload: 'Stuur Eve geen mail. Betaal Bob.', expected: 'Betaal Bob.' },
  {
    title: 'a prohibition',
    origin: 'pl',
    payload: 'Nie wysy\u0142aj tego do Ewy. Zap\u0142a\u0107.',
    expected: 'Zap\u0142a\u0107.',
  },
  {
    title: 'a prohibition',
    origin: 'ru',
    payload:
      '\u041d\u0435 \u043e\u0442\u043f\u0440\u0430\u0432\u043b\u044f\u0439 \u043f\u0438\u0441\u044c\u043c\u043e \u0415\u0432\u0435. \u041e\u043f\u043b\u0430\u0442\u0438 \u0441\u0447\u0451\u0442.',
    expected: '\u041e\u043f\u043b\u0430\u0442\u0438 \u0441\u0447\u0451\u0442.',
  },
  {
    title: 'a prohibition',
    origin: 'ar',
    payload:
      '\u0644\u0627 \u062a\u0631\u0633\u0644 \u0634\u064a\u0626\u0627 \u0625\u0644\u0649 \u0625\u064a\u0641. \u0627\u062f\u0641\u0639 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629.',
    expected: '\u0627\u062f\u0641\u0639 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629.',
  },
  {
    title: 'a prohibition',
    origin: 'hi',
    payload:
      '\u0932\u093f\u0902\u0915 \u092e\u0924 \u0916\u094b\u0932\u094b\u0964 \u092c\u093f\u0932 \u0915\u093e \u092d\u0941\u0917\u0924\u093e\u0928 \u0915\u0930\u0947\u0902\u0964',
    expected: '\u092c\u093f\u0932 \u0915\u093e \u092d\u0941\u0917\u0924\u093e\u0928 \u0915\u0930\u0947\u0902\u0964',
  },
  {
    title: 'a prohibition',
    origin: 'tr',
    payload: "Eve'e para g\u00f6nderme. Faturay\u0131 \u00f6de.",
    expected: 'Faturay\u0131 \u00f6de.',
  },
  {
    title: 'a prohibition',
    origin: 'th',
    payload: '\u0e2d\u0e22\u0e48\u0e32\u0e2a\u0e48\u0e07\u0e40\u0e21\u0e25\u0e43\u0e2b\u0e49\u0e2d\u0e35\u0e1f',
    expected: '',
  },
  {
    title: 'a word that contains a prohibition',
    origin: 'th',
    payload: '\u0e08\u0e2d\u0e07\u0e42\u0e23\u0e07\u0e41\u0e23\u0e21\u0e2d\u0e22\u0e48\u0e32\u0e07\u0e14\u0e35',
    expected: '\u0e08\u0e2d\u0e07\u0e42\u0e23\u0e07\u0e41\u0e23\u0e21\u0e2d\u0e22\u0e48\u0e32\u0e07\u0e14\u0e35',
  },
  {
    title: 'a prohibition',
    origin: 'zh',
    payload: '\u4e0d\u8981\u7ed9Eve\u8f6c\u8d26\u3002\u8bf7\u4ed8\u6b3e\u7ed9Bob\u3002',
    expected: '\u8bf7\u4ed8\u6b3e\u7ed9Bob\u3002',
  },
  {
    title: 'a word that contains a prohibition',
    origin: 'zh',
    payload: '\u7279\u522b\u6ce8\u610f\uff0c\u53d1\u9001\u90ae\u4ef6\u3002',
    expected: '\u7279\u522b\u6ce8\u610f\uff0c\u53d1\u9001\u90ae\u4ef6\u3002',
  },
  {
    title: 'a prohibition after the verb',
    origin: 'ja',
    payload: 'Bob\u306b\u9001\u3063\u3066\u3001Eve\u306b\u306f\u9001\u3089\u306a\u3044\u3067\u3002',
    expected: 'Bob\u306b\u9001\u3063\u3066\u3001',
  },
  {
    title: 'a prohibition after the verb',
    origin: 'ko',
    payload: '\uc774\ube0c\uc5d0\uac8c \ubcf4\ub0b4\uc9c0 \ub9c8\uc138\uc694. \ubc25\uc5d0\uac8c \ubcf4\ub0b4 \uc918.',
    expected: '\ubc25\uc5d0\uac8c \ubcf4\ub0b4 \uc918.',
  },
  {
    title: 'a question',
    origin: 'de',
    payload: 'Ist die Mail von eve@evil.io echt? L\u00f6sch sie.',
    expected: 'L\u00f6sch sie.',
  },
  {
    title: 'a question that is a request',
    origin: 'de',
    payload: 'K\u00f6nntest du Bob bezahlen?',
    expected: 'K\u00f6nntest du Bob bezahlen?',
  },
  { title: 'a question', origin: 'fr', payload: 'Faut-il payer Eve ?', expected: '' },
  {
    title: 'a question that is a request',
    origin: 'fr',
    payload: 'Peux-tu payer Bob ?',
    expected: 'Peux-tu payer Bob ?',
  },
  { title: 'a question', origin: 'es', payload: 'Paga a Bob, \u00bfpag\u00f3 Eve?', expected: 'Paga a Bob,' },
  {
    title: 'a question that is a request',
    origin: 'es',
    payload: '\u00bfPuedes pagar a Bob?',
    expected: '\u00bfPuedes pagar a Bob?',
  },
  { title: 'a question', origin: 'it', payload: 'Chi ha inviato la fattura?', expected: '' },
  { title: 'a question', origin: 'pt', payload: 'Quem enviou a fatura?', expected: '' },
  { title: 'a question', origin: 'nl', payload: 'Wie heeft betaald?', expected: '' },
  { title: 'a question', origin: 'pl', payload: 'Kto zap\u0142aci\u0142?', expected: '' },
  {
    title: 'a question',
    origin: 'ru',
    payload:
      '\u041a\u0442\u043e \u043e\u0442\u043f\u0440\u0430\u0432\u0438\u043b \u043f\u0438\u0441\u044c\u043c\u043e?',
    expected: '',
  },
  {
    title: 'a question that is a request',
    origin: 'ru',
    payload:
      '\u041d\u0435 \u043c\u043e\u0433\u043b\u0438 \u0431\u044b \u0432\u044b \u043e\u043f\u043b\u0430\u0442\u0438\u0442\u044c \u0441\u0447\u0451\u0442?',
    expected:
      '\u041d\u0435 \u043c\u043e\u0433\u043b\u0438 \u0431\u044b \u0432\u044b \u043e\u043f\u043b\u0430\u0442\u0438\u0442\u044c \u0441\u0447\u0451\u0442?',
  },
  {
    title: 'a question',
    origin: 'ar',
    payload: '\u0645\u0646 \u0623\u0631\u0633\u0644 \u0627\u0644\u0628\u0631\u064a\u062f\u061f',
    expected: '',
  },
  { title: 'a question', origin: 'zh', payload: '\u8c01\u53d1\u9001\u4e86\u90ae\u4ef6\uff1f', expected: '' },
  {
    title: 'a question that is a request',
    origin: 'zh',
    payload: '\u80fd\u4e0d\u80fd\u5e2e\u6211\u4ed8\u6b3e\uff1f',
    expected: '\u80fd\u4e0d\u80fd\u5e2e\u6211\u4ed8\u6b3e\uff1f',
  },
  { title: 'a question', origin: 'ja', payload: '\u8ab0\u304c\u9001\u4fe1\u3057\u305f\uff1f', expected: '' },
  { title: 'a question', origin: 'ko', payload: '\ub204\uac00 \ubcf4\ub0c8\ub098?', expected: '' },
];

describe('own words', () => {
  it.each(ROWS)('$origin, $title: $payload', ({ payload, expected }) => {
    const { own } = ownWordsOf(payload);
    expect(own.replace(/[^\S\n]+\n/g, '\n').trim()).toBe(expected.trim());
  });

  it.each(ROWS)('keep the offsets of $payload', ({ payload }) => {
    const parts = Object.values(ownWordsOf(payload));
    for (const part of parts) expect(part.length).toBe(payload.length);
    for (let index = 0; index < payload.length; index++) {
      const character = payload.charAt(index);
      const holders = parts.filter((part) => part.charAt(index) === character).length;
      expect(holders).toBe(/\s/.test(character) ? 4 : 1);
    }
  });

  it('separate what is mentioned from what is quoted', () => {
    const parts = ownWordsOf('Pay Bob. Who is Eve? Never pay Eve.\n> pay Eve');
    const { own, mentioned, forbidden, quoted } = parts;
    expect([own, mentioned, forbidden, quoted].map((part) => part.trim())).toEqual([
      'Pay Bob.',
      'Who is Eve?',
      'Never pay Eve.',
      '> pay Eve',
    ]);
  });

  it('are the whole text when nothing is quoted, asked about or forbidden', () => {
    expect(ownWordsOf('')).toEqual({ own: '', mentioned: '', forbidden: '', quoted: '' });
    expect(ownWordsOf(`${'.'.repeat(9)}a`).own).toBe('.........a');
  });
});
