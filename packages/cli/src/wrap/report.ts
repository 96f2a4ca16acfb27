import type { ProxyEvent, Question } from '@sallyport/mcp-proxy';
import { shown } from '../terminal-text.ts';

const DROPPED: Readonly<Record<string, string>> = {
  syntax: 'what is no JSON',
  kind: 'what is no message',
  oversized: 'a message that is too long',
  encoding: 'a message that is no UTF-8',
  unmatched: 'an answer that nobody asked for',
  uncovered: 'a message that could not be covered',
};

/** What the user is told on standard error; undefined for what is worth no line. */
export function lineFor(server: string, event: ProxyEvent): string | undefined {
  const name = shown(server, 60);
  switch (event.type) {
    case 'call':
      return event.outcome === 'allow'
        ? undefined
        : `${name}: the call of ${shown(event.tool, 80)} was not made (${event.outcome}, rule ${event.rule})`;
    case 'held': {
      const names = event.held.map((each) =>
        each.type === 'instructions' ? 'its instructions' : shown(each.tool, 60),
      );
      return `${name}: waits for you: ${names.join(', ')}. See: sallyport pins show ${name}`;
    }
    case 'dropped':
      return `${name}: dropped ${DROPPED[event.reason]} from the ${event.from}`;
    case 'unchecked':
      return `${name}: a text was not checked (${event.reason}) and is shown as unchecked`;
    case 'cut':
      return `${name}: shows ${event.shownBytes} of ${event.totalBytes} bytes of a text`;
    default:
      return undefined;
  }
}

export function lineForQuestion(id: string, { server, tool, reason }: Question): string {
  const what = `${shown(server, 60)}: holds a call of ${shown(tool, 80)}. ${shown(reason)}`;
  return `${what} Answer with: sallyport approve ${id} (or approve --deny ${id})`;
}
