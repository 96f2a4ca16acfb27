// What a recorded run says of stretches and values, in the terms in which it is drawn.
import { STANDINGS } from './style.mjs';

const ORDER = Object.keys(STANDINGS);

/** @param {{ standing: string, voucher?: string }} value */
export function standingOf({ standing, voucher }) {
  return voucher === 'field' ? 'field' : standing;
}

function standingOfSpan({ likelihood, tag }) {
  if (likelihood !== 'none') return likelihood === 'low' ? 'suspect' : 'flagged';
  return tag === 'request' ? 'requested' : undefined;
}

/** The worst standing that a classified span gives each character; undefined where there is none. */
export function standingsIn({ text, spans }) {
  const standings = new Array(text.length).fill(undefined);
  const known = spans.map((span) => ({ ...span, standing: standingOfSpan(span) })).filter(({ standing }) => standing);
  // The worst is laid down last.
  known.sort((one, other) => ORDER.indexOf(other.standing) - ORDER.indexOf(one.standing));
  for (const { start, end, standing } of known) standings.fill(standing, start, end);
  return standings;
}

/** Neighbours of the same standing as one: `[start, end, standing]`, those without one left out. */
export function runsOf(standings, from, to) {
  const runs = [];
  for (let at = from; at < to; at++) {
    const standing = standings[at];
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at && last[2] === standing) last[1] = at + 1;
    else if (standing !== undefined) runs.push([at, at + 1, standing]);
  }
  return runs;
}

/** Whose words chose a call, where they are such that what it brings is held too. */
export function choiceOf({ values }) {
  const worst = ORDER.find((each) => values.some((value) => standingOf(value) === each));
  return ['flagged', 'suspect', 'requested'].includes(worst) ? worst : undefined;
}

/** Every standing that occurs in a run, worst first. */
export function standingsOf(events) {
  const found = new Set(
    events.flatMap((event) => (event.type === 'read' ? standingsIn(event) : event.values.map(standingOf))),
  );
  return ORDER.filter((each) => found.has(each));
}

/** One arrow per value whose words stand somewhere: from there to the argument. */
export function arrowsOf(events) {
  const known = new Set(events.flatMap((event) => (event.type === 'read' ? [event.recordId] : [])));
  return events.flatMap((event) =>
    event.type === 'read'
      ? []
      : event.values
          .filter(({ place }) => place !== undefined && known.has(place.recordId))
          .map((value) => ({ ...value.place, callId: event.callId, path: value.path, standing: standingOf(value) })),
  );
}
