import { amountOf, found, text, tool, without } from './tool.ts';

const canonical = (iban: unknown): string => text(iban).replaceAll(' ', '').toUpperCase();

export const BANK_TOOLS = [
  tool('get_balance', 'The balance of the account in euros.', {}, { effect: 'read', trusted: true }, (world) => ({
    balance: world.balance,
  })),
  tool(
    'list_transactions',
    'The last transactions. The party wrote the reference.',
    {},
    { effect: 'read', origin: 'external', serviceFields: { '/*/id': 'id', '/*/date': 'date', '/*/amount': 'number' } },
    (world) => world.transactions,
  ),
  tool(
    'list_payees',
    'Names and accounts that the user has saved.',
    {},
    { effect: 'read', origin: 'workspace' },
    (world) => world.payees,
  ),
  tool(
    'transfer_money',
    'Transfers euros to an account.',
    { iban: 'string', amount: 'number', reference: 'string' },
    { effect: 'spend', modelText: ['reference'] },
    (world, { iban, amount, reference }) => {
      const euros = amountOf(amount);
      if (euros > world.dailyLimit) throw new Error(`the daily limit is ${world.dailyLimit}`);
      world.payments.push({ iban: canonical(iban), amount: euros, reference: text(reference) });
      world.balance -= euros;
      return 'transferred';
    },
  ),
  tool(
    'add_payee',
    'Saves a name with its account.',
    { name: 'string', iban: 'string' },
    { effect: 'configure', modelText: ['name'] },
    (world, { name, iban }) => {
      world.payees.push({ name: text(name), iban: canonical(iban) });
      return 'saved';
    },
  ),
  tool('remove_payee', 'Removes a saved account.', { name: 'string' }, { effect: 'destroy' }, (world, { name }) => {
    world.payees = without(world.payees, (payee) => payee.name === name, `payee ${text(name)}`);
    return 'removed';
  }),
  tool(
    'list_monthly_payments',
    'Payments of every month.',
    {},
    { effect: 'read', origin: 'workspace' },
    (world) => world.monthly,
  ),
  tool(
    'update_monthly_payment',
    'Changes the account or the amount of a monthly payment.',
    { id: 'string', 'iban?': 'string', 'amount?': 'number' },
    { effect: 'configure' },
    (world, { id, iban, amount }) => {
      const order = found(
        world.monthly.find((each) => each.id === id),
        `monthly payment ${text(id)}`,
      );
      if (iban !== undefined) order.iban = canonical(iban);
      if (amount !== undefined) order.amount = amountOf(amount);
      return 'updated';
    },
  ),
  tool(
    'set_daily_limit',
    'Changes the daily limit of transfers.',
    { euros: 'number' },
    { effect: 'configure' },
    (world, { euros }) => {
      world.dailyLimit = amountOf(euros);
      return 'changed';
    },
  ),
];
