import type { Evidence } from '@sallyport/core';
import { parseJson } from '@sallyport/core/json';
import type { CallEntry, Played, PlayedEntry, ReadEntry } from '../play.ts';
import { callsIn, type Impact, unclearIn } from '../tally.ts';
import { escaped, type Mark, markedText } from './marked.ts';

const ORIGINS: Readonly<Record<string, string>> = {
  policy: 'the developer',
  user: 'the user',
  system: 'the operator',
  workspace: 'workspace',
  retrieved: 'retrieved',
  external: 'external',
  unknown: 'unknown source',
};

/** Ids of the places in the content where values of held calls occur. Arrows of several values may start at one place. */
type Places = ReadonlyMap<string, { readonly place: Place; readonly id: string }>;

type Place = NonNullable<Evidence['place']>;

function keyOf({ recordId, part, start }: Place): string {
  return `${start} ${part} ${recordId}`;
}

function heldIn({ decision }: CallEntry): readonly Evidence[] {
  return decision.judged === 'allow' ? [] : decision.evidence;
}

function placesIn(played: Played, name: string): Places {
  const places = new Map<string, { readonly place: Place; readonly id: string }>();
  for (const { place } of callsIn(played).flatMap(heldIn)) {
    if (place === undefined) continue;
    const existing = places.get(keyOf(place));
    const id = existing?.id ?? `${name}-e${places.size}`;
    if (existing === undefined || existing.place.end < place.end) places.set(keyOf(place), { place, id });
  }
  return places;
}

function marksOf(entry: ReadEntry, places: Places): Mark[] {
  const spans = entry.spans.map(({ start, end, likelihood, tag }) => ({
    start,
    end,
    kind: likelihood,
    title: `${likelihood}: ${tag}`,
  }));
  const taken = [...places.values()].flatMap(({ place: { recordId, part, start, end }, id }) =>
    recordId === entry.recordId && part === entry.part ? [{ start, end, kind: 'taken', id }] : [],
  );
  return [...spans, ...taken];
}

function drawRead(entry: ReadEntry, places: Places): string {
  const from = entry.name === undefined ? '' : ` <b>${escaped(entry.name)}</b>`;
  const found = entry.spans.length === 0 ? '' : ` <em>${entry.spans.length} marked</em>`;
  const text = markedText(entry.text, marksOf(entry, places));
  return `<li class="read ${entry.origin}"><h3>${ORIGINS[entry.origin] ?? ''}${from}${found}</h3><pre>${text}</pre></li>`;
}

/** The values of the arguments with their JSON pointers. Without recursion: a model may nest arguments to any depth. */
function* leavesOf(root: unknown): Generator<readonly [path: string, text: string]> {
  const pending: (readonly [path: string, value: unknown])[] = [['', root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, value] = next;
    if (typeof value !== 'object' || value === null) yield [path, String(value)];
    else
      for (const [key, inner] of Object.entries(value).reverse())
        pending.push([`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner]);
  }
}

const MAX_VALUES = 40;
const MAX_VALUE_LENGTH = 300;

function drawValue(path: string, text: string, note = '', attributes = ''): string {
  const value = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)} ...` : text;
  return `<dt>${escaped(path.slice(1))}${note}</dt><dd${attributes}>${escaped(value)}</dd>`;
}

/** The values of a call. Those that the decision is about come first. */
function drawValues(entry: CallEntry, places: Places): string {
  const held = heldIn(entry);
  const rows = held.map(({ path, value, trust, place }) => {
    const id = place === undefined ? undefined : places.get(keyOf(place))?.id;
    const arrow = id === undefined ? '' : ` data-from="${id}"`;
    return drawValue(path, value, ` <em>${trust}</em>`, ` class="held"${arrow}`);
  });
  const drawn = new Set(held.map(({ path }) => path));
  let more = 0;
  for (const [path, text] of leavesOf(parseJson(entry.decision.call.argumentsJson)))
    if (drawn.has(path)) continue;
    else if (rows.length < MAX_VALUES) rows.push(drawValue(path, text));
    else more++;
  const rest = more === 0 ? '' : `<p class="soft">${more.toLocaleString('en-US')} more values</p>`;
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>${rest}`;
}

function drawCall(entry: CallEntry, places: Places): string {
  const { judged, reason, call } = entry.decision;
  const why = judged === 'allow' ? '' : `<p>${escaped(reason)}</p>`;
  const title = `calls <b>${escaped(call.tool.slice(0, 80))}</b> <small>${entry.effect}</small> <strong class="${judged}">${judged}</strong>`;
  return `<li class="call ${judged}"><h3>${title}</h3>${drawValues(entry, places)}${why}</li>`;
}

function drawEntry(entry: PlayedEntry, places: Places): string {
  if (entry.type === 'read') return drawRead(entry, places);
  if (entry.type === 'call') return drawCall(entry, places);
  if (entry.type === 'unclear')
    return `<li class="unclear"><h3>not understood</h3><pre>${escaped(entry.what)}</pre></li>`;
  return `<li class="words"><h3>the model says</h3><pre>${markedText(entry.text, [])}</pre></li>`;
}

/** One conversation in order: the content, the calls, and an arrow from the source of a value to the held call. */
export function drawConversation(played: Played, impact: Impact, name: string): string {
  const places = placesIn(played, name);
  const held = callsIn(played).filter(({ decision }) => decision.judged !== 'allow').length;
  const unclear = unclearIn(played);
  const notes = [held === 0 ? [] : `${held} held`, unclear === 0 ? [] : `${unclear} not understood`].flat();
  const what = notes.length === 0 ? '' : ` <small>${notes.join(', ')}</small>`;
  const entries = played.entries.map((entry) => drawEntry(entry, places)).join('\n');
  return `<details class="conversation ${impact}"><summary><strong class="${impact}">${impact}</strong> ${escaped(played.id.slice(0, 120))}${what}</summary><ol>\n${entries}\n</ol></details>`;
}
