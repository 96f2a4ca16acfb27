import type { ProxyEvent, Question } from '@sallyport/mcp-proxy';
import { printable } from '../terminal-text.ts';

const DROPPED: Readonly<Record<string, string>> = {
  syntax: 'a line that is not JSON',
  kind: 'a line that is not a JSON-RPC message',
  oversized: 'a message that is too long',
  encoding: 'a message that is not valid UTF-8',
  unmatched: 'a response without a matching request',
  uncovered: 'a message that could not be framed',
};

/** The line that an event prints on standard error; undefined for events that print nothing. */
export function lineFor(server: string, event: ProxyEvent): string | undefined {
  const name = printable(server, 60);
  switch (event.type) {
    case 'call':
      return event.outcome === 'allow'
        ? undefined
        : `${name}: the call to ${printable(event.tool, 80)} was not made (${event.outcome}, rule ${event.rule})`;
    case 'held': {
      const names = event.held.map((each) =>
        each.type === 'instructions' ? 'instructions' : printable(each.tool, 60),
      );
      return `${name}: held until you accept: ${names.join(', ')}. See the changes with: sallyport pins show ${name}`;
    }
    case 'dropped':
      return `${name}: dropped ${DROPPED[event.reason]} from the ${event.from}`;
    case 'unchecked':
      return `${name}: a text was not checked (${event.reason}); it is passed on marked as unchecked`;
    case 'approvals-failed':
      return `${name}: what you approved always could not be read or written (${event.cause}); the call is held. See: sallyport approve --list`;
    case 'cut':
      return `${name}: a text was cut to ${event.shownBytes} of ${event.totalBytes} bytes (see --limit)`;
    default:
      return undefined;
  }
}

export function lineForQuestion(id: string, { server, tool, reason }: Question): string {
  const what = `${printable(server, 60)}: a call to ${printable(tool, 80)} is held. ${printable(reason)}`;
  return `${what} Answer with: sallyport approve ${id} (or sallyport approve --deny ${id})`;
}
