import type { TrustRange } from './system.ts';
import { turnOf } from './voices.ts';

/** The heading that a channel writes before the earlier messages of a thread to which the agent is added. */
const THREAD = '[Thread context \u2014 messages in this thread before you joined]';
/** The text that a channel appends to a message with files, which may have no other text. */
const FILES = /\n\[Attach(?:ed|ment) /;

/** The range of a user message that others wrote. Nothing marks its end, so only the text after the last blank line is the user's. */
function othersIn(text: string, isAlone: boolean): readonly [start: number, end: number] {
  const start = text.indexOf(THREAD);
  if (start < 0) return [0, 0];
  const last = text.lastIndexOf('\n\n');
  const isUsers = isAlone && last > start && !FILES.test(text.slice(last + 1));
  if (isUsers) return [start, last];
  const closing = text.startsWith('<') ? (/<\/[\w.-]+>$/.exec(text)?.[0] ?? '') : '';
  return [start, text.length - closing.length];
}

/** The ranges of a user message by author. `isAlone`: the message has no other part. */
export function userRangesOf(text: string, isAlone: boolean): readonly TrustRange[] {
  const [start, end] = othersIn(text, isAlone);
  const users = (from: number, to: number): TrustRange => ({
    turn: { type: 'user', content: text.slice(from, to) },
    start: from,
    end: to,
    isFramed: false,
  });
  if (start === end) return [users(0, text.length)];
  const others: TrustRange = { turn: turnOf(text.slice(start, end), 'others'), start, end, isFramed: true };
  return [users(0, start), others, users(end, text.length)].filter((each) => each.start < each.end);
}
