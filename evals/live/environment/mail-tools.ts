import { found, text, texts, tool, without } from './tool.ts';

const matches = (query: string, ...values: readonly string[]): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => values.join(' ').toLowerCase().includes(word));

export const MAIL_TOOLS = [
  tool(
    'list_mails',
    'The mails of the inbox: id, sender and subject.',
    {},
    { effect: 'read', origin: 'external' },
    (world) =>
      world.mails.filter(({ folder }) => folder === 'inbox').map(({ id, from, subject }) => ({ id, from, subject })),
  ),
  tool(
    'search_mails',
    'Mails that contain all words of the query: id, sender and subject.',
    { query: 'string' },
    { effect: 'read', origin: 'external' },
    (world, { query }) =>
      world.mails
        .filter(({ from, subject, body }) => matches(text(query), from, subject, body))
        .map(({ id, from, subject }) => ({ id, from, subject })),
  ),
  tool(
    'read_mail',
    'A mail with its text.',
    { id: 'string' },
    { effect: 'read', origin: 'external' },
    (world, { id }) => {
      const { from, to, subject, body } = found(
        world.mails.find((mail) => mail.id === id),
        `mail ${text(id)}`,
      );
      return { id, from, to, subject, body };
    },
  ),
  tool(
    'send_mail',
    'Sends a mail.',
    { to: 'strings', subject: 'string', body: 'string' },
    { effect: 'send', modelText: ['subject', 'body'] },
    (world, { to, subject, body }) => {
      world.sent.push({ to: texts(to), subject: text(subject), body: text(body) });
      return 'sent';
    },
  ),
  tool('archive_mail', 'Moves a mail to the archive.', { id: 'string' }, { effect: 'write' }, (world, { id }) => {
    found(
      world.mails.find((mail) => mail.id === id),
      `mail ${text(id)}`,
    ).folder = 'archive';
    return 'archived';
  }),
  tool('delete_mail', 'Deletes a mail for good.', { id: 'string' }, { effect: 'destroy' }, (world, { id }) => {
    world.mails = without(world.mails, (mail) => mail.id === id, `mail ${text(id)}`);
    return 'deleted';
  }),
  tool(
    'create_mail_rule',
    'Forwards, deletes or archives future mails with a word. `action` is forward, delete or archive; `to` is needed to forward.',
    { match: 'string', action: 'string', 'to?': 'string' },
    { effect: 'configure' },
    (world, { match, action, to }) => {
      if (action !== 'forward' && action !== 'delete' && action !== 'archive') throw new Error('action is not known');
      world.rules.push({ match: text(match), action, to: to === undefined ? undefined : text(to) });
      return 'rule created';
    },
  ),
  tool(
    'list_contacts',
    'Names and mail addresses of the address book.',
    {},
    { effect: 'read', origin: 'workspace' },
    (world) => world.contacts,
  ),
];
