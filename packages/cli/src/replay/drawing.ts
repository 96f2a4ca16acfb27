import type { Evidence } from '@sallyport/core';
import { escaped, markedText, type Stretch } from './marked.ts';
import type { CallEntry, Played, PlayedEntry, ReadEntry } from './play.ts';
import { callsIn, type Touch, unclearIn } from './tally.ts';

const TIERS: Readonly<Record<string, string>> = {
  policy: 'the developer',
  user: 'the user',
  system: 'the operator',
  workspace: 'workspace',
  retrieved: 'retrieved',
  external: 'outside',
  unknown: 'unknown source',
};

/** Where the values of held calls stand, each with the id that its arrow starts from. */
function evidenceIn(played: Played, name: string): ReadonlyMap<Evidence, string> {
  const placed = callsIn(played).flatMap(({ decision }) =>
    decision.judged === 'allow' ? [] : decision.evidence.filter(({ place }) => place !== undefined),
  );
  return new Map(placed.map((evidence, index) => [evidence, `${name}-e${index}`]));
}

function stretchesOf(entry: ReadEntry, evidence: ReadonlyMap<Evidence, string>): Stretch[] {
  const spans = entry.spans.map(({ start, end, likelihood, tag }) => ({
    start,
    end,
    kind: likelihood,
    title: `${likelihood}: ${tag}`,
  }));
  const places = [...evidence].flatMap(([{ place }, id]) =>
    place?.recordId === entry.recordId ? [{ start: place.start, end: place.end, kind: 'taken', id }] : [],
  );
  return [...spans, ...places];
}

function drawRead(entry: ReadEntry, evidence: ReadonlyMap<Evidence, string>): string {
  const from = entry.name === undefined ? '' : ` <b>${escaped(entry.name)}</b>`;
  const found = entry.spans.length === 0 ? '' : ` <em>${entry.spans.length} marked</em>`;
  const text = markedText(entry.text, stretchesOf(entry, evidence));
  return `<li class="read ${entry.origin}"><h3>${TIERS[entry.origin] ?? ''}${from}${found}</h3><pre>${text}</pre></li>`;
}

/** Values of the arguments, by their paths. A stack of its own: a model may nest them as deep as it likes. */
function leavesOf(root: unknown, most: number): (readonly [path: string, text: string])[] {
  const leaves: (readonly [string, string])[] = [];
  const pending: (readonly [path: string, value: unknown])[] = [['', root]];
  for (let next = pending.pop(); next !== undefined && leaves.length < most; next = pending.pop()) {
    const [path, value] = next;
    if (typeof value !== 'object' || value === null) leaves.push([path, String(value)]);
    else for (const [key, inner] of Object.entries(value).reverse()) pending.push([`${path}/${key}`, inner]);
  }
  return leaves;
}

const MOST_VALUES = 40;
const LONGEST_VALUE = 300;

function drawValues({ decision }: CallEntry, evidence: ReadonlyMap<Evidence, string>): string {
  const leaves = leavesOf(JSON.parse(decision.call.argumentsJson), MOST_VALUES);
  const rows = leaves.map(([path, text]) => {
    const held = decision.judged === 'allow' ? undefined : decision.evidence.find((each) => each.path === path);
    const from = held === undefined ? undefined : evidence.get(held);
    const standing = held === undefined ? '' : ` <em>${held.standing}</em>`;
    const arrow = from === undefined ? '' : ` data-from="${from}"`;
    const value = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)} ...` : text;
    return `<dt>${escaped(path.slice(1))}${standing}</dt><dd${held === undefined ? '' : ' class="held"'}${arrow}>${escaped(value)}</dd>`;
  });
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

function drawCall(entry: CallEntry, evidence: ReadonlyMap<Evidence, string>): string {
  const { judged, rule, reason, call } = entry.decision;
  const why = judged === 'allow' ? '' : `<p>${escaped(reason)} <small>rule ${escaped(rule)}</small></p>`;
  const title = `calls <b>${escaped(call.tool.slice(0, 80))}</b> <small>${entry.effect}</small> <strong class="${judged}">${judged}</strong>`;
  return `<li class="call ${judged}"><h3>${title}</h3>${drawValues(entry, evidence)}${why}</li>`;
}

function drawEntry(entry: PlayedEntry, evidence: ReadonlyMap<Evidence, string>): string {
  if (entry.type === 'read') return drawRead(entry, evidence);
  if (entry.type === 'call') return drawCall(entry, evidence);
  if (entry.type === 'unclear')
    return `<li class="unclear"><h3>not understood</h3><pre>${escaped(entry.what)}</pre></li>`;
  return `<li class="words"><h3>the model says</h3><pre>${markedText(entry.text, [])}</pre></li>`;
}

/** One conversation, from top to bottom: what came in, what was called, and an arrow from the words to the value they became. */
export function drawConversation(played: Played, touch: Touch, name: string): string {
  const evidence = evidenceIn(played, name);
  const held = callsIn(played).filter(({ decision }) => decision.judged !== 'allow').length;
  const unclear = unclearIn(played);
  const notes = [held === 0 ? [] : `${held} held`, unclear === 0 ? [] : `${unclear} not understood`].flat();
  const what = notes.length === 0 ? '' : ` <small>${notes.join(', ')}</small>`;
  const entries = played.entries.map((entry) => drawEntry(entry, evidence)).join('\n');
  return `<details class="conversation ${touch}"><summary><strong class="${touch}">${touch}</strong> ${escaped(played.id.slice(0, 120))}${what}</summary><ol>\n${entries}\n</ol></details>`;
}
