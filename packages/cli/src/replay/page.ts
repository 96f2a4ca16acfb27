import type { Tool } from '@sallyport/core';
import { BEHAVIOUR, STYLE } from './look.ts';
import { escaped } from './marked.ts';
import { type Tally, TOUCHES } from './tally.ts';

export interface PageInput {
  readonly tally: Tally;
  readonly files: readonly string[];
  readonly preset: string;
  readonly guessed: readonly Tool[];
  /** Conversations as they are drawn, the worst first. */
  readonly drawn: readonly string[];
}

const MEANINGS: Readonly<Record<string, string>> = {
  denied: 'a call would not have been made',
  asked: 'a person would have been asked',
  marked: 'something is marked, and nothing held',
  untouched: 'nothing to see',
};

function rows(counts: ReadonlyMap<string, number>, meanings: Readonly<Record<string, string>> = {}): string {
  return [...counts]
    .sort(([, one], [, other]) => (Object.keys(meanings).length > 0 ? 0 : other - one))
    .slice(0, 10)
    .map(
      ([name, count]) =>
        `<tr><th scope="row">${escaped(name)}</th><td class="n">${count.toLocaleString('en-US')}</td><td class="soft">${meanings[name] ?? ''}</td></tr>`,
    )
    .join('');
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  return counts.size === 0 ? '' : `<section><h2>${title}</h2><table><tbody>${rows(counts)}</tbody></table></section>`;
}

function bar({ touches, conversations }: Tally): string {
  const parts = TOUCHES.map((touch) => {
    const share = ((touches.get(touch) ?? 0) / Math.max(1, conversations)) * 100;
    return `<span class="${touch}" style="width:${share.toFixed(3)}%"></span>`;
  });
  return `<div class="bar" role="img" aria-label="${TOUCHES.map((touch) => `${touches.get(touch) ?? 0} ${touch}`).join(', ')}">${parts.join('')}</div>`;
}

function guessedList(guessed: readonly Tool[]): string {
  if (guessed.length === 0) return '';
  const names = guessed.slice(0, 60).map(({ name, effect }) => `<li><code>${escaped(name)}</code> ${effect}</li>`);
  return `<h2>Effects that were guessed</h2><p>Nobody declared these tools: what they do was guessed by their names, and all they bring counts as outside content. Say it with <code>--tools</code>.</p><ul>${names.join('')}</ul>`;
}

/** The report as one page that needs nothing else. */
export function reportPage({ tally, files, preset, guessed, drawn }: PageInput): string {
  const total = tally.conversations.toLocaleString('en-US');
  const shown = drawn.length === 0 ? '<p>None.</p>' : drawn.join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Replay: ${total} conversations</title><style>${STYLE}</style></head><body>
<main><h1>What the boundary would have done</h1>
<p>${total} conversations of ${escaped(files.slice(0, 5).join(', '))}${files.length > 5 ? ' and others' : ''}, with ${tally.calls.toLocaleString('en-US')} calls, ${tally.effects.toLocaleString('en-US')} of them effects. Gate: <b>${escaped(preset)}</b>. The models did what they did: nothing was sent to any of them.</p>
${tally.unreadable === 0 ? '' : `<p>${tally.unreadable.toLocaleString('en-US')} entries could not be read as a conversation.</p>`}
${bar(tally)}<table><tbody>${rows(tally.touches, MEANINGS)}</tbody></table>
<div class="columns">${table('Rules that held calls', tally.rules)}${table('Tools that were held', tally.held)}</div>
<h2>Conversations</h2>
<p class="soft">From top to bottom: what came in, by whose words it is; what the model called; an arrow to each value that was held, from the place where its words stand.</p>
${shown}
${guessedList(guessed)}</main>
<script>${BEHAVIOUR}</script></body></html>
`;
}
