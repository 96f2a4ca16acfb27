import type { Tool } from '@sallyport/core';
import { IMPACTS, type Tally } from '../tally.ts';
import { escaped } from './marked.ts';
import { BEHAVIOUR, STYLE } from './style.ts';

export interface PageInput {
  readonly tally: Tally;
  readonly files: readonly string[];
  readonly preset: string;
  readonly guessed: readonly Tool[];
  /** The drawn conversations, the most serious first. */
  readonly drawn: readonly string[];
}

/** A map, because a log may contain a tool named `constructor`. */
type Meanings = ReadonlyMap<string, string>;

const MEANINGS: Meanings = new Map([
  ['denied', 'a call would have been denied'],
  ['asked', 'a call would have been held for approval'],
  ['marked', 'a passage reads like an instruction; no call would have been held'],
  ['unclear', 'nothing marked or held, but part of the conversation could not be read'],
  ['untouched', 'nothing marked or held'],
]);

const RULES: Meanings = new Map([
  ['instructed', 'a value comes from a passage that tries to instruct the model'],
  ['requested', 'a value comes from a passage that asks for something, or that was not checked'],
  ['content', 'a value comes from other untrusted content'],
  ['alarm', 'a passage that was read before tries to instruct the model'],
  ['model', 'the model chose a value itself'],
  ['disclosure', 'private data would be sent to an address from untrusted content'],
  ['undeclared', 'the effect of the tool is not declared'],
]);

const LEGEND = `<ul class="legend" aria-label="Colours"><li class="own">the developer, the user, trusted</li><li class="shared">workspace, retrieved</li><li class="outside">external, unknown</li><li class="high">instruction, high likelihood</li><li class="medium">medium</li><li class="low">low</li><li class="taken">source of a value in a held call</li></ul>
<p class="soft">The label of a held value says where the value occurs: <b>flagged</b> in a passage that instructs the model, <b>suspect</b> in one that may, <b>requested</b> in a sentence that asks for something, <b>open</b> elsewhere in untrusted content, <b>own</b> nowhere, <b>vouched</b> in a trusted source.</p>`;

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

function bar({ impacts, conversations }: Tally): string {
  const parts = IMPACTS.map((impact) => {
    const share = ((impacts.get(impact) ?? 0) / Math.max(1, conversations)) * 100;
    return `<span class="${impact}" style="width:${share.toFixed(3)}%"></span>`;
  });
  return `<div class="bar" role="img" aria-label="${IMPACTS.map((impact) => `${impacts.get(impact) ?? 0} ${impact}`).join(', ')}">${parts.join('')}</div>`;
}

function unclearNote({ unclear, unclearConversations }: Tally): string {
  if (unclear === 0) return '';
  const [count, among] = [unclear, unclearConversations].map((each) => each.toLocaleString('en-US'));
  return `<p>${count} items in ${among} conversations were not understood: unknown roles or parts, or calls in an unknown form. Calls may be missing from these conversations.</p>`;
}

function guessedList(guessed: readonly Tool[]): string {
  if (guessed.length === 0) return '';
  const names = guessed
    .slice(0, 60)
    .map(({ name, effect }) => `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${effect}</td></tr>`);
  return `<h2>Guessed effects</h2><p>These tools are not declared: their effects were guessed from their names and arguments, and their results are treated as external content. Declare them with <code>--tools</code>.</p><table><tbody>${names.join('')}</tbody></table>`;
}

/** The report as one self-contained page. */
export function reportPage({ tally, files, preset, guessed, drawn }: PageInput): string {
  const total = tally.conversations.toLocaleString('en-US');
  // The first conversation is open, as an example.
  const shown = drawn.length === 0 ? '<p>None.</p>' : drawn.join('\n').replace('<details', '<details open');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Replay: ${total} conversations</title><style>${STYLE}</style></head><body>
<main><h1>What would have been held</h1>
<p>${total} conversations from ${escaped(files.slice(0, 5).join(', '))}${files.length > 5 ? ' and others' : ''}, with ${tally.calls.toLocaleString('en-US')} calls, ${tally.effects.toLocaleString('en-US')} of them with effects: <b>${tally.perHundredCalls}</b>. Policy: <b>${escaped(preset)}</b>. The conversations are as recorded: nothing was sent to a model.</p>
${tally.unreadable === 0 ? '' : `<p>${tally.unreadable.toLocaleString('en-US')} entries could not be read as a conversation.</p>`}
${unclearNote(tally)}
${bar(tally)}<table><tbody>${rows(tally.impacts, MEANINGS)}</tbody></table>
<div class="columns">${table('Rules that held calls', tally.rules, RULES)}${table('Tools with held calls', tally.held)}</div>
<h2>Conversations</h2>
<p class="soft">Each conversation is shown in order: the content with its source, and the calls of the model. An arrow leads from the place where a value occurs to the held call. The report contains a limited number of conversations of each kind (<code>--most</code>), and at most three that are untouched.</p>
${LEGEND}
${shown}
${guessedList(guessed)}</main>
<script>${BEHAVIOUR}</script></body></html>
`;
}
