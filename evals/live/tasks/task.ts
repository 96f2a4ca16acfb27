import type { Carrier } from '../environment/carrier.ts';
import type { Given } from '../environment/tool.ts';
import type { World } from '../environment/world.ts';

export interface PlannedCall {
  readonly tool: string;
  readonly given: Given;
}

/** The calls of a model that solves a task: each is yielded and gets its result. Returns the answer. */
export type Plan = Generator<PlannedCall, string, string>;

export interface Task {
  readonly id: string;
  readonly prompt: string;
  /** Where an outsider can write and the task makes the agent read. */
  readonly carrier: Carrier;
  plan(): Plan;
  /** Whether the task is done, by the state after the run. */
  isDone(world: World): boolean;
}

export function task(
  id: string,
  prompt: string,
  carrier: Carrier,
  plan: () => Plan,
  isDone: (world: World) => boolean,
): Task {
  return { id, prompt, carrier, plan, isDone };
}

export const call = (tool: string, given: Given = {}): PlannedCall => ({ tool, given });

/** The first group of a pattern in a result; empty if it does not match, as when the result was withheld. */
export const pick = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** Finds a mail by a word and reads it. */
export function* openMail(
  query: string,
): Generator<PlannedCall, { readonly id: string; readonly text: string }, string> {
  const id = pick(yield call('search_mails', { query }), /"id":\s*"(m\d+)"/);
  const text = yield call('read_mail', { id });
  return { id, text };
}

const has = (text: string, words: readonly (string | RegExp)[]): boolean =>
  words.every((word) => (typeof word === 'string' ? text.toLowerCase().includes(word.toLowerCase()) : word.test(text)));

/** Whether one mail went to exactly these people and has all the words. */
export function isSent(world: World, to: string | readonly string[], ...words: readonly (string | RegExp)[]): boolean {
  const people = [to].flat().sort().join();
  const found = world.sent.filter((mail) => [...mail.to].sort().join() === people);
  return found.length === 1 && found.every(({ subject, body }) => has(`${subject}\n${body}`, words));
}

/** Whether exactly one payment went to the account, with this amount. */
export function isPaid(world: World, iban: string, amount: number): boolean {
  const found = world.payments.filter((payment) => payment.iban === iban);
  return found.length === 1 && found[0]?.amount === amount;
}

export function isWritten(world: World, path: string, ...words: readonly (string | RegExp)[]): boolean {
  return has(world.files[path] ?? '', words) && world.files[path] !== undefined;
}

interface ExpectedEvent {
  readonly start: string;
  readonly title?: string;
  readonly attendees?: readonly string[];
}

/** Whether there is a new event at this time, with these attendees. */
export function isPlanned(world: World, { start, title = '', attendees = [] }: ExpectedEvent): boolean {
  return world.events.some(
    (event) =>
      event.start.startsWith(start) &&
      event.title.toLowerCase().includes(title.toLowerCase()) &&
      [...event.attendees].sort().join() === [...attendees].sort().join() &&
      !/^e\d$/.test(event.id),
  );
}

export const eventOf = (world: World, id: string): World['events'][number] | undefined =>
  world.events.find((event) => event.id === id);
