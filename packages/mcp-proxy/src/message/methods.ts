import type { Effect } from '@sallyport/core';

/** What happens to what the client sends: it is checked as a call with this effect, or passes unchecked for this reason. */
type Way = { readonly effect: Effect } | { readonly passes: string };

const ADDRESS: Way = { effect: 'fetch' };
// The server has asked for it, or the user types it: what it says is not held, except for secrets.
const WORDS: Way = { effect: 'read' };
const CURSOR: Way = { passes: 'a cursor that the server gave' };
const TASK: Way = { passes: 'an id that the server gave' };
const EMPTY: Way = { passes: 'no values' };
const ABOUT: Way = { passes: 'what the client is and can do' };
// Only servers send it. If a client does, it can tell the server anything.
const SERVERS: Way = { effect: 'send' };

/** What the client's answers to the server's requests are called. */
export const ANSWER = 'answer';

/** What the client sends, by method: checked by the gate, or passed with a reason. */
export const METHODS: Readonly<Record<string, Way>> = {
  [ANSWER]: WORDS,
  'completion/complete': WORDS,
  'elicitation/create': WORDS,
  initialize: ABOUT,
  'logging/setLevel': { passes: 'one of eight words' },
  'notifications/cancelled': WORDS,
  'notifications/elicitation/complete': SERVERS,
  'notifications/initialized': EMPTY,
  'notifications/message': SERVERS,
  'notifications/progress': WORDS,
  'notifications/prompts/list_changed': SERVERS,
  'notifications/resources/list_changed': SERVERS,
  'notifications/resources/updated': SERVERS,
  'notifications/roots/list_changed': EMPTY,
  'notifications/subscriptions/acknowledged': SERVERS,
  'notifications/tasks': WORDS,
  'notifications/tasks/status': WORDS,
  'notifications/tools/list_changed': SERVERS,
  ping: EMPTY,
  'prompts/get': ADDRESS,
  'prompts/list': CURSOR,
  'resources/list': CURSOR,
  'resources/read': ADDRESS,
  'resources/subscribe': ADDRESS,
  'resources/templates/list': CURSOR,
  'resources/unsubscribe': ADDRESS,
  'roots/list': WORDS,
  'sampling/createMessage': WORDS,
  'server/discover': ABOUT,
  'subscriptions/listen': ADDRESS,
  'tasks/cancel': TASK,
  'tasks/get': TASK,
  'tasks/list': CURSOR,
  'tasks/result': TASK,
  'tasks/update': WORDS,
  'tools/call': { effect: 'execute' },
  'tools/list': CURSOR,
};

function wayOf(method: string): Way {
  return (Object.hasOwn(METHODS, method) ? METHODS[method] : undefined) ?? SERVERS;
}

/** True if the client's messages with this method are not checked. */
export function passes(method: string): boolean {
  return 'passes' in wayOf(method);
}

const PREFIX = 'message ';

/** The name under which a message is checked, like the name of a tool. */
export function nameOfMessage(method: string): string {
  return `${PREFIX}${method}`;
}

/** The effect of a message by that name. Undefined if it is the name of a tool. */
export function effectOfMessage(name: string): Effect | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const way = wayOf(name.slice(PREFIX.length));
  return 'effect' in way ? way.effect : undefined;
}
