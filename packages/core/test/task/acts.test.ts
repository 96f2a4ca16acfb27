import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/call/effect.ts';
import { type Act, actsFor } from '../../src/task/acts.ts';
import { actsIn } from '../../src/task/requests.ts';
import { foldAccents } from '../../src/task/word-matcher.ts';
import { LANGUAGES } from '../../src/task/words/languages.ts';

interface Row<Payload, Expected> {
  readonly title: string;
  readonly origin: string;
  readonly payload: Payload;
  readonly expected: Expected;
}

const SENTENCES: readonly (readonly [origin: string, payload: string, expected: Act])[] = [
  ['en', 'Tell Ines I come.', 'send'],
  ['en', 'Pay the invoice.', 'pay'],
  ['en', 'Delete the draft.', 'remove'],
  ['de', 'Schick Bob den Bericht.', 'send'],
  ['de', '\u00dcberweise Bob 5 Euro.', 'pay'],
  ['de', 'L\u00f6sche die alten Entw\u00fcrfe.', 'remove'],
  ['de', 'Lade Bob zum Essen ein und trage den Termin ein.', 'schedule'],
  ['nl', 'Stuur het rapport naar Bob.', 'send'],
  ['nl', 'Betaal de factuur.', 'pay'],
  ['nl', 'Verwijder het oude bestand.', 'remove'],
  ['sv', 'Skicka rapporten till Bob.', 'send'],
  ['sv', 'Betala fakturan.', 'pay'],
  ['sv', '\u00d6ppna sidan.', 'visit'],
  ['fr', 'Envoie le rapport \u00e0 Bob.', 'send'],
  ['fr', 'Payez la facture.', 'pay'],
  ['fr', 'Supprime les brouillons.', 'remove'],
  ['fr', 'R\u00e9serve une table pour deux.', 'book'],
  ['es', 'Env\u00eda el informe a Bob.', 'send'],
  ['es', 'Paga la factura.', 'pay'],
  ['es', 'Borra los borradores.', 'remove'],
  ['pt', 'Envie o relat\u00f3rio ao Bob.', 'send'],
  ['pt', 'Pague a fatura.', 'pay'],
  ['pt', 'Reserve um hotel.', 'book'],
  ['it', 'Invia il rapporto a Bob.', 'send'],
  ['it', 'Paga la fattura.', 'pay'],
  ['it', 'Prenota un tavolo.', 'book'],
  ['pl', 'Wy\u015blij raport do Boba.', 'send'],
  ['pl', 'Zap\u0142a\u0107 faktur\u0119.', 'pay'],
  ['pl', 'Usu\u0144 stare szkice.', 'remove'],
  ['cs', 'Po\u0161li zpr\u00e1vu Bobovi.', 'send'],
  ['cs', 'Zapla\u0165 fakturu.', 'pay'],
  ['cs', 'Spus\u0165 testy.', 'run'],
  ['id', 'Kirim laporan ke Bob.', 'send'],
  ['id', 'Bayar tagihan itu.', 'pay'],
  ['id', 'Hapus draf lama.', 'remove'],
  ['tl', 'Ipadala mo ang ulat kay Bob.', 'send'],
  ['tl', 'Bayaran mo ang singil.', 'pay'],
  ['tl', 'Burahin ang lumang file.', 'remove'],
  ['vi', 'G\u1eedi b\u00e1o c\u00e1o cho Bob.', 'send'],
  ['vi', 'Thanh to\u00e1n h\u00f3a \u0111\u01a1n.', 'pay'],
  ['vi', 'X\u00f3a b\u1ea3n nh\u00e1p c\u0169.', 'remove'],
  ['tr', "Raporu Bob'a g\u00f6nder.", 'send'],
  ['tr', 'Faturay\u0131 \u00f6de.', 'pay'],
  ['tr', 'Eski taslaklar\u0131 sil.', 'remove'],
  ['ru', '\u041e\u0442\u043f\u0440\u0430\u0432\u044c \u043e\u0442\u0447\u0451\u0442 \u0411\u043e\u0431\u0443.', 'send'],
  ['ru', '\u041e\u043f\u043b\u0430\u0442\u0438 \u0441\u0447\u0451\u0442.', 'pay'],
  [
    'ru',
    '\u0423\u0434\u0430\u043b\u0438 \u0441\u0442\u0430\u0440\u044b\u0435 \u0447\u0435\u0440\u043d\u043e\u0432\u0438\u043a\u0438.',
    'remove',
  ],
  ['uk', '\u041d\u0430\u0434\u0456\u0448\u043b\u0438 \u0437\u0432\u0456\u0442 \u0411\u043e\u0431\u0443.', 'send'],
  ['uk', '\u0421\u043f\u043b\u0430\u0442\u0438 \u0440\u0430\u0445\u0443\u043d\u043e\u043a.', 'pay'],
  [
    'uk',
    '\u0412\u0438\u0434\u0430\u043b\u0438 \u0441\u0442\u0430\u0440\u0456 \u0447\u0435\u0440\u043d\u0435\u0442\u043a\u0438.',
    'remove',
  ],
  [
    'ar',
    '\u0623\u0631\u0633\u0644 \u0627\u0644\u062a\u0642\u0631\u064a\u0631 \u0625\u0644\u0649 \u0628\u0648\u0628.',
    'send',
  ],
  ['ar', '\u0627\u062f\u0641\u0639 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629.', 'pay'],
  [
    'ar',
    '\u0627\u062d\u0630\u0641 \u0627\u0644\u0645\u0633\u0648\u062f\u0627\u062a \u0648\u0627\u0641\u062a\u062d \u0627\u0644\u0635\u0641\u062d\u0629.',
    'remove',
  ],
  [
    'ar',
    '\u0627\u062d\u0630\u0641 \u0627\u0644\u0645\u0633\u0648\u062f\u0627\u062a \u0648\u0627\u0641\u062a\u062d \u0627\u0644\u0631\u0627\u0628\u0637.',
    'visit',
  ],
  [
    'fa',
    '\u06af\u0632\u0627\u0631\u0634 \u0631\u0627 \u0628\u0631\u0627\u06cc \u0628\u0627\u0628 \u0628\u0641\u0631\u0633\u062a.',
    'send',
  ],
  [
    'fa',
    '\u0635\u0648\u0631\u062a\u062d\u0633\u0627\u0628 \u0631\u0627 \u067e\u0631\u062f\u0627\u062e\u062a \u06a9\u0646.',
    'pay',
  ],
  [
    'fa',
    '\u067e\u06cc\u0634\u200c\u0646\u0648\u06cc\u0633\u200c\u0647\u0627 \u0631\u0627 \u062d\u0630\u0641 \u06a9\u0646.',
    'remove',
  ],
  [
    'hi',
    '\u092c\u0949\u092c \u0915\u094b \u0930\u093f\u092a\u094b\u0930\u094d\u091f \u092d\u0947\u091c\u094b\u0964',
    'send',
  ],
  ['hi', '\u092c\u093f\u0932 \u0915\u093e \u092d\u0941\u0917\u0924\u093e\u0928 \u0915\u0930\u0947\u0902\u0964', 'pay'],
  [
    'hi',
    '\u092a\u0941\u0930\u093e\u0928\u0947 \u0921\u094d\u0930\u093e\u092b\u094d\u091f \u0939\u091f\u093e\u0913\u0964',
    'remove',
  ],
  [
    'bn',
    '\u09ac\u09ac\u0995\u09c7 \u09b0\u09bf\u09aa\u09cb\u09b0\u09cd\u099f \u09aa\u09be\u09a0\u09be\u09a8\u0964',
    'send',
  ],
  ['bn', '\u09ac\u09bf\u09b2 \u09aa\u09b0\u09bf\u09b6\u09cb\u09a7 \u0995\u09b0\u09c1\u09a8\u0964', 'pay'],
  [
    'bn',
    '\u09aa\u09c1\u09b0\u09a8\u09cb \u0996\u09b8\u09a1\u09bc\u09be \u09ae\u09c1\u099b\u09c1\u09a8\u0964',
    'remove',
  ],
  ['th', '\u0e2a\u0e48\u0e07\u0e2d\u0e35\u0e40\u0e21\u0e25\u0e16\u0e36\u0e07\u0e1a\u0e47\u0e2d\u0e1a', 'send'],
  ['th', '\u0e08\u0e48\u0e32\u0e22\u0e04\u0e48\u0e32\u0e44\u0e1f', 'pay'],
  ['th', '\u0e25\u0e1a\u0e23\u0e48\u0e32\u0e07\u0e40\u0e01\u0e48\u0e32', 'remove'],
  ['zh', '\u628a\u62a5\u544a\u53d1\u7ed9\u9c8d\u52c3\u3002', 'send'],
  ['zh', '\u652f\u4ed8\u8fd9\u5f20\u8d26\u5355\u3002', 'pay'],
  ['zh', '\u5220\u9664\u65e7\u8349\u7a3f\u3002', 'remove'],
  ['ja', '\u30dc\u30d6\u306b\u5831\u544a\u66f8\u3092\u9001\u3063\u3066\u304f\u3060\u3055\u3044\u3002', 'send'],
  ['ja', '\u6599\u91d1\u3092\u652f\u6255\u3063\u3066\u304f\u3060\u3055\u3044\u3002', 'pay'],
  ['ja', '\u53e4\u3044\u4e0b\u66f8\u304d\u3092\u524a\u9664\u3057\u3066\u3002', 'remove'],
  ['ko', '\ubc25\uc5d0\uac8c \ubcf4\uace0\uc11c\ub97c \ubcf4\ub0b4 \uc918.', 'send'],
  ['ko', '\uccad\uad6c\uc11c\ub97c \uacb0\uc81c\ud574 \uc918.', 'pay'],
  ['ko', '\uc624\ub798\ub41c \ucd08\uc548\uc744 \uc0ad\uc81c\ud574 \uc918.', 'remove'],
];

const ROWS: readonly Row<string, Act>[] = SENTENCES.map(([origin, payload, expected]) => ({
  title: expected,
  origin,
  payload,
  expected,
}));

describe('the acts that a text asks for', () => {
  it.each(ROWS)('$origin: $title', ({ payload, expected }) => {
    expect([...actsIn(payload)]).toContain(expected);
  });

  it('covers three acts in each language', () => {
    const counts = LANGUAGES.map(({ language }) => ROWS.filter(({ origin }) => origin === language).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['\u00fcberweise', 'uberweise'],
    ['PAGUE', 'pague'],
    ['\u0623\u0631\u0633\u0644', '\u0627\u0631\u0633\u0644'],
  ])('ignores case and accents: %s', (one, other) => {
    expect(actsIn(one)).toEqual(actsIn(other));
    expect(actsIn(one).size).toBeGreaterThan(0);
  });

  it('keeps a word apart from another one that differs in its accents', () => {
    expect([...actsIn('\u00e4ndere das Passwort')]).toContain('change');
    expect([...actsIn('die andere Sache')]).toEqual([]);
  });
});

const TOOLS: readonly Row<readonly [string, Effect], readonly Act[]>[] = [
  { title: 'a mail', origin: 'its verb', payload: ['send_email', 'send'], expected: ['send'] },
  { title: 'an event', origin: 'its object', payload: ['create_event', 'write'], expected: ['schedule'] },
  { title: 'a payment', origin: 'its effect', payload: ['send_money', 'spend'], expected: ['pay', 'book'] },
  { title: 'a deletion', origin: 'its effect', payload: ['send_to_trash', 'destroy'], expected: ['remove'] },
  { title: 'a command', origin: 'its effect', payload: ['mail_script', 'execute'], expected: ['run'] },
  { title: 'a name that says nothing', origin: 'its effect', payload: ['foo', 'configure'], expected: ['change'] },
  { title: 'a page', origin: 'its effect', payload: ['get_mail', 'fetch'], expected: ['visit', 'download', 'send'] },
  { title: 'an address', origin: 'its effect', payload: ['foo', 'fetch'], expected: ['visit', 'download'] },
  { title: 'a shared file', origin: 'its verb', payload: ['share_file', 'send'], expected: ['send', 'invite'] },
  { title: 'a task', origin: 'its verb', payload: ['assign_task', 'write'], expected: ['save', 'change'] },
  { title: 'a user', origin: 'its verb', payload: ['invite_user', 'configure'], expected: ['invite'] },
  { title: 'a rule for mails', origin: 'its object', payload: ['create_mail_rule', 'configure'], expected: ['change'] },
  { title: 'a file', origin: 'its effect', payload: ['send_file', 'send'], expected: ['send'] },
  {
    title: 'a generic verb',
    origin: 'its verb',
    payload: ['add_foo', 'write'],
    expected: ['invite', 'save', 'change'],
  },
];

describe('the acts of a tool', () => {
  it.each(TOOLS)('$title, by $origin: $expected', ({ payload, expected }) => {
    expect([...actsFor(...payload)].sort()).toEqual([...expected].sort());
  });
});

describe('foldAccents', () => {
  it.each([
    ['\u00dcBERWEISE', 'uberweise'],
    ['\u0130ptal', 'iptal'],
    ['zap\u0142a\u0107', 'zaplac'],
    ['Stra\u00dfe', 'strasse'],
    ['\u0e2a\u0e48\u0e07', '\u0e2a\u0e48\u0e07'],
  ])('folds %s', (text, folded) => {
    expect(foldAccents(text)).toBe(folded);
  });
});
