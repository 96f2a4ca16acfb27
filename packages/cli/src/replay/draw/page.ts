import type { Tool } from '@sallyport/core';
import { type Tally, TOUCHES } from '../tally.ts';
import { escaped } from './marked.ts';
import { BEHAVIOUR, STYLE } from './style.ts';

export interface PageInput {
  readonly tally: Tally;
  readonly files: readonly string[];
  readonly preset: string;
  readonly guessed: readonly Tool[];
  /** Conversations as they are drawn, the worst first. */
  readonly drawn: readonly string[];
}

/** What names mean. A tool may be called as it likes, `constructor` too. */
type Meanings = ReadonlyMap<string, string>;

const MEANINGS: Meanings = new Map([
  ['denied', 'a call would not have been made'],
  ['asked', 'a person would have been asked'],
  ['marked', 'something is marked, and nothing held'],
  ['unclear', 'nothing is marked or held in what could be read, and something could not be'],
  ['untouched', 'nothing to see'],
]);

const RULES: Meanings = new Map([
  ['instructed', 'a value comes from a passage that tries to instruct the model'],
  ['suspected', 'a value comes from something that reads a little like an instruction'],
  ['requested', 'a value comes from a sentence of others that asks for something'],
  ['named', 'an instruction speaks of what the tool does, and a value has no voucher'],
  ['confidential', 'private data would go to an address that others chose'],
  ['addressed', 'a free text holds an address that others want used'],
  ['unvouched', 'a value that no trusted party vouches for'],
  ['undeclared', 'nobody said what the tool does'],
]);

const LEGEND = `<ul class="legend" aria-label="Colours"><li class="own">the developer, the user, trusted</li><li class="shared">workspace, retrieved</li><li class="outside">outside, unknown</li><li class="high">reads like an instruction</li><li class="medium">a little</li><li class="low">hardly</li><li class="taken">words that became a value of a held call</li></ul>
<p class="soft">Beside a held value stands whose words it is: <b>flagged</b> in a passage that instructs the model, <b>suspect</b> in one that may, <b>requested</b> in a sentence that asks for something, <b>open</b> in content of others, <b>pointed</b> in what the user pointed at, <b>own</b> nowhere, <b>vouched</b> with a trusted party.</p>`;

function rows(counts: Iterable<readonly [string, number]>, meanings: Meanings): string {
  return [...counts]
    .slice(0, 10)
    .map(
      ([name, count]) =>
        `<tr><th scope="row">${escaped(name)}</th><td class="n">${count.toLocaleString('en-US')}</td><td class="soft">${meanings.get(name) ?? ''}</td></tr>`,
    )
    .join('');
}

function table(title: string, counts: ReadonlyMap<string, number>, meanings: Meanings = new Map()): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return counts.size === 0
    ? ''
    : `<section><h2>${title}</h2><table><tbody>${rows(sorted, meanings)}</tbody></table></section>`;
}

function bar({ touches, conversations }: Tally): string {
  const parts = TOUCHES.map((touch) => {
    const share = ((touches.get(touch) ?? 0) / Math.max(1, conversations)) * 100;
    return `<span class="${touch}" style="width:${share.toFixed(3)}%"></span>`;
  });
  return `<div class="bar" role="img" aria-label="${TOUCHES.map((touch) => `${touches.get(touch) ?? 0} ${touch}`).join(', ')}">${parts.join('')}</div>`;
}

function unclearNote({ unclear, unclearConversations }: Tally): string {
  if (unclear === 0) return '';
  const [count, among] = [unclear, unclearConversations].map((each) => each.toLocaleString('en-US'));
  return `<p>${count} things in ${among} conversations were not understood: roles and parts that are not known, calls in another form. What is said of these conversations may lack calls.</p>`;
}

function guessedList(guessed: readonly Tool[]): string {
  if (guessed.length === 0) return '';
  const names = guessed
    .slice(0, 60)
    .map(({ name, effect }) => `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${effect}</td></tr>`);
  return `<h2>Effects that were guessed</h2><p>Nobody declared these tools: what they do was guessed by their names, and all they bring counts as outside content. Say it with <code>--tools</code>.</p><table><tbody>${names.join('')}</tbody></table>`;
}

/** The report as one page that needs nothing else. */
export function reportPage({ tally, files, preset, guessed, drawn }: PageInput): string {
  const total = tally.conversations.toLocaleString('en-US');
  // The first is open: it shows what the others hold.
  const shown = drawn.length === 0 ? '<p>None.</p>' : drawn.join('\n').replace('<details', '<details open');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Replay: ${total} conversations</title><style>${STYLE}</style></head><body>
<main><h1>What the boundary would have done</h1>
<p>${total} conversations of ${escaped(files.slice(0, 5).join(', '))}${files.length > 5 ? ' and others' : ''}, with ${tally.calls.toLocaleString('en-US')} calls, ${tally.effects.toLocaleString('en-US')} of them effects. Gate: <b>${escaped(preset)}</b>. The models did what they did: nothing was sent to any of them.</p>
${tally.unreadable === 0 ? '' : `<p>${tally.unreadable.toLocaleString('en-US')} entries could not be read as a conversation.</p>`}
${unclearNote(tally)}
${bar(tally)}<table><tbody>${rows(tally.touches, MEANINGS)}</tbody></table>
<div class="columns">${table('Rules that held calls', tally.rules, RULES)}${table('Tools that were held', tally.held)}</div>
<h2>Conversations</h2>
<p class="soft">From top to bottom: what came in, by whose words it is; what the model called; an arrow to each value that was held, from the place where its words stand. A long log has some of each kind here (<code>--most</code>), and three of those in which there is nothing to see.</p>
${LEGEND}
${shown}
${guessedList(guessed)}</main>
<script>${BEHAVIOUR}</script></body></html>
`;
}
