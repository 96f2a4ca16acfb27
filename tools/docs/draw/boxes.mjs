// The boxes of a picture: what the model reads and what it calls. Each returns its bottom and sets the ends of its arrows.
import { ADVANCE, mono, prose, rect, sign, underline } from './shapes.mjs';
import { TRUST_CLASSES } from './style.mjs';
import { wrap, wrapProse } from './text.mjs';
import { runsOf, trustClassesIn, trustOf } from './trust.mjs';

export const LEFT = 16;
export const RIGHT = 796;
const PADDING = 16;
const TEXT = LEFT + PADDING;
const COLUMNS = Math.floor((RIGHT - PADDING - TEXT) / ADVANCE);
/** Characters in a line of prose; the line fits even in the widest common font. */
export const PROSE = 88;
const HEADER = 40;
const LINE = 23;
const EMPTY_LINE = 10;
/** Room below a line for each arrow that leaves it. */
const CHANNEL = 5;
const ROW = 27;
const PROSE_LINE = 20;

function frame(top, height, tone) {
  const box = rect({ x: LEFT, y: top, width: RIGHT - LEFT, height }, 'box', 6);
  return `${box}<g class="${tone}">${rect({ x: LEFT, y: top, width: 5, height }, 'bar', 2)}</g>`;
}

/** Words in a line, as `[text, classes, tone]`; a word with a tone is drawn as a pill. */
function header(top, words) {
  let x = TEXT;
  const baseline = top + 25;
  return words.map(([text, classes, tone]) => {
    const at = x;
    const width = text.length * ADVANCE;
    x += width + (tone === undefined ? 10 : 26);
    if (tone === undefined) return mono(at, baseline, text, classes);
    const pill = rect({ x: at, y: baseline - 15, width: width + 14, height: 21 }, 'pill', 10);
    return `<g class="${tone}">${pill}${mono(at + 7, baseline, text, 'tone')}</g>`;
  });
}

/** The part of a span that is on a line, as a rectangle of the picture. */
function placeOn(line, baseline, start, end) {
  const from = Math.max(start, line.start);
  const to = Math.min(end, line.shown);
  const x = TEXT + (from - line.start + line.indent) * ADVANCE;
  return { x, y: baseline - 14, width: (to - from) * ADVANCE, height: 19 };
}

function markedLine(trustClasses, line, baseline) {
  return runsOf(trustClasses, line.start, line.shown).map(([start, end, trust]) => {
    const place = placeOn(line, baseline, start, end);
    const under = underline(trust, place.x, baseline + 5, place.width);
    return `<g class="${trust}">${rect(place, 'mark')}${under}</g>`;
  });
}

/** Outlines the words that a call uses, and sets the start of their arrows. */
function takenOn(line, baseline, arrows) {
  const here = arrows.filter(({ start, end }) => start < line.end && end > line.start);
  const shapes = here.map(({ start, end, trust }) => {
    const { x, y, width, height } = placeOn(line, baseline, start, end);
    return `<g class="${trust}">${rect({ x: x - 2, y, width: width + 4, height: height + 3 }, 'taken', 3)}</g>`;
  });
  const leaving = here.filter(({ end }) => end <= line.end);
  // The rightmost leaves uppermost, so that no arrow crosses the stem of another.
  const middle = ({ start, end }) => {
    const { x, width } = placeOn(line, baseline, start, end);
    return x + width / 2;
  };
  leaving.sort((one, other) => middle(other) - middle(one));
  for (const [index, arrow] of leaving.entries())
    arrow.from = { x: middle(arrow) - index * 4, y: baseline + 8, channel: baseline + 12 + index * CHANNEL };
  return { shapes: [...new Set(shapes)], room: leaving.length * CHANNEL };
}

/** The decoded text of an encoded span, for the reader of the picture. The classifier decodes it itself. */
function decodedIn({ text, spans }) {
  const encoded = spans.filter(({ tag }) => tag === 'obfuscated').map(({ start, end }) => text.slice(start, end));
  return encoded.filter((each) => /^[A-Za-z0-9+/]{16,}={0,2}$/.test(each)).map((each) => atob(each));
}

function captionsOf(event) {
  const names = event.spans.map(({ likelihood, tag }) => (likelihood === 'none' ? tag : `${tag} (${likelihood})`));
  const found = [...new Set(names)].join(', ') || 'nothing';
  const decoded = decodedIn(event).flatMap((each) => wrapProse(`Decoded: ${each}`, PROSE + 4));
  return [`The classifier found: ${found}`, ...decoded];
}

/** @returns {{ shapes: string[], bottom: number }} */
export function readBox(event, arrows, top, choice) {
  const { tool, origin, text, isJson, recordId } = event;
  const tone = tool === undefined ? 'vouched' : 'open';
  const words =
    tool === undefined ? [['The user says', 'strong']] : [[tool, 'strong'], ['returns'], [origin, '', 'open']];
  if (choice !== undefined) words.push([`chosen by ${TRUST_CLASSES[choice][0]} words`, '', choice]);
  const shapes = header(top, words);
  const trustClasses = trustClassesIn(event);
  const mine = arrows.filter((arrow) => arrow.recordId === recordId);
  let y = top + HEADER;
  for (const each of wrap(text, COLUMNS, isJson)) {
    const baseline = y + 15;
    const line = { ...each, shown: each.start + text.slice(each.start, each.end).trimEnd().length };
    const { shapes: taken, room } = takenOn(line, baseline, mine);
    const written = mono(TEXT + line.indent * ADVANCE, baseline, text.slice(line.start, line.end));
    shapes.push(...markedLine(trustClasses, line, baseline), ...taken, written);
    y += line.start === line.end ? EMPTY_LINE : LINE + room;
  }
  for (const line of tool === undefined ? [] : captionsOf(event)) {
    shapes.push(prose(TEXT, y + 16, line, 'faint'));
    y += 20;
  }
  const bottom = y + 10;
  return { shapes: [frame(top, bottom - top, tone), ...shapes], bottom };
}

const TAG = 10;

function valueRow(value, arrows, y, nameColumns, isEvidence) {
  const name = value.path.slice(1);
  const trust = trustOf(value);
  const tagX = TEXT + (nameColumns + 2) * ADVANCE;
  const x = tagX + (TAG + 2) * ADVANCE;
  const lines = wrap(value.value, Math.floor((RIGHT - PADDING - x) / ADVANCE) - 3);
  const longest = Math.max(...lines.map(({ start, end }) => end - start));
  const pill = { x, y: y + 2, width: longest * ADVANCE + 16, height: lines.length * ROW - 6 };
  for (const arrow of arrows.filter(({ path }) => path === value.path))
    arrow.to = { x: pill.x + pill.width + 1, y: y + 2 + (ROW - 6) / 2 };
  const written = lines.map(({ start, end }, index) =>
    mono(x + 8, y + 17 + index * ROW, value.value.slice(start, end)),
  );
  const box = rect(pill, isEvidence ? 'pill evidence' : 'pill', 4);
  const labels = mono(TEXT, y + 17, name) + mono(tagX, y + 17, TRUST_CLASSES[trust][0], 'tone');
  return { shape: `<g class="${trust}">${labels}${box}${written.join('')}</g>`, bottom: y + lines.length * ROW + 3 };
}

function verdict({ outcome, rule, reason }, top) {
  const lines = wrapProse(reason, PROSE);
  const height = 38 + lines.length * PROSE_LINE;
  const x = TEXT + 34;
  const shapes = [
    rect({ x: LEFT + 5, y: top, width: RIGHT - LEFT - 6, height: height - 1 }, 'band'),
    sign(outcome, TEXT + 11, top + height / 2),
    prose(x, top + 23, `Decision: ${outcome}, rule "${rule}".`, 'strong tone'),
    ...lines.map((line, index) => prose(x, top + 44 + index * PROSE_LINE, line)),
  ];
  return { shape: `<g class="${outcome}">${shapes.join('\n')}</g>`, bottom: top + height };
}

/** @returns {{ shapes: string[], bottom: number }} */
export function callBox(event, arrows, top) {
  const { tool, effect, values, decision, callId } = event;
  const shapes = header(top, [['The model calls'], [tool, 'strong'], [`effect: ${effect}`, '', 'own']]);
  const mine = arrows.filter((arrow) => arrow.callId === callId);
  const columns = Math.max(0, ...values.map(({ path }) => path.length - 1));
  let y = top + HEADER;
  if (values.length === 0) {
    shapes.push(prose(TEXT, y + 14, 'without arguments', 'faint'));
    y += 22;
  }
  for (const value of values) {
    const isEvidence = decision.evidence.some(({ path }) => path === value.path);
    const row = valueRow(value, mine, y, columns, isEvidence);
    shapes.push(row.shape);
    y = row.bottom;
  }
  const band = verdict(decision, y + 6);
  return { shapes: [frame(top, band.bottom - top, decision.outcome), ...shapes, band.shape], bottom: band.bottom };
}
