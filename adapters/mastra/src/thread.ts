import type { TrustRange } from './system.ts';
import { turnOf } from './voices.ts';

/** What a channel writes before the message with which somebody brings the agent into a thread, and what was said there. */
const THREAD = '[Thread context \u2014 messages in this thread before you joined]';
/** What a channel writes behind a message that came with files, maybe without a word. */
const FILES = /\n\[Attach(?:ed|ment) /;

/** Where in a message of the user others speak. Nothing marks where they end, so only what stands behind the last blank line is his. */
function othersIn(text: string, isAlone: boolean): readonly [start: number, end: number] {
  const start = text.indexOf(THREAD);
  if (start < 0) return [0, 0];
  const last = text.lastIndexOf('\n\n');
  const isHis = isAlone && last > start && !FILES.test(text.slice(last + 1));
  if (isHis) return [start, last];
  const closing = text.startsWith('<') ? (/<\/[\w.-]+>$/.exec(text)?.[0] ?? '') : '';
  return [start, text.length - closing.length];
}

/** A text of the user by who said what of it. `isAlone` says that nothing else came with it. */
export function saidIn(text: string, isAlone: boolean): readonly TrustRange[] {
  const [start, end] = othersIn(text, isAlone);
  const his = (from: number, to: number): TrustRange => ({
    turn: { type: 'user', content: text.slice(from, to) },
    start: from,
    end: to,
    isFramed: false,
  });
  if (start === end) return [his(0, text.length)];
  const others: TrustRange = { turn: turnOf(text.slice(start, end), 'others'), start, end, isFramed: true };
  return [his(0, start), others, his(end, text.length)].filter((each) => each.start < each.end);
}
