import { countOf, type Paint, printable } from '../terminal-text.ts';
import { IMPACTS, type Tally } from './tally.ts';

/** The results of all conversations, for a terminal. */
export function summary(tally: Tally, paint: Paint): string {
  const colors = { denied: 'red', asked: 'yellow', marked: 'cyan', unclear: 'bold', untouched: 'green' } as const;
  const total = Math.max(1, tally.conversations);
  const lines = IMPACTS.map((impact) => {
    const count = tally.impacts.get(impact) ?? 0;
    return `  ${paint(colors[impact], impact.padEnd(10))}${String(count).padStart(8)}  ${((count / total) * 100).toFixed(1).padStart(5)} %\n`;
  });
  const rules = [...tally.rules].sort(([, one], [, other]) => other - one);
  const why = rules.length === 0 ? '' : `  held by ${rules.map(([name, count]) => `${name} (${count})`).join(', ')}\n`;
  const formats = [...tally.formats].map(([name, count]) => `${count} ${name}`).join(', ');
  const positions = tally.unreadableAt.map((position) => printable(position)).join(', ');
  const more = tally.unreadable > tally.unreadableAt.length ? ', ...' : '';
  const broken =
    tally.unreadable === 0
      ? ''
      : `  ${countOf(tally.unreadable, 'entry', 'entries')} could not be read as a conversation: ${positions}${more}\n`;
  const unclear =
    tally.unclear === 0
      ? ''
      : `  ${countOf(tally.unclear, 'item')} in ${countOf(tally.unclearConversations, 'conversation')} ${tally.unclear === 1 ? 'was' : 'were'} not understood (unknown roles, parts or forms of calls): calls may be missing\n`;
  const strange =
    tally.mismatched === 0
      ? ''
      : `  ${tally.mismatched} of them ${tally.mismatched === 1 ? 'looks' : 'look'} like a format other than that of --format\n`;
  return `${countOf(tally.conversations, 'conversation')} (${formats}), ${countOf(tally.calls, 'call')}, ${tally.effects} of them with effects\n  ${tally.perHundredCalls}\n${lines.join('')}${why}${unclear}${broken}${strange}`;
}
