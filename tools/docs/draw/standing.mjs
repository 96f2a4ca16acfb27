// What a recorded run says of stretches and values, in the terms in which it is drawn.
import { TRUST_CLASSES } from './style.mjs';

const ORDER = Object.keys(TRUST_CLASSES);

/** @param {{ standing: string, voucher?: string }} value */
export function trustOf({ trust, vouchedBy }) {
  return vouchedBy === 'field' ? 'field' : trust;
}

function trustOfSpan({ likelihood, tag }) {
  if (likelihood !== 'none') return likelihood === 'low' ? 'suspect' : 'flagged';
  return tag === 'request' ? 'requested' : undefined;
}

/** The worst standing that a classified span gives each character; undefined where there is none. */
export function trustClassesIn({ text, spans }) {
  const trustClasses = new Array(text.length).fill(undefined);
  const known = spans.map((span) => ({ ...span, trust: trustOfSpan(span) })).filter(({ trust }) => trust);
  // The worst is laid down last.
  known.sort((one, other) => ORDER.indexOf(other.trust) - ORDER.indexOf(one.trust));
  for (const { start, end, trust } of known) trustClasses.fill(trust, start, end);
  return trustClasses;
}

/** Neighbours of the same standing as one: `[start, end, standing]`, those without one left out. */
export function runsOf(trustClasses, from, to) {
  const runs = [];
  for (let at = from; at < to; at++) {
    const trust = trustClasses[at];
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at && last[2] === trust) last[1] = at + 1;
    else if (trust !== undefined) runs.push([at, at + 1, trust]);
  }
  return runs;
}

/** Whose words chose a call, where they are such that what it brings is held too. */
export function choiceOf({ values }) {
  const worst = ORDER.find((each) => values.some((value) => trustOf(value) === each));
  return ['flagged', 'suspect', 'requested'].includes(worst) ? worst : undefined;
}

/** Every standing that occurs in a run, worst first. */
export function trustClassesOf(events) {
  const found = new Set(
    events.flatMap((event) => (event.type === 'read' ? trustClassesIn(event) : event.values.map(trustOf))),
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
          .map((value) => ({ ...value.place, callId: event.callId, path: value.path, trust: trustOf(value) })),
  );
}
