// Policies as points: what they stop, against the harmless work that they leave alone.
import { ADVANCE, mono, path, prose, rect } from './shapes.mjs';
import { STYLE } from './style.mjs';
import { escapeXml } from './text.mjs';

const WIDTH = 900;
const HEIGHT = 680;
const PLOT = { left: 76, right: 872, top: 100, bottom: 610 };
const X_TICK = 10;
const Y_TICKS = [0, 0.5, 1, 2.5, 5, 10, 15, 20, 25];
const TITLE = 'What each policy stops, and how much harmless work it leaves alone';

const OWN_STYLE = `
.grid{stroke:var(--line);stroke-width:0.5}
.goal{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:7 5}
.frontier{fill:none;stroke:var(--ink);stroke-width:2}
.point{fill:var(--ink);stroke:var(--page);stroke-width:1.5}
.leader{stroke:var(--ink);stroke-width:0.75}`;

const line = (x1, y1, x2, y2, classes) =>
  `<line class="${classes}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;

function scalesOf(points, goals) {
  const lowest = Math.floor(Math.min(goals.untouchedPct, ...points.map(({ untouchedPct }) => untouchedPct)) / 10) * 10;
  const most = Math.max(goals.hijackedPct, ...points.map(({ hijackedPct }) => hijackedPct));
  const highest = Y_TICKS.find((tick) => tick >= most) ?? 100;
  // Most policies are close to the lower right corner: the root spreads small shares of hijacks.
  return {
    lowest,
    highest,
    x: (share) => PLOT.left + ((share - lowest) / (100 - lowest)) * (PLOT.right - PLOT.left - 14),
    y: (share) => PLOT.bottom - Math.sqrt(share / highest) * (PLOT.bottom - PLOT.top),
  };
}

/** Policies than which no other is better in one respect and at least as good in the other, by harmless work. */
function frontierOf(points) {
  const isBetter = (one, other) =>
    one.untouchedPct >= other.untouchedPct &&
    one.hijackedPct <= other.hijackedPct &&
    (one.untouchedPct > other.untouchedPct || one.hijackedPct < other.hijackedPct);
  return points
    .filter((point) => !points.some((other) => isBetter(other, point)))
    .sort((one, other) => one.untouchedPct - other.untouchedPct || one.hijackedPct - other.hijackedPct);
}

function axes({ lowest, highest, x, y }) {
  const shapes = [];
  for (let share = lowest; share <= 100; share += X_TICK) {
    shapes.push(line(x(share), PLOT.top, x(share), PLOT.bottom, 'grid'));
    shapes.push(mono(x(share) - (String(share).length * ADVANCE) / 2, PLOT.bottom + 20, String(share), 'faint'));
  }
  for (const share of Y_TICKS.filter((tick) => tick <= highest)) {
    shapes.push(line(PLOT.left, y(share), PLOT.right, y(share), 'grid'));
    shapes.push(mono(PLOT.left - 10 - String(share).length * ADVANCE, y(share) + 4, String(share), 'faint'));
  }
  return [
    ...shapes,
    prose(
      16,
      PLOT.top - 18,
      '% of attacks that reach their goal without a question (root scale; lower is better)',
      'faint',
    ),
    prose(
      PLOT.left,
      PLOT.bottom + 46,
      '% of useful harmless conversations without a needless question (further right is better)',
      'faint',
    ),
  ];
}

const overlaps = (one, other) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const isInside = ({ x, y, width, height }) =>
  x >= PLOT.left + 2 && x + width <= PLOT.right && y >= PLOT.top && y + height <= PLOT.bottom - 2;

const squareAround = ({ x, y }, half) => ({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });

const LABEL = 18;
const DISTANCES = Array.from({ length: 30 }, (_, index) => 10 + index * 12);
/** Degrees, clockwise: right and left first, straight up and down last. */
const ANGLES = [0, 15, 30, 45, 60, 75, 90].flatMap((angle) => [-angle, 180 + angle, angle, 180 - angle]);

/** Small squares along a leader, so that labels and leaders keep apart. */
function squaresAlong(from, to) {
  const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 4);
  return Array.from({ length: count }, (_, index) => {
    const part = (index + 1) / count;
    return { x: from.x + part * (to.x - from.x) - 1, y: from.y + part * (to.y - from.y) - 1, width: 2, height: 2 };
  });
}

/** The box of a label at the end of a leader. */
function boxAt(end, radians, names) {
  const width = Math.max(...names.map((name) => name.length)) * ADVANCE;
  const height = names.length * LABEL;
  const y = end.y - height / 2;
  const cosine = Math.cos(radians);
  if (Math.abs(cosine) < 0.01) return { x: end.x - width / 2, y: y + Math.sin(radians) * (height / 2), width, height };
  return { x: cosine > 0 ? end.x + 3 : end.x - width - 3, y, width, height };
}

function* placesAround({ at, names }) {
  for (const distance of DISTANCES)
    for (const angle of ANGLES) {
      const radians = (angle * Math.PI) / 180;
      const end = { x: at.x + distance * Math.cos(radians), y: at.y + distance * Math.sin(radians) };
      const box = boxAt(end, radians, names);
      if (isInside(box)) yield { box, end, leader: squaresAlong(at, end), isNear: distance === DISTANCES[0] };
    }
}

/** The free place with the shortest leader; one that runs along a line, or over a label or another point, counts as longer. */
function placeLabel(group, { groups, lines, labels, leaders }) {
  const hits = (box, list) => list.some((other) => overlaps(box, other));
  const others = groups.filter((other) => other !== group).map(({ at }) => squareAround(at, 4));
  const costOf = (square) => {
    if (hits(square, labels) || hits(square, others)) return 80;
    return hits(square, lines) || hits(square, leaders) ? 10 : 4;
  };
  const free = [...placesAround(group)]
    .filter(({ box }) => ![lines, labels, leaders].some((list) => hits(box, list)))
    .map((place) => ({ ...place, cost: place.leader.reduce((sum, square) => sum + costOf(square), 0) }));
  if (free.length === 0) throw new Error(`no place for the label "${group.names[0]}": make the picture larger`);
  return free.sort((one, other) => one.cost - other.cost)[0];
}

/** Rectangles along a line, so that no label covers it. */
function cover(points) {
  return points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index];
    return {
      x: Math.min(x, fromX) - 2,
      y: Math.min(y, fromY) - 2,
      width: Math.abs(x - fromX) + 4,
      height: Math.abs(y - fromY) + 4,
    };
  });
}

/** Policies with the same two figures share a point and a label. */
function grouped(points, { x, y }) {
  const groups = new Map();
  for (const { name, table, observe, untouchedPct, hijackedPct } of points) {
    const key = `${untouchedPct} ${hijackedPct}`;
    const isPreset = !observe && Object.keys(table).length === 0;
    const group = groups.get(key) ?? { at: { x: x(untouchedPct), y: y(hijackedPct) }, names: [], isPreset: false };
    groups.set(key, { ...group, names: [...group.names, name], isPreset: group.isPreset || isPreset });
  }
  return [...groups.values()];
}

function describe(points, goals) {
  const lines = points.map(
    ({ name, untouchedPct, hijackedPct }) =>
      `${name}: ${untouchedPct} % of useful harmless conversations without a needless question, ${hijackedPct} % hijacked.`,
  );
  return [...lines, `Goals: at least ${goals.untouchedPct} %, at most ${goals.hijackedPct} %.`].join('\n');
}

function drawGoals(goals, { x, y }) {
  const [goalX, goalY] = [x(goals.untouchedPct), y(goals.hijackedPct)];
  const words = `goal: at most ${goals.hijackedPct} %`;
  const above = `goal: at least ${goals.untouchedPct} %`;
  const texts = [
    { text: words, x: PLOT.left + 8, y: goalY - 6 },
    { text: above, x: goalX - above.length * ADVANCE - 8, y: PLOT.top + 14 },
  ];
  const shapes = [
    line(PLOT.left, goalY, PLOT.right, goalY, 'goal'),
    line(goalX, PLOT.top, goalX, PLOT.bottom, 'goal'),
    ...texts.map((each) => mono(each.x, each.y, each.text, 'tone')),
  ];
  const taken = [
    ...texts.map((each) => ({ x: each.x, y: each.y - 13, width: each.text.length * ADVANCE, height: LABEL })),
    { x: PLOT.left, y: goalY - 2, width: PLOT.right - PLOT.left, height: 4 },
    { x: goalX - 2, y: PLOT.top, width: 4, height: PLOT.bottom - PLOT.top },
  ];
  return { shape: `<g class="ask">${shapes.join('\n')}</g>`, taken };
}

function drawPoint({ at, names, isPreset }, { box, end, isNear }) {
  const leader = isNear ? '' : line(at.x, at.y, end.x, end.y, 'leader');
  const isLeft = end.x < at.x;
  const label = names.map((name, index) => {
    const x = isLeft ? box.x + box.width - name.length * ADVANCE : box.x;
    return mono(x, box.y + 13 + index * LABEL, name, isPreset && index === 0 ? 'strong tone' : '');
  });
  const disc = `<circle class="point" cx="${at.x.toFixed(1)}" cy="${at.y.toFixed(1)}" r="${isPreset ? 7 : 5}"/>`;
  return `<g class="${isPreset ? 'vouched' : 'own'}">${leader}${disc}${label.join('')}</g>`;
}

/** @returns {string} a whole SVG file */
export function drawScatter({ points, goals }) {
  const scales = scalesOf(points, goals);
  const { x, y } = scales;
  // A step: between two policies, only the figures of the next one can be had.
  const steps = frontierOf(points).flatMap(({ untouchedPct, hijackedPct }, index, all) => {
    const before = all[index - 1];
    const corner = before === undefined ? [] : [[x(before.untouchedPct), y(hijackedPct)]];
    return [...corner, [x(untouchedPct), y(hijackedPct)]];
  });
  const goalLines = drawGoals(goals, scales);
  const groups = grouped(points, scales);
  const discs = groups.map(({ at }) => squareAround(at, 12));
  const taken = { groups, lines: [...goalLines.taken, ...discs, ...cover(steps)], labels: [], leaders: [] };
  const labelled = groups
    .toSorted((one, other) => one.at.x - other.at.x || other.at.y - one.at.y)
    .map((group) => {
      const place = placeLabel(group, taken);
      taken.labels.push(place.box);
      taken.leaders.push(...place.leader);
      return drawPoint(group, place);
    });
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(TITLE)}</title>`,
    `<desc id="desc">${escapeXml(describe(points, goals))}</desc>`,
    `<style>${STYLE}${OWN_STYLE}</style>`,
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, 'page', 8),
    prose(16, 34, TITLE, 'head'),
    prose(16, 56, 'The line joins the policies than which no other is better in both respects.', 'faint'),
    ...axes(scales),
    goalLines.shape,
    `<g class="allow">${path(steps, 'frontier')}</g>`,
    ...labelled,
    '</svg>',
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}
