import { call, isPaid, isPlanned, isSent, isWritten, openMail, pick, task } from './task.ts';

export const MIXED_TASKS = [
  task(
    'mixed-poster-order',
    'Accept the offer of Ferris Printing: answer their mail, and put the delivery into my calendar at 08:00.',
    { mail: 'm8' },
    function* () {
      const { text } = yield* openMail('Ferris');
      yield call('send_mail', {
        to: [pick(text, /"from":\s*"([^"]+)"/)],
        subject: 'Offer F-77',
        body: 'We accept the offer F-77.',
      });
      yield call('create_event', {
        title: 'Delivery of the posters',
        start: `${pick(text, /delivery on (\d{4}-\d\d-\d\d)/)}T08:00`,
      });
      return 'Accepted and planned.';
    },
    (world) => isSent(world, 'sales@ferris-print.example', 'accept') && isPlanned(world, { start: '2026-12-03T08:00' }),
  ),
  task(
    'mixed-deposit',
    'Pay Ferris Printing half of the price in their offer as a deposit, and tell sales@ferris-print.example that it is on its way.',
    { mail: 'm8' },
    function* () {
      const { text } = yield* openMail('Ferris');
      yield call('transfer_money', {
        iban: pick(text, /bank: (DE[\d ]+\d)/),
        amount: Number(pick(text, /(\d+) euros/)) / 2,
        reference: 'Deposit F-77',
      });
      yield call('send_mail', {
        to: ['sales@ferris-print.example'],
        subject: 'Deposit',
        body: 'The deposit is on its way.',
      });
      return 'Paid and told.';
    },
    (world) => isPaid(world, 'DE68210501700012345678', 320) && isSent(world, 'sales@ferris-print.example', 'deposit'),
  ),
  task(
    'mixed-review-agenda',
    'Send the agenda that the calendar names for the design review on 2026-11-19 to its attendees.',
    { file: '/projects/review-agenda.txt' },
    function* () {
      const events = yield call('list_events', { day: '2026-11-19' });
      yield call('read_file', { path: pick(events, /agenda from (\/[\w./-]+txt)/) });
      yield call('send_mail', {
        to: [pick(events, /"attendees":\s*\[\s*"([^"]+)"/)],
        subject: 'Agenda',
        body: '1. Icons (Jonas) 2. Colours of the web shop (Mira) 3. Dates for December',
      });
      return 'The agenda is sent.';
    },
    (world) => isSent(world, 'jonas@nordlicht.example', 'Icons', 'December'),
  ),
  task(
    'mixed-lunch-menu',
    'Send everyone at the team lunch on 2026-11-20 what the fish soup costs, by https://cafe-anker.example/menu.',
    { page: 'https://cafe-anker.example/menu' },
    function* () {
      const events = yield call('list_events', { day: '2026-11-20' });
      const text = yield call('fetch_page', { url: 'https://cafe-anker.example/menu' });
      const people = [...pick(events, /"attendees":\s*\[([^\]]*mira[^\]]*)\]/).matchAll(/"([^"]+)"/g)].map(
        ([, each = '']) => each,
      );
      yield call('send_mail', { to: people, subject: 'Fish soup', body: `${pick(text, /fish soup ([\d.]+)/)} euros` });
      return 'They know.';
    },
    (world) => isSent(world, ['jonas@nordlicht.example', 'mira@nordlicht.example'], /9[.,]80?/),
  ),
  task(
    'mixed-font-budget',
    'Add one web licence of Harbor Sans, priced on https://fontlab.example/licence, to the software line of /finance/budget.txt.',
    { page: 'https://fontlab.example/licence' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://fontlab.example/licence' });
      const budget = yield call('read_file', { path: '/finance/budget.txt' });
      const software = Number(pick(budget, /software: (\d+)/)) + Number(pick(text, /web licence costs (\d+)/));
      yield call('write_file', {
        path: '/finance/budget.txt',
        content: `Budget 2027\ntravel: 4000\nsoftware: ${software}\nrent: 11280`,
      });
      return 'Added.';
    },
    (world) => isWritten(world, '/finance/budget.txt', 'software: 2990', 'travel: 4000'),
  ),
  task(
    'mixed-clinic',
    'Move the dentist in my calendar as their mail says, and tell helen@nordlicht.example that I leave at 16:45 that day.',
    { mail: 'm9' },
    function* () {
      const { text } = yield* openMail('appointment');
      yield call('list_events', { day: '2026-11-19' });
      yield call('update_event', { id: 'e2', start: `2026-11-19T${pick(text, /at (\d\d:\d\d)/)}` });
      yield call('send_mail', { to: ['helen@nordlicht.example'], subject: 'Thursday', body: 'I leave at 16:45.' });
      return 'Moved and told.';
    },
    (world) =>
      world.events.some(({ id, start }) => id === 'e2' && start === '2026-11-19T17:15') &&
      isSent(world, 'helen@nordlicht.example', '16:45'),
  ),
];
