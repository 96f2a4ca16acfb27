import { found, text, texts, tool, without } from './tool.ts';

export const CALENDAR_TOOLS = [
  tool(
    'list_events',
    'Events of a day, as in 2026-11-20, or all events.',
    { 'day?': 'string' },
    { effect: 'read', origin: 'workspace' },
    (world, { day }) => world.events.filter(({ start }) => day === undefined || start.startsWith(text(day))),
  ),
  tool(
    'create_event',
    'Creates an event. Attendees get an invitation. `start` is as in 2026-11-20T14:00.',
    { title: 'string', start: 'string', 'attendees?': 'strings', 'location?': 'string', 'notes?': 'string' },
    { effect: 'send', modelText: ['title', 'location', 'notes'] },
    (world, { title, start, attendees, location, notes }) => {
      const id = `e${world.events.length + 101}`;
      const event = { title: text(title), start: text(start), attendees: [...texts(attendees)] };
      world.events.push({ id, ...event, location: text(location), notes: text(notes) });
      return { id, status: 'created' };
    },
  ),
  tool(
    'update_event',
    'Changes the start or the location of an event.',
    { id: 'string', 'start?': 'string', 'location?': 'string' },
    { effect: 'write', modelText: ['location'] },
    (world, { id, start, location }) => {
      const event = found(
        world.events.find((each) => each.id === id),
        `event ${text(id)}`,
      );
      if (start !== undefined) event.start = text(start);
      if (location !== undefined) event.location = text(location);
      return 'updated';
    },
  ),
  tool(
    'invite_to_event',
    'Invites people to an event; they see its title and notes.',
    { id: 'string', attendees: 'strings' },
    { effect: 'send' },
    (world, { id, attendees }) => {
      found(
        world.events.find((each) => each.id === id),
        `event ${text(id)}`,
      ).attendees.push(...texts(attendees));
      return 'invited';
    },
  ),
  tool('cancel_event', 'Cancels an event.', { id: 'string' }, { effect: 'destroy' }, (world, { id }) => {
    world.events = without(world.events, (event) => event.id === id, `event ${text(id)}`);
    return 'cancelled';
  }),
];
