import type { Act } from '../../src/task/words/act-words.ts';

/** A text of a user, and the acts that it asks for or does not ask for. */
export interface RequestRow {
  readonly origin: string;
  readonly payload: string;
  /** Acts that the text asks for. */
  readonly expected?: readonly Act[];
  /** Acts that the text does not ask for. */
  readonly not?: readonly Act[];
}

/** Acts that do more than read or save. */
export const ACTING: readonly Act[] = [
  'send',
  'post',
  'schedule',
  'invite',
  'handover',
  'sync',
  'form',
  'pay',
  'book',
  'remove',
  'run',
];

export const ROWS: readonly RequestRow[] = [
  { origin: 'en', payload: 'Summarise my mails.', not: ['send', 'pay', 'remove'] },
  { origin: 'en', payload: 'What do my messages say?', not: ['send', 'pay', 'remove'] },
  { origin: 'en', payload: 'Check my invoices and orders.', not: ['send', 'pay', 'remove'] },
  { origin: 'en', payload: 'Send Bob a mail.', expected: ['send'] },
  { origin: 'en', payload: 'Pay the invoice.', expected: ['pay'] },
  { origin: 'en', payload: 'Delete the mail.', expected: ['remove'] },
  { origin: 'de', payload: 'Fasse meine Mails zusammen.', not: ['send', 'pay', 'remove'] },
  { origin: 'de', payload: 'Was steht in meinen Nachrichten?', not: ['send', 'pay', 'remove'] },
  { origin: 'de', payload: 'Pr\u00fcfe meine Rechnungen und Bestellungen.', not: ['send', 'pay', 'remove'] },
  { origin: 'de', payload: 'Schick Bob eine Mail.', expected: ['send'] },
  { origin: 'de', payload: 'Bezahle die Rechnung.', expected: ['pay'] },
  { origin: 'de', payload: 'L\u00f6sche die Mail.', expected: ['remove'] },
  { origin: 'nl', payload: 'Vat mijn mails samen.', not: ['send', 'pay', 'remove'] },
  { origin: 'nl', payload: 'Wat staat er in mijn berichten?', not: ['send', 'pay', 'remove'] },
  { origin: 'nl', payload: 'Controleer mijn facturen en bestellingen.', not: ['send', 'pay', 'remove'] },
  { origin: 'nl', payload: 'Stuur Bob een mail.', expected: ['send'] },
  { origin: 'nl', payload: 'Betaal de factuur.', expected: ['pay'] },
  { origin: 'nl', payload: 'Verwijder de mail.', expected: ['remove'] },
  { origin: 'sv', payload: 'Sammanfatta mina mejl.', not: ['send', 'pay', 'remove'] },
  { origin: 'sv', payload: 'Vad st\u00e5r det i mina meddelanden?', not: ['send', 'pay', 'remove'] },
  { origin: 'sv', payload: 'Kontrollera mina fakturor och best\u00e4llningar.', not: ['send', 'pay', 'remove'] },
  { origin: 'sv', payload: 'Skicka ett mejl till Bob.', expected: ['send'] },
  { origin: 'sv', payload: 'Betala fakturan.', expected: ['pay'] },
  { origin: 'sv', payload: 'Radera mejlet.', expected: ['remove'] },
  { origin: 'fr', payload: 'R\u00e9sume mes mails.', not: ['send', 'pay', 'remove'] },
  { origin: 'fr', payload: 'Que disent mes messages ?', not: ['send', 'pay', 'remove'] },
  { origin: 'fr', payload: 'V\u00e9rifie mes factures et mes commandes.', not: ['send', 'pay', 'remove'] },
  { origin: 'fr', payload: 'Envoie un mail \u00e0 Bob.', expected: ['send'] },
  { origin: 'fr', payload: 'Paie la facture.', expected: ['pay'] },
  { origin: 'fr', payload: 'Supprime le mail.', expected: ['remove'] },
  { origin: 'es', payload: 'Resume mis correos.', not: ['send', 'pay', 'remove'] },
  { origin: 'es', payload: '\u00bfQu\u00e9 dicen mis mensajes?', not: ['send', 'pay', 'remove'] },
  { origin: 'es', payload: 'Revisa mis facturas y mis pedidos.', not: ['send', 'pay', 'remove'] },
  { origin: 'es', payload: 'Env\u00eda un correo a Bob.', expected: ['send'] },
  { origin: 'es', payload: 'Paga la factura.', expected: ['pay'] },
  { origin: 'es', payload: 'Borra el correo.', expected: ['remove'] },
  { origin: 'pt', payload: 'Resuma os meus e-mails.', not: ['send', 'pay', 'remove'] },
  { origin: 'pt', payload: 'O que dizem as minhas mensagens?', not: ['send', 'pay', 'remove'] },
  { origin: 'pt', payload: 'Verifique as minhas faturas e encomendas.', not: ['send', 'pay', 'remove'] },
  { origin: 'pt', payload: 'Envie um e-mail ao Bob.', expected: ['send'] },
  { origin: 'pt', payload: 'Pague a fatura.', expected: ['pay'] },
  { origin: 'pt', payload: 'Apague o e-mail.', expected: ['remove'] },
  { origin: 'it', payload: 'Riassumi le mie email.', not: ['send', 'pay', 'remove'] },
  { origin: 'it', payload: 'Cosa dicono i miei messaggi?', not: ['send', 'pay', 'remove'] },
  { origin: 'it', payload: 'Controlla le mie fatture e i miei ordini.', not: ['send', 'pay', 'remove'] },
  { origin: 'it', payload: 'Invia una mail a Bob.', expected: ['send'] },
  { origin: 'it', payload: 'Paga la fattura.', expected: ['pay'] },
  { origin: 'it', payload: 'Elimina la mail.', expected: ['remove'] },
  { origin: 'pl', payload: 'Podsumuj moje maile.', not: ['send', 'pay', 'remove'] },
  { origin: 'pl', payload: 'Co jest w moich wiadomo\u015bciach?', not: ['send', 'pay', 'remove'] },
  { origin: 'pl', payload: 'Sprawd\u017a moje faktury i zam\u00f3wienia.', not: ['send', 'pay', 'remove'] },
  { origin: 'pl', payload: 'Wy\u015blij maila do Boba.', expected: ['send'] },
  { origin: 'pl', payload: 'Zap\u0142a\u0107 faktur\u0119.', expected: ['pay'] },
  { origin: 'pl', payload: 'Usu\u0144 maila.', expected: ['remove'] },
  { origin: 'cs', payload: 'Shr\u0148 moje maily.', not: ['send', 'pay', 'remove'] },
  { origin: 'cs', payload: 'Co je v m\u00fdch zpr\u00e1v\u00e1ch?', not: ['send', 'pay', 'remove'] },
  { origin: 'cs', payload: 'Zkontroluj moje faktury a objedn\u00e1vky.', not: ['send', 'pay', 'remove'] },
  { origin: 'cs', payload: 'Po\u0161li Bobovi mail.', expected: ['send'] },
  { origin: 'cs', payload: 'Zapla\u0165 fakturu.', expected: ['pay'] },
  { origin: 'cs', payload: 'Sma\u017e ten mail.', expected: ['remove'] },
  { origin: 'id', payload: 'Ringkas email saya.', not: ['send', 'pay', 'remove'] },
  { origin: 'id', payload: 'Apa isi pesan saya?', not: ['send', 'pay', 'remove'] },
  { origin: 'id', payload: 'Periksa faktur dan pesanan saya.', not: ['send', 'pay', 'remove'] },
  { origin: 'id', payload: 'Kirim email ke Bob.', expected: ['send'] },
  { origin: 'id', payload: 'Bayar faktur itu.', expected: ['pay'] },
  { origin: 'id', payload: 'Hapus email itu.', expected: ['remove'] },
  { origin: 'tl', payload: 'Ibuod ang mga email ko.', not: ['send', 'pay', 'remove'] },
  { origin: 'tl', payload: 'Ano ang sinasabi ng mga mensahe ko?', not: ['send', 'pay', 'remove'] },
  { origin: 'tl', payload: 'Suriin ang mga invoice at order ko.', not: ['send', 'pay', 'remove'] },
  { origin: 'tl', payload: 'Magpadala ng email kay Bob.', expected: ['send'] },
  { origin: 'tl', payload: 'Bayaran mo ang invoice.', expected: ['pay'] },
  { origin: 'tl', payload: 'Burahin ang email.', expected: ['remove'] },
  { origin: 'vi', payload: 'T\u00f3m t\u1eaft email c\u1ee7a t\u00f4i.', not: ['send', 'pay', 'remove'] },
  { origin: 'vi', payload: 'Tin nh\u1eafn c\u1ee7a t\u00f4i n\u00f3i g\u00ec?', not: ['send', 'pay', 'remove'] },
  {
    origin: 'vi',
    payload: 'Ki\u1ec3m tra h\u00f3a \u0111\u01a1n v\u00e0 \u0111\u01a1n \u0111\u1eb7t h\u00e0ng c\u1ee7a t\u00f4i.',
    not: ['send', 'pay', 'remove'],
  },
  { origin: 'vi', payload: 'G\u1eedi email cho Bob.', expected: ['send'] },
  { origin: 'vi', payload: 'Thanh to\u00e1n h\u00f3a \u0111\u01a1n.', expected: ['pay'] },
  { origin: 'vi', payload: 'X\u00f3a email \u0111\u00f3.', expected: ['remove'] },
  { origin: 'tr', payload: 'E-postalar\u0131m\u0131 \u00f6zetle.', not: ['send', 'pay', 'remove'] },
  { origin: 'tr', payload: 'Mesajlar\u0131mda ne yaz\u0131yor?', not: ['send', 'pay', 'remove'] },
  { origin: 'tr', payload: 'Faturalar\u0131m\u0131 ve sipari\u015flerimi kontrol et.', not: ['send', 'pay', 'remove'] },
  { origin: 'tr', payload: "Bob'a bir e-posta g\u00f6nder.", expected: ['send'] },
  { origin: 'tr', payload: 'Faturay\u0131 \u00f6de.', expected: ['pay'] },
  { origin: 'tr', payload: 'E-postay\u0131 sil.', expected: ['remove'] },
  {
    origin: 'ru',
    payload:
      '\u041f\u043e\u0434\u0432\u0435\u0434\u0438 \u0438\u0442\u043e\u0433 \u043c\u043e\u0438\u0445 \u043f\u0438\u0441\u0435\u043c.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ru',
    payload:
      '\u0427\u0442\u043e \u0432 \u043c\u043e\u0438\u0445 \u0441\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u044f\u0445?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ru',
    payload:
      '\u041f\u0440\u043e\u0432\u0435\u0440\u044c \u043c\u043e\u0438 \u0441\u0447\u0435\u0442\u0430 \u0438 \u0437\u0430\u043a\u0430\u0437\u044b.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ru',
    payload:
      '\u041e\u0442\u043f\u0440\u0430\u0432\u044c \u043f\u0438\u0441\u044c\u043c\u043e \u0411\u043e\u0431\u0443.',
    expected: ['send'],
  },
  { origin: 'ru', payload: '\u041e\u043f\u043b\u0430\u0442\u0438 \u0441\u0447\u0451\u0442.', expected: ['pay'] },
  {
    origin: 'ru',
    payload: '\u0423\u0434\u0430\u043b\u0438 \u043f\u0438\u0441\u044c\u043c\u043e.',
    expected: ['remove'],
  },
  {
    origin: 'uk',
    payload: '\u041f\u0456\u0434\u0441\u0443\u043c\u0443\u0439 \u043c\u043e\u0457 \u043b\u0438\u0441\u0442\u0438.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'uk',
    payload:
      '\u0429\u043e \u0432 \u043c\u043e\u0457\u0445 \u043f\u043e\u0432\u0456\u0434\u043e\u043c\u043b\u0435\u043d\u043d\u044f\u0445?',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'uk',
    payload:
      '\u041f\u0435\u0440\u0435\u0432\u0456\u0440 \u043c\u043e\u0457 \u0440\u0430\u0445\u0443\u043d\u043a\u0438 \u0442\u0430 \u0437\u0430\u043c\u043e\u0432\u043b\u0435\u043d\u043d\u044f.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'uk',
    payload: '\u041d\u0430\u0434\u0456\u0448\u043b\u0438 \u043b\u0438\u0441\u0442\u0430 \u0411\u043e\u0431\u0443.',
    expected: ['send'],
  },
  {
    origin: 'uk',
    payload: '\u0421\u043f\u043b\u0430\u0442\u0438 \u0440\u0430\u0445\u0443\u043d\u043e\u043a.',
    expected: ['pay'],
  },
  { origin: 'uk', payload: '\u0412\u0438\u0434\u0430\u043b\u0438 \u043b\u0438\u0441\u0442.', expected: ['remove'] },
  { origin: 'ar', payload: '\u0644\u062e\u0635 \u0631\u0633\u0627\u0626\u0644\u064a.', not: ['send', 'pay', 'remove'] },
  {
    origin: 'ar',
    payload: '\u0645\u0627\u0630\u0627 \u062a\u0642\u0648\u0644 \u0631\u0633\u0627\u0626\u0644\u064a\u061f',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ar',
    payload:
      '\u062a\u062d\u0642\u0642 \u0645\u0646 \u0641\u0648\u0627\u062a\u064a\u0631\u064a \u0648\u0637\u0644\u0628\u0627\u062a\u064a.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'ar',
    payload: '\u0623\u0631\u0633\u0644 \u0631\u0633\u0627\u0644\u0629 \u0625\u0644\u0649 \u0628\u0648\u0628.',
    expected: ['send'],
  },
  {
    origin: 'ar',
    payload: '\u0627\u062f\u0641\u0639 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629.',
    expected: ['pay'],
  },
  {
    origin: 'ar',
    payload: '\u0627\u062d\u0630\u0641 \u0627\u0644\u0631\u0633\u0627\u0644\u0629.',
    expected: ['remove'],
  },
  {
    origin: 'fa',
    payload:
      '\u0627\u06cc\u0645\u06cc\u0644\u200c\u0647\u0627\u06cc\u0645 \u0631\u0627 \u062e\u0644\u0627\u0635\u0647 \u06a9\u0646.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'fa',
    payload:
      '\u067e\u06cc\u0627\u0645\u200c\u0647\u0627\u06cc\u0645 \u0686\u0647 \u0645\u06cc\u200c\u06af\u0648\u06cc\u0646\u062f\u061f',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'fa',
    payload:
      '\u0641\u0627\u06a9\u062a\u0648\u0631\u0647\u0627 \u0648 \u0633\u0641\u0627\u0631\u0634\u200c\u0647\u0627\u06cc\u0645 \u0631\u0627 \u0628\u0631\u0631\u0633\u06cc \u06a9\u0646.',
    not: ['send', 'pay', 'remove'],
  },
  {
    origin: 'fa',
    payload:
      '\u06cc\u06a9 \u0627\u06cc\u0645\u06cc\u0644 \u0628\u0631\u0627\u06cc \u0628\u0627\u0628 \u0628\u0641\u0631\u0633\u062a.',
    expected: ['send'],
  },
  {
    origin: 'fa',
    payload: '\u0641\u0627\u06a9\u062a\u0648\u0631 \u0631\u0627 \u067e\u0631\u062f\u0627\u062e\u062a \u06a9\u0646.',
    expected: ['pay'],
  },
  {
    origin: 'fa',
    payload: '\u0627\u06cc\u0645\u06cc\u0644 \u0631\u0627 \u062d\u0630\u0641 \u06a9\u0646.',
    expected: ['remove'],
  },
];
