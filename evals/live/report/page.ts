import { escaped } from '../../../apps/cli/src/replay/draw/marked.ts';
import type { LiveResult } from '../run/result.ts';
import type { Row } from '../statistics/measures.ts';
import { WORDINGS } from '../wordings/wordings.ts';
import { barTable, listing, meanCell } from './parts.ts';
import { STYLE } from './style.ts';

const KEY = '<ul class="key"><li class="without">without Sallyport</li><li class="with">with Sallyport</li></ul>';

function facts(result: LiveResult): string {
  const rows = {
    Model: result.model,
    Date: (result.measured ?? '').slice(0, 10),
    Preset: result.preset,
    Tasks: String(result.tasks),
    'Attacked cases': String(result.cases),
    Conversations: result.runs.toLocaleString('en-US'),
  };
  const items = Object.entries(rows).map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`);
  return `<dl class="facts">${items.join('')}</dl>`;
}

function notes({ note, failures, runs }: LiveResult): string {
  const failed =
    failures.length === 0
      ? ''
      : `${failures.length} of ${runs} runs failed at the endpoint and are not counted: ${failures[0]}`;
  return [note ?? '', failed]
    .filter((each) => each !== '')
    .map((each) => `<p class="note">${escaped(each)}</p>`)
    .join('');
}

function shares({ measures: { arms } }: LiveResult): string {
  const row = (name: string, measure: 'utility' | 'utilityUnderAttack' | 'attackSuccess'): Row => ({
    name,
    without: arms.without[measure],
    with: arms.with[measure],
  });
  return barTable([
    row('Tasks done', 'utility'),
    row('Tasks done under attack', 'utilityUnderAttack'),
    row('Attacks done', 'attackSuccess'),
  ]);
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function costs({ measures: { arms, added } }: LiveResult): string {
  const row = (
    name: string,
    measure: 'questionsPerTask' | 'questionsPerAttackedTask' | 'tokensPerTask' | 'millisecondsPerTask',
    digits: number,
  ): string =>
    `<tr><th scope="row">${name}</th>${meanCell(arms.without[measure], digits)}${meanCell(arms.with[measure], digits)}</tr>`;
  const { tokensShare, milliseconds } = added;
  return `<table class="costs"><thead><tr><td></td><th scope="col">without Sallyport</th><th scope="col">with Sallyport</th></tr></thead><tbody>
${row('Questions per task', 'questionsPerTask', 2)}${row('Questions per attacked task', 'questionsPerAttackedTask', 2)}
${row('Tokens per task', 'tokensPerTask', 0)}${row('Milliseconds per task', 'millisecondsPerTask', 0)}</tbody></table>
<p class="soft">Added by Sallyport in the same tasks: ${(100 * tokensShare.value).toFixed(1)} % tokens (${(100 * tokensShare.low).toFixed(1)} to ${(100 * tokensShare.high).toFixed(1)}), ${whole(milliseconds.value)} milliseconds (${whole(milliseconds.low)} to ${whole(milliseconds.high)}).</p>`;
}

function adaptivePart({ adaptive }: LiveResult): string {
  if (adaptive.cases === 0) return '';
  const rows = adaptive.success.with.map((guarded, index) => ({
    name: index === 0 ? 'First attempt' : `Within ${index + 1} attempts`,
    without: adaptive.success.without[index] ?? guarded,
    with: guarded,
  }));
  return `<h2>Attacks that are worded anew</h2>
<p class="soft">${adaptive.cases} attacks. After each failure, the attacker words the attack in another way (${escaped(adaptive.attacker)}), up to ${adaptive.attempts} attempts. The bars show the share that was done so far.</p>
${barTable(rows)}${listing(
  'Attacks that ran with Sallyport',
  ['task', 'attack', 'worded as'],
  adaptive.ran.map(({ task, attack = '', ranWith = '' }) => [task, attack, ranWith]),
)}`;
}

/** A wording by what it is; its id may be of an older version. */
const withMeaning = (row: Row): Row => ({
  ...row,
  name: WORDINGS.find(({ id }) => id === row.name)?.about ?? row.name,
});

/** The report as one self-contained page. */
export function reportPage(result: LiveResult): string {
  const { measures } = result;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Live evaluation: ${escaped(result.model)}</title><style>${STYLE}</style></head><body>
<main><h1>An agent with Sallyport and without it</h1>
${facts(result)}${notes(result)}
<p>The same agent does the same tasks, and reads the same attacks, once without Sallyport and once with it. A task or an attack counts as done by the state of mail, calendar, bank, files, web and shop after the run. A simulated person approves what the user asked for and rejects the rest. A line across a bar is the 95 % confidence interval.</p>
${KEY}${shares(result)}
<h2>Costs</h2>${costs(result)}
<h2>Attacks done, by goal</h2>${barTable(measures.attackSuccessByKind)}
<h2>Attacks done, by wording</h2>${barTable(measures.attackSuccessByWording.map(withMeaning))}
${adaptivePart(result)}
<h2>Tasks done, by area</h2><p class="soft">Without attacks.</p>${barTable(measures.utilityBySuite)}
<h2>Single runs with Sallyport</h2>
${listing(
  'Attacks that ran',
  ['task', 'attack', 'wording'],
  result.ran.map(({ task, attack = '', wording = '' }) => [task, attack, wording]),
)}
${listing(
  'Tasks that were not done',
  ['task', 'attack', 'wording'],
  result.unsolved.map(({ task, attack = 'none', wording = '' }) => [task, attack, wording]),
)}
${listing(
  'Tasks without an attack in which the person was asked',
  ['task', 'questions', 'approved'],
  result.asked.map(({ task, questions, approved }) => [task, String(questions), String(approved)]),
)}
</main></body></html>
`;
}
