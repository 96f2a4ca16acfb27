// One scenario as a picture: boxes from top to bottom, arrows at their right side, and a legend.
import { callBox, LEFT, PROSE, RIGHT, readBox } from './boxes.mjs';
import { ADVANCE, mono, path, prose, rect, underline } from './shapes.mjs';
import { STYLE, TRUST_CLASSES } from './style.mjs';
import { escapeXml, wrapProse } from './text.mjs';
import { arrowsOf, choiceOf, trustClassesOf } from './trust.mjs';

const WIDTH = 900;
const GAP = 26;
const FIRST_LANE = RIGHT + 12;
const LANE = 11;
const LANES = Math.floor((WIDTH - 8 - FIRST_LANE) / LANE);

/** The lane of each arrow next to the boxes: short arrows in the inner lanes, long ones around them. */
function layLanes(arrows) {
  const lanes = [];
  for (const arrow of arrows.toSorted((one, other) => one.to.y - one.from.y - (other.to.y - other.from.y))) {
    const { from, to } = arrow;
    const isFree = (lane) => lane.every((other) => other.to.y < from.channel - 6 || other.from.channel > to.y + 6);
    let at = lanes.findIndex(isFree);
    if (at < 0) at = lanes.push([]) - 1;
    if (at >= LANES)
      throw new Error(`a picture has room for ${LANES} arrows side by side; this one needs more: widen the margin`);
    lanes[at].push(arrow);
    arrow.lane = FIRST_LANE + at * LANE;
  }
}

function drawArrow({ from, to, lane, trust }) {
  const line = [
    [from.x, from.y],
    [from.x, from.channel],
    [lane, from.channel],
    [lane, to.y],
    [to.x + 7, to.y],
  ];
  const tip = [
    [to.x, to.y],
    [to.x + 9, to.y - 5],
    [to.x + 9, to.y + 5],
  ];
  const inLane = line.slice(2, 4);
  return `<g class="${trust}">${path(inLane, 'halo')}${path(line, 'arrow')}${path(tip, 'tip')}</g>`;
}

function next(from, to) {
  const x = LEFT + 28;
  const stem = `<line class="next" x1="${x}" y1="${from + 3}" x2="${x}" y2="${to - 9}"/>`;
  const tip = [
    [x - 5, to - 10],
    [x + 5, to - 10],
    [x, to - 3],
  ];
  return `${stem}<g class="open">${path(tip, 'tip')}</g>`;
}

function legend(trustClasses, top) {
  return trustClasses.map((trust, index) => {
    const [name, meaning] = TRUST_CLASSES[trust];
    const y = top + index * 24;
    const width = name.length * ADVANCE;
    const sample = rect({ x: LEFT, y: y - 14, width: width + 8, height: 19 }, 'mark');
    const isSpan = ['flagged', 'suspect', 'requested'].includes(trust);
    const under = isSpan ? underline(trust, LEFT, y + 5, width + 8) : '';
    const words = `${mono(LEFT + 4, y, name)}${prose(LEFT + 104, y, meaning, 'faint')}`;
    return `<g class="${trust}">${sample}${under}${words}</g>`;
  });
}

function boxesOf(events, arrows, top) {
  const shapes = [];
  let y = top;
  let before;
  for (const [index, event] of events.entries()) {
    if (index > 0) shapes.push(next(y - GAP, y));
    const choice = event.type === 'read' && before !== undefined ? choiceOf(before) : undefined;
    const box = event.type === 'read' ? readBox(event, arrows, y, choice) : callBox(event, arrows, y);
    shapes.push(...box.shapes);
    y = box.bottom + GAP;
    before = event.type === 'call' ? event : undefined;
  }
  return { shapes, bottom: y - GAP };
}

/** The picture as text, for screen readers. */
function describe(events) {
  return events
    .map((event) => {
      if (event.type === 'read') return `${event.tool ?? 'The user'}: ${event.text}`;
      const values = event.values.map(({ path, value, trust }) => `${path.slice(1)} ${value} (${trust})`);
      const { outcome, rule } = event.decision;
      return `The model calls ${event.tool}: ${values.join(', ') || 'no arguments'}. Decision: ${outcome}, rule ${rule}.`;
    })
    .join('\n');
}

/** @returns {string} a whole SVG file */
export function drawPicture({ scenario, balanced: events }) {
  const arrows = arrowsOf(events);
  const heads = wrapProse(scenario.title, PROSE - 20);
  const { shapes, bottom } = boxesOf(events, arrows, 32 + heads.length * 24);
  layLanes(arrows);
  const trustClasses = trustClassesOf(events);
  const legendTop = bottom + 38;
  const height = legendTop + trustClasses.length * 24;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(scenario.title)}</title>`,
    `<desc id="desc">${escapeXml(describe(events))}</desc>`,
    `<style>${STYLE}</style>`,
    rect({ x: 0, y: 0, width: WIDTH, height }, 'page', 8),
    ...heads.map((line, index) => prose(LEFT, 34 + index * 24, line, 'head')),
    ...shapes,
    ...arrows.map(drawArrow),
    ...legend(trustClasses, legendTop),
    '</svg>',
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}
