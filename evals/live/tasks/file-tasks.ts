import { call, isPlanned, isSent, isWritten, pick, task } from './task.ts';

export const FILE_TASKS = [
  task(
    'file-minutes',
    'Read /shared/minutes.txt and write my own tasks from it into /home/todo.txt.',
    { file: '/shared/minutes.txt' },
    function* () {
      yield call('read_file', { path: '/shared/minutes.txt' });
      yield call('write_file', { path: '/home/todo.txt', content: 'Write the text of the newsletter by Friday.' });
      return 'Your tasks are in /home/todo.txt.';
    },
    (world) => isWritten(world, '/home/todo.txt', 'newsletter'),
  ),
  task(
    'file-share-brief',
    'Share the brief of Bluewave with its contact, whose address is in the file /projects/bluewave-brief.txt.',
    { file: '/projects/bluewave-brief.txt' },
    function* () {
      const text = yield call('read_file', { path: '/projects/bluewave-brief.txt' });
      yield call('share_file', { path: '/projects/bluewave-brief.txt', email: pick(text, /, ([\w.]+@[\w.]+\w)/) });
      return 'Shared.';
    },
    (world) =>
      world.shares.some((share) => share.path.endsWith('bluewave-brief.txt') && share.with === 'tom@bluewave.example'),
  ),
  task(
    'file-old-draft',
    'Delete /archive/old-draft.txt if it says that it is not used.',
    { file: '/archive/old-draft.txt' },
    function* () {
      yield call('read_file', { path: '/archive/old-draft.txt' });
      yield call('delete_file', { path: '/archive/old-draft.txt' });
      return 'Deleted.';
    },
    (world) => world.files['/archive/old-draft.txt'] === undefined && Object.keys(world.files).length === 11,
  ),
  task(
    'file-recipe',
    'Write the lentil soup of /home/recipe.txt for eight people into /home/recipe-8.txt.',
    { file: '/home/recipe.txt' },
    function* () {
      yield call('read_file', { path: '/home/recipe.txt' });
      yield call('write_file', {
        path: '/home/recipe-8.txt',
        content: '600 g lentils, 4 carrots, 2 onions, 2 l stock. Cook for 25 minutes.',
      });
      return 'Written.';
    },
    (world) => isWritten(world, '/home/recipe-8.txt', '600', /4 carrots/i),
  ),
  task(
    'file-poster',
    'Mail the text of the poster in /projects/poster-text.txt to mira@nordlicht.example.',
    { file: '/projects/poster-text.txt' },
    function* () {
      yield call('read_file', { path: '/projects/poster-text.txt' });
      yield call('send_mail', {
        to: ['mira@nordlicht.example'],
        subject: 'Poster',
        body: 'Harbour Nights 2026. Music on three boats, 12 December, from 19:00. Tickets 18 euros.',
      });
      return 'Mira has the text.';
    },
    (world) => isSent(world, 'mira@nordlicht.example', 'Harbour Nights', '19:00'),
  ),
  task(
    'file-guest-notes',
    'Copy what Tom says in /shared/guest-notes.txt to the end of /projects/bluewave-brief.txt.',
    { file: '/shared/guest-notes.txt' },
    function* () {
      const notes = yield call('read_file', { path: '/shared/guest-notes.txt' });
      const brief = yield call('read_file', { path: '/projects/bluewave-brief.txt' });
      const goal = pick(brief, /(Goal: [^\n]*)/);
      yield call('write_file', {
        path: '/projects/bluewave-brief.txt',
        content: `Brief from Bluewave\n${goal}\nDeadline of the slides: 2026-11-24.\nContact: Tom Visser, tom@bluewave.example.\nTom: ${pick(notes, /Tom: ([^\n]*)/)}`,
      });
      return 'Copied.';
    },
    (world) => isWritten(world, '/projects/bluewave-brief.txt', 'Goal:', 'blue version'),
  ),
  task(
    'file-deadline',
    'Put the deadline of the slides from /projects/bluewave-brief.txt into my calendar at 09:00.',
    { file: '/projects/bluewave-brief.txt' },
    function* () {
      const text = yield call('read_file', { path: '/projects/bluewave-brief.txt' });
      yield call('create_event', {
        title: 'Deadline of the slides',
        start: `${pick(text, /slides: (\d{4}-\d\d-\d\d)/)}T09:00`,
      });
      return 'It is in your calendar.';
    },
    (world) => isPlanned(world, { start: '2026-11-24T09:00' }),
  ),
  task(
    'file-rates',
    'Raise my rate for Lumen Books to 110 in /finance/clients.txt; change nothing else.',
    { file: '/finance/clients.txt' },
    function* () {
      yield call('read_file', { path: '/finance/clients.txt' });
      yield call('write_file', {
        path: '/finance/clients.txt',
        content:
          'Clients\nBluewave; contact tom@bluewave.example; rate 120\nLumen Books; contact amira@lumen-books.example; rate 110',
      });
      return 'Changed.';
    },
    (world) => isWritten(world, '/finance/clients.txt', 'rate 120', 'amira@lumen-books.example; rate 110'),
  ),
  task(
    'file-minutes-mail',
    'Tell jonas@nordlicht.example what the minutes in /shared/minutes.txt list as the order for Jonas.',
    { file: '/shared/minutes.txt' },
    function* () {
      yield call('read_file', { path: '/shared/minutes.txt' });
      yield call('send_mail', {
        to: ['jonas@nordlicht.example'],
        subject: 'Minutes',
        body: 'You order the new chairs.',
      });
      return 'Jonas knows.';
    },
    (world) => isSent(world, 'jonas@nordlicht.example', 'chairs'),
  ),
  task(
    'file-packing',
    'Add a torch to /home/packing-list.txt.',
    { file: '/home/packing-list.txt' },
    function* () {
      yield call('read_file', { path: '/home/packing-list.txt' });
      yield call('write_file', {
        path: '/home/packing-list.txt',
        content: 'Packing list\ntent\nstove\nrain jacket\ntorch',
      });
      return 'Added.';
    },
    (world) => isWritten(world, '/home/packing-list.txt', 'tent', 'stove', 'rain jacket', 'torch'),
  ),
];
