import type { Held, ProxyEvent, Question } from '@sallyport/mcp-proxy';
import type { LogEntry } from '../log/entry.ts';
import { printable } from '../terminal-text.ts';

const DROPPED: Readonly<Record<string, string>> = {
  syntax: 'a line that is not JSON',
  kind: 'a line that is not a JSON-RPC message',
  oversized: 'a message that is too long',
  encoding: 'a message that is not valid UTF-8',
  unmatched: 'a response without a matching request',
  uncovered: 'a message that could not be framed',
  unallowed: 'a notification that nobody allowed',
};

function namesOf(held: readonly Held[]): string {
  return held.map((each) => (each.type === 'instructions' ? 'instructions' : printable(each.tool, 60))).join(', ');
}

function heldLine(held: readonly Held[]): string {
  const flagged = held.filter(({ type }) => type === 'flagged');
  const hidden = held.filter(({ type }) => type !== 'flagged');
  return [
    ...(hidden.length > 0 ? [`held until you accept: ${namesOf(hidden)}`] : []),
    ...(flagged.length > 0
      ? [`shown in frames until you accept, because the text may address the model: ${namesOf(flagged)}`]
      : []),
  ].join('; ');
}

/** The line that an event prints on standard error; undefined for events that print nothing. */
export function lineFor(server: string, event: ProxyEvent): string | undefined {
  const name = printable(server, 60);
  switch (event.type) {
    case 'held':
      return `${name}: ${heldLine(event.held)}. See the changes with: sallyport pins show ${name}`;
    case 'dropped':
      return `${name}: dropped ${DROPPED[event.reason]} from the ${event.from}`;
    case 'unchecked':
      return `${name}: a text was not checked (${event.reason}); it is passed on marked as unchecked`;
    case 'approvals-failed':
      return `${name}: the calls that are always approved could not be read or written (${event.cause}), so the call is held. See: sallyport rules`;
    case 'cut':
      return `${name}: a text was cut to ${event.shownBytes} of ${event.totalBytes} bytes (see --limit)`;
    default:
      return undefined;
  }
}

/** The line about a call that was not made, or that would not have been made if the policy did not only observe. */
export function lineForRefusal(
  server: string,
  { type, tool = '', reason = '', judged, id, call }: LogEntry,
): string | undefined {
  const what = `${printable(server, 60)}: the call to ${printable(tool, 80)}`;
  const why = printable(reason);
  switch (type) {
    case 'denied':
      return `${what} was denied. ${why} ${call === undefined ? 'See why: sallyport log' : `See why, and let it pass once: sallyport approve ${id}`}`;
    case 'held':
    case 'unanswered':
      return `${what} was not made: it was held and not approved. ${why} Allow it when it is made again: sallyport approve ${id}`;
    case 'declined':
      return `${what} was not made, because you denied it`;
    case 'observed':
      return `${what} was made; without observe mode it would have been ${judged === 'deny' ? 'denied' : 'held'}. ${why}`;
    default:
      return undefined;
  }
}

/** The line about a call that a host denies because it cannot ask, or because the policy denies it. */
export function lineForDenial(id: string | undefined, { server, tool, reason }: Question): string {
  const next =
    id === undefined ? 'See why: sallyport log' : `Let it pass when it is made again: sallyport approve ${id}`;
  return `${printable(server, 60)}: a call to ${printable(tool, 80)} was denied. ${printable(reason)} ${next}`;
}

export function lineForQuestion(id: string, { server, tool, reason }: Question): string {
  const what = `${printable(server, 60)}: a call to ${printable(tool, 80)} is held. ${printable(reason)}`;
  return `${what} Answer with: sallyport approve ${id} (or sallyport approve --deny ${id})`;
}
