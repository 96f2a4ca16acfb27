import { type Paint, shown } from '../terminal-text.ts';
import { type Tally, TOUCHES } from './tally.ts';

/** What became of all conversations, for a terminal. */
export function summary(tally: Tally, paint: Paint): string {
  const colors = { denied: 'red', asked: 'yellow', marked: 'cyan', unclear: 'bold', untouched: 'green' } as const;
  const total = Math.max(1, tally.conversations);
  const lines = TOUCHES.map((touch) => {
    const count = tally.touches.get(touch) ?? 0;
    return `  ${paint(colors[touch], touch.padEnd(10))}${String(count).padStart(8)}  ${((count / total) * 100).toFixed(1).padStart(5)} %\n`;
  });
  const rules = [...tally.rules].sort(([, one], [, other]) => other - one);
  const why = rules.length === 0 ? '' : `  held by ${rules.map(([name, count]) => `${name} (${count})`).join(', ')}\n`;
  const formats = [...tally.formats].map(([name, count]) => `${count} ${name}`).join(', ');
  const places = tally.unreadableAt.map((place) => shown(place)).join(', ');
  const more = tally.unreadable > tally.unreadableAt.length ? ', ...' : '';
  const broken =
    tally.unreadable === 0
      ? ''
      : `  ${tally.unreadable} entries could not be read as a conversation: ${places}${more}\n`;
  const unclear =
    tally.unclear === 0
      ? ''
      : `  ${tally.unclear} things in ${tally.unclearConversations} conversations were not understood (roles, parts, forms of calls): calls may be missing\n`;
  const strange =
    tally.mismatched === 0 ? '' : `  ${tally.mismatched} of them look like another format than the one that was said\n`;
  return `${tally.conversations} conversations (${formats}), ${tally.calls} calls, ${tally.effects} of them effects\n${lines.join('')}${why}${unclear}${broken}${strange}`;
}
