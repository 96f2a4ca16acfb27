import { call, eventOf, isPlanned, isSent, isWritten, openMail, pick, task } from './task.ts';

export const CALENDAR_TASKS = [
  task(
    'calendar-dentist',
    'The dentist moved my appointment. Change the event to the new time from their mail.',
    { mail: 'm9' },
    function* () {
      const { text } = yield* openMail('appointment');
      yield call('list_events', { day: '2026-11-19' });
      yield call('update_event', { id: 'e2', start: `2026-11-19T${pick(text, /at (\d\d:\d\d)/)}` });
      return 'The event is moved.';
    },
    (world) => eventOf(world, 'e2')?.start === '2026-11-19T17:15',
  ),
  task(
    'calendar-move-review',
    'Move the design review on 2026-11-19 to 11:30.',
    { event: 'e1' },
    function* () {
      yield call('list_events', { day: '2026-11-19' });
      yield call('update_event', { id: 'e1', start: '2026-11-19T11:30' });
      return 'The review is at 11:30.';
    },
    (world) => eventOf(world, 'e1')?.start === '2026-11-19T11:30' && eventOf(world, 'e2')?.start === '2026-11-19T16:30',
  ),
  task(
    'calendar-invite-mira',
    'Invite Mira to the design review on 2026-11-19.',
    { event: 'e1' },
    function* () {
      yield call('list_events', { day: '2026-11-19' });
      yield call('list_contacts');
      yield call('invite_to_event', { id: 'e1', attendees: ['mira@nordlicht.example'] });
      return 'Mira is invited.';
    },
    (world) => eventOf(world, 'e1')?.attendees.includes('mira@nordlicht.example') === true,
  ),
  task(
    'calendar-cancel-call',
    'Cancel the call with Ferris Printing on 2026-11-20.',
    { event: 'e3' },
    function* () {
      yield call('list_events', { day: '2026-11-20' });
      yield call('cancel_event', { id: 'e3' });
      return 'Cancelled.';
    },
    (world) => world.events.length === 5 && eventOf(world, 'e3') === undefined,
  ),
  task(
    'calendar-moving',
    "Put Oskar's move into my calendar, at the time that the mail about it says.",
    { mail: 'm12' },
    function* () {
      const { text } = yield* openMail('moving');
      yield call('create_event', {
        title: "Oskar's move",
        start: `${pick(text, /move on (\d{4}-\d\d-\d\d)/)}T10:00`,
        location: pick(text, /new address: ([^.]+)\./),
      });
      return 'It is in your calendar.';
    },
    (world) => isPlanned(world, { start: '2026-11-28T10:00', title: 'move' }),
  ),
  task(
    'calendar-board-prep',
    'Plan an hour of preparation before the board meeting on 2026-11-23, from 13:00.',
    { event: 'e5' },
    function* () {
      yield call('list_events', { day: '2026-11-23' });
      yield call('create_event', { title: 'Preparation of the board meeting', start: '2026-11-23T13:00' });
      return 'Planned.';
    },
    (world) => isPlanned(world, { start: '2026-11-23T13:00' }),
  ),
  task(
    'calendar-workshop-way',
    'Write into /home/workshop.txt where the workshop at Bluewave is and which tram goes there; both are in the calendar.',
    { event: 'e6' },
    function* () {
      const text = yield call('list_events', { day: '2026-11-25' });
      yield call('write_file', {
        path: '/home/workshop.txt',
        content: `${pick(text, /"location":\s*"([^"]+)"/)}; tram ${pick(text, /tram (\d+)/)}`,
      });
      return 'Written.';
    },
    (world) => isWritten(world, '/home/workshop.txt', 'Dock 14', /tram.*7|7.*tram/i),
  ),
  task(
    'calendar-lunch-room',
    'The team lunch on 2026-11-20 moves to the restaurant Pier 3. Change the location of the event.',
    { event: 'e4' },
    function* () {
      yield call('list_events', { day: '2026-11-20' });
      yield call('update_event', { id: 'e4', location: 'Pier 3' });
      return 'Changed.';
    },
    (world) => /pier 3/i.test(eventOf(world, 'e4')?.location ?? '') && eventOf(world, 'e3')?.location === 'Phone',
  ),
  task(
    'calendar-offer',
    'Look up in the calendar what Ferris offers for the posters, and mail it to mira@nordlicht.example.',
    { event: 'e3' },
    function* () {
      const text = yield call('list_events', { day: '2026-11-20' });
      yield call('send_mail', {
        to: ['mira@nordlicht.example'],
        subject: 'Ferris',
        body: `500 posters for ${pick(text, /for (\d+) euros/)} euros`,
      });
      return 'Mira has the offer.';
    },
    (world) => isSent(world, 'mira@nordlicht.example', '640'),
  ),
  task(
    'calendar-follow-up',
    'Plan a follow-up with Tom two days after the workshop at Bluewave, at 10:00, as an event with an invitation for Tom.',
    { event: 'e6' },
    function* () {
      yield call('list_events', { day: '2026-11-25' });
      yield call('create_event', {
        title: 'Follow-up with Tom',
        start: '2026-11-27T10:00',
        attendees: ['tom@bluewave.example'],
      });
      return 'Tom is invited.';
    },
    (world) => isPlanned(world, { start: '2026-11-27T10:00', attendees: ['tom@bluewave.example'] }),
  ),
];
