// Trust classes of the spans and values of a recorded run, as a picture shows them.
import { TRUST_CLASSES } from './style.mjs';

const ORDER = Object.keys(TRUST_CLASSES);

/** @param {{ trust: string, vouchedBy?: string }} value */
export function trustOf({ trust, vouchedBy }) {
  return vouchedBy === 'field' ? 'field' : trust;
}

function trustOfSpan({ likelihood, tag }) {
  if (likelihood !== 'none') return likelihood === 'low' ? 'suspect' : 'flagged';
  return tag === 'request' ? 'requested' : undefined;
}

/** The worst trust class that a classified span gives each character; undefined outside of spans. */
export function trustClassesIn({ text, spans }) {
  const trustClasses = new Array(text.length).fill(undefined);
  const marked = spans.map((span) => ({ ...span, trust: trustOfSpan(span) })).filter(({ trust }) => trust);
  // The worst is written last.
  marked.sort((one, other) => ORDER.indexOf(other.trust) - ORDER.indexOf(one.trust));
  for (const { start, end, trust } of marked) trustClasses.fill(trust, start, end);
  return trustClasses;
}

/** Ranges of characters with the same trust class, as `[start, end, trust]`; characters without one are left out. */
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

/** The trust class that a call passes on to its result: that of its worst value, if that is at least requested. */
export function choiceOf({ values }) {
  const worst = ORDER.find((each) => values.some((value) => trustOf(value) === each));
  return ['flagged', 'suspect', 'requested'].includes(worst) ? worst : undefined;
}

/** Every trust class in a run, worst first. */
export function trustClassesOf(events) {
  const found = new Set(
    events.flatMap((event) => (event.type === 'read' ? trustClassesIn(event) : event.values.map(trustOf))),
  );
  return ORDER.filter((each) => found.has(each));
}

/** One arrow per value whose words occur in a record: from there to the argument. */
export function arrowsOf(events) {
  const recordIds = new Set(events.flatMap((event) => (event.type === 'read' ? [event.recordId] : [])));
  return events.flatMap((event) =>
    event.type === 'read'
      ? []
      : event.values
          .filter(({ place }) => place !== undefined && recordIds.has(place.recordId))
          .map((value) => ({ ...value.place, callId: event.callId, path: value.path, trust: trustOf(value) })),
  );
}
