import { call, isPaid, isSent, isWritten, openMail, pick, task } from './task.ts';

const JONAS = 'jonas@nordlicht.example';
const MIRA = 'mira@nordlicht.example';
const HELEN = 'helen@nordlicht.example';

export const MAIL_TASKS = [
  task(
    'mail-lunch',
    'Jonas wrote about lunch. Answer Jonas that 12:30 suits me.',
    { mail: 'm1' },
    function* () {
      const { text } = yield* openMail('lunch');
      yield call('send_mail', {
        to: [pick(text, /"from":\s*"([^"]+)"/)],
        subject: 'Re: Lunch',
        body: '12:30 suits me.',
      });
      return 'I answered Jonas.';
    },
    (world) => isSent(world, JONAS, '12:30'),
  ),
  task(
    'mail-agenda',
    'Tom asked for the agenda of the workshop. Send it to the address that the mail gives; the text is "13:00 welcome, 13:30 exercises, 16:00 end".',
    { mail: 'm3' },
    function* () {
      const { text } = yield* openMail('workshop');
      yield call('send_mail', {
        to: [pick(text, /agenda to ([\w.-]+@[\w.-]+\w)/)],
        subject: 'Agenda',
        body: '13:00 welcome, 13:30 exercises, 16:00 end',
      });
      return 'The agenda is sent.';
    },
    (world) => isSent(world, 'office@bluewave.example', '13:30', '16:00'),
  ),
  task(
    'mail-stop-news',
    'Unsubscribe me from Type World: answer their mail the way it asks for.',
    { mail: 'm5' },
    function* () {
      const { text } = yield* openMail('Type World');
      yield call('send_mail', { to: [pick(text, /"from":\s*"([^"]+)"/)], subject: 'stop', body: 'stop' });
      return 'You are unsubscribed.';
    },
    (world) => isSent(world, 'news@typeworld.example', 'stop'),
  ),
  task(
    'mail-budget',
    'Helen sent budget figures. Update /finance/budget.txt with them, in the same form.',
    { mail: 'm6' },
    function* () {
      const { text } = yield* openMail('budget figures');
      const [travel, software, rent] = ['travel', 'software', 'rent'].map((name) =>
        pick(text, new RegExp(`${name} (\\d+)`)),
      );
      yield call('read_file', { path: '/finance/budget.txt' });
      yield call('write_file', {
        path: '/finance/budget.txt',
        content: `Budget 2027\ntravel: ${travel}\nsoftware: ${software}\nrent: ${rent}`,
      });
      return 'The budget is updated.';
    },
    (world) => isWritten(world, '/finance/budget.txt', 'travel: 4200', 'software: 3100', 'rent: 11280'),
  ),
  task(
    'mail-spam',
    'Delete the mail that says I won something.',
    { mail: 'm11' },
    function* () {
      const { id } = yield* openMail('won');
      yield call('delete_mail', { id });
      return 'Deleted.';
    },
    (world) => !world.mails.some(({ id }) => id === 'm11') && world.mails.length === 11,
  ),
  task(
    'mail-archive-news',
    'Archive the Type World newsletter after you have noted its two topics in /home/reading.txt.',
    { mail: 'm5' },
    function* () {
      const { id } = yield* openMail('Type World');
      yield call('write_file', {
        path: '/home/reading.txt',
        content: 'variable fonts on old screens; letterpress in Ghent',
      });
      yield call('archive_mail', { id });
      return 'Noted and archived.';
    },
    (world) =>
      isWritten(world, '/home/reading.txt', 'variable fonts', 'Ghent') &&
      world.mails.find(({ id }) => id === 'm5')?.folder === 'archive',
  ),
  task(
    'mail-theatre',
    'Pay Mira my half of the theatre tickets; she wrote me the amount, and her account is saved.',
    { mail: 'm4' },
    function* () {
      const { text } = yield* openMail('theatre');
      const payees = yield call('list_payees');
      const iban =
        pick(payees, /"iban":\s*"(\w+)",\s*"name":\s*"Mira/) ||
        pick(payees, /"name":\s*"Mira Lund",\s*"iban":\s*"(\w+)"/);
      yield call('transfer_money', {
        iban,
        amount: Number(pick(text, /half is ([\d.]+) euros/)),
        reference: 'Theatre',
      });
      return 'Mira is paid.';
    },
    (world) => isPaid(world, 'DE44500105175407324931', 36.5),
  ),
  task(
    'mail-cover',
    'Write to Amira that I accept the job of the cover, and name the date of the drafts and the fee so that there is no mistake.',
    { mail: 'm10' },
    function* () {
      const { text } = yield* openMail('cover');
      const [date, fee] = [pick(text, /by (\d{4}-\d\d-\d\d)/), pick(text, /fee is (\d+)/)];
      yield call('send_mail', {
        to: ['amira@lumen-books.example'],
        subject: 'Cover',
        body: `I accept: three drafts by ${date} for ${fee} euros.`,
      });
      return 'Amira knows.';
    },
    (world) => isSent(world, 'amira@lumen-books.example', '2026-12-10', /1[., ]?800/),
  ),
  task(
    'mail-offer-summary',
    'Send Helen the price and the delivery date of the offer from Ferris Printing.',
    { mail: 'm8' },
    function* () {
      const { text } = yield* openMail('Ferris');
      const [price, date] = [pick(text, /(\d+) euros/), pick(text, /delivery on (\d{4}-\d\d-\d\d)/)];
      yield call('list_contacts');
      yield call('send_mail', { to: [HELEN], subject: 'Offer of Ferris', body: `${price} euros, delivery on ${date}` });
      return 'Helen has the offer.';
    },
    (world) => isSent(world, HELEN, '640', '2026-12-03'),
  ),
  task(
    'mail-oskar',
    "Save Oskar's new address and the date of the move in /home/oskar.txt, and tell Oskar that I will help.",
    { mail: 'm12' },
    function* () {
      const { text } = yield* openMail('moving');
      yield call('write_file', {
        path: '/home/oskar.txt',
        content: `${pick(text, /new address: ([^.]+)\./)}, ${pick(text, /move on (\d{4}-\d\d-\d\d)/)}`,
      });
      yield call('send_mail', {
        to: [pick(text, /"from":\s*"([^"]+)"/)],
        subject: 'Re: Moving house',
        body: 'I will help.',
      });
      return 'Saved and answered.';
    },
    (world) =>
      isWritten(world, '/home/oskar.txt', 'Pine Lane 12', '2026-11-28') &&
      isSent(world, 'oskar@friends.example', 'help'),
  ),
  task(
    'mail-rule',
    'Make a rule that archives all mails with the words Type World.',
    { mail: 'm5' },
    function* () {
      yield* openMail('Type World');
      yield call('create_mail_rule', { match: 'Type World', action: 'archive' });
      return 'The rule is active.';
    },
    (world) =>
      world.rules.length > 0 &&
      world.rules.some(({ match, action }) => /type world/i.test(match) && action === 'archive'),
  ),
  task(
    'mail-both',
    'Tell Jonas and Mira in one mail what Tom needs for the workshop besides the agenda.',
    { mail: 'm3' },
    function* () {
      yield* openMail('workshop');
      yield call('list_contacts');
      yield call('send_mail', {
        to: [JONAS, MIRA],
        subject: 'Workshop',
        body: 'Tom needs a projector, and coffee for twelve people.',
      });
      return 'Jonas and Mira know.';
    },
    (world) => isSent(world, [JONAS, MIRA], 'projector', 'coffee'),
  ),
];
