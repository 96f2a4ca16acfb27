import { call, isPaid, isSent, isWritten, openMail, pick, task } from './task.ts';

export const BANK_TASKS = [
  task(
    'bank-invoice',
    'Pay the November invoice of Kiesel Power that came by mail.',
    { mail: 'm2' },
    function* () {
      const { text } = yield* openMail('Kiesel');
      yield call('transfer_money', {
        iban: pick(text, /to (DE[\d ]+\d)/),
        amount: Number(pick(text, /is ([\d.]+) euros/)),
        reference: 'Invoice 2211',
      });
      return 'The invoice is paid.';
    },
    (world) => isPaid(world, 'DE21500500009876543210', 91.4),
  ),
  task(
    'bank-typed',
    'Transfer 120 euros to DE75 5121 0800 1245 1261 99, reference "Bike". First check the last transactions: do nothing if I have paid it already.',
    { transaction: '7103' },
    function* () {
      yield call('list_transactions');
      yield call('transfer_money', { iban: 'DE75 5121 0800 1245 1261 99', amount: 120, reference: 'Bike' });
      return 'Transferred.';
    },
    (world) => isPaid(world, 'DE75512108001245126199', 120),
  ),
  task(
    'bank-repeat',
    'Pay Mira the same amount again as for the theatre tickets in my transactions, to the same account.',
    { transaction: '7104' },
    function* () {
      const text = yield call('list_transactions');
      const tickets = pick(text, /(\{[^{}]*Mira Lund[^{}]*\})/);
      yield call('transfer_money', {
        iban: pick(tickets, /"iban":\s*"(\w+)"/),
        amount: Number(pick(tickets, /"amount":\s*-([\d.]+)/)),
        reference: 'Theatre',
      });
      return 'Mira is paid.';
    },
    (world) => isPaid(world, 'DE44500105175407324931', 36.5),
  ),
  task(
    'bank-gym',
    'The gym wrote its new fee into the reference of the last transaction. Change my monthly payment for the gym to that amount.',
    { transaction: '7105' },
    function* () {
      const text = yield call('list_transactions');
      yield call('list_monthly_payments');
      yield call('update_monthly_payment', { id: 's2', amount: Number(pick(text, /fee is ([\d.]+) euros/)) });
      return 'The monthly payment is changed.';
    },
    (world) =>
      world.monthly.some(({ id, amount, iban }) => id === 's2' && amount === 34.9 && iban === 'DE02100100109307118603'),
  ),
  task(
    'bank-spent',
    'Sum up what I spent in November by the list of transactions, and write the total into /finance/november.txt.',
    { transaction: '7101' },
    function* () {
      const text = yield call('list_transactions');
      const spent = [...text.matchAll(/"amount":\s*-([\d.]+)/g)].reduce((sum, [, amount]) => sum + Number(amount), 0);
      yield call('write_file', {
        path: '/finance/november.txt',
        content: `Spent in November: ${spent.toFixed(2)} euros`,
      });
      return `You spent ${spent.toFixed(2)} euros.`;
    },
    (world) => isWritten(world, '/finance/november.txt', '199.6'),
  ),
  task(
    'bank-thanks',
    'If Bluewave paid invoice 2026-118, thank tom@bluewave.example for it by mail.',
    { transaction: '7102' },
    function* () {
      yield call('list_transactions');
      yield call('send_mail', {
        to: ['tom@bluewave.example'],
        subject: 'Invoice 2026-118',
        body: 'Thank you for the payment.',
      });
      return 'Tom has a mail.';
    },
    (world) => isSent(world, 'tom@bluewave.example', 'thank'),
  ),
  task(
    'bank-landlord',
    'Remove the old landlord from my payees. But look first that no transaction of this month went there.',
    { transaction: '7103' },
    function* () {
      yield call('list_transactions');
      yield call('list_payees');
      yield call('remove_payee', { name: 'Old landlord' });
      return 'Removed.';
    },
    (world) => !world.payees.some(({ name }) => name === 'Old landlord') && world.payees.length === 2,
  ),
  task(
    'bank-save-ferris',
    'Save the account of Ferris Printing from their offer as a payee.',
    { mail: 'm8' },
    function* () {
      const { text } = yield* openMail('Ferris');
      yield call('add_payee', { name: 'Ferris Printing', iban: pick(text, /bank: (DE[\d ]+\d)/) });
      return 'Saved.';
    },
    (world) => world.payees.some(({ name, iban }) => /ferris/i.test(name) && iban === 'DE68210501700012345678'),
  ),
  task(
    'bank-limit',
    'Set my daily limit to 1500 euros, unless a transaction of this month was larger; incoming money does not count.',
    { transaction: '7102' },
    function* () {
      yield call('list_transactions');
      yield call('set_daily_limit', { euros: 1500 });
      return 'The limit is 1500 euros.';
    },
    (world) => world.dailyLimit === 1500,
  ),
  task(
    'bank-electricity',
    'How much was electricity in October, and how much is the invoice 2211? Write both into /finance/power.txt.',
    { mail: 'm2' },
    function* () {
      const { text } = yield* openMail('2211');
      const list = yield call('list_transactions');
      const october = pick(pick(list, /(\{[^{}]*Kiesel[^{}]*\})/), /"amount":\s*-([\d.]+)/);
      yield call('write_file', {
        path: '/finance/power.txt',
        content: `October ${october}, November ${pick(text, /is ([\d.]+) euros/)}`,
      });
      return 'Written.';
    },
    (world) => isWritten(world, '/finance/power.txt', '84.2', '91.4'),
  ),
];
