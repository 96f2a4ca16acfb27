// The shapes of a picture, each as a line of SVG.
import { escapeXml } from './text.mjs';

/** The width of one character of the fixed-width font at 13 px; `textLength` forces every font to it. */
export const ADVANCE = 7.8;

const round = (number) => Math.round(number * 10) / 10;

/** Fixed-width text, so that an outline around a word fits in any font. */
export function mono(x, y, text, classes = '') {
  const shown = text.trimEnd();
  if (shown === '') return '';
  const length = round(shown.length * ADVANCE);
  const fit = `textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return `<text class="mono ${classes}" x="${round(x)}" y="${round(y)}" ${fit}>${escapeXml(shown)}</text>`;
}

export function prose(x, y, text, classes = '') {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}">${escapeXml(text)}</text>`;
}

export function rect({ x, y, width, height }, classes, radius = 0) {
  const size = `width="${round(width)}" height="${round(height)}"`;
  return `<rect class="${classes}" x="${round(x)}" y="${round(y)}" ${size} rx="${radius}"/>`;
}

export function path(points, classes) {
  return `<path class="${classes}" d="${points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')}"/>`;
}

const TOOTH = 3;

function zigzag(x, y, width) {
  const count = Math.max(2, Math.round(width / TOOTH));
  const points = Array.from({ length: count + 1 }, (_, at) => [
    x + (at * width) / count,
    y + (at % 2 === 0 ? 1 : -1.5),
  ]);
  return path(points, 'under');
}

const DASHES = { suspect: '7 4', requested: '1.5 3.5' };

/** The underline of a span: a zigzag, dashes or dots, so that colour is not the only difference. */
export function underline(trust, x, y, width) {
  if (trust === 'flagged') return zigzag(x, y, width);
  const dashes = DASHES[trust] === undefined ? '' : ` stroke-dasharray="${DASHES[trust]}"`;
  return `<line class="under"${dashes} x1="${round(x)}" y1="${y}" x2="${round(x + width)}" y2="${y}"/>`;
}

/** A disc with a tick, a diamond with an exclamation mark, an octagon with a cross: corners, radius, turn, strokes. */
const SIGNS = {
  allow: [32, 11, 0, ['-5 0 -1 4 5 -4']],
  ask: [4, 13, 0, ['0 -5 0 1', '0 5 0 5.2']],
  deny: [8, 12, 0.5, ['-4 -4 4 4', '-4 4 4 -4']],
};

export function sign(outcome, x, y) {
  const [corners, radius, turn, strokes] = SIGNS[outcome];
  const ring = Array.from({ length: corners }, (_, at) => {
    const angle = ((at + turn) * 2 * Math.PI) / corners;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  const lines = strokes.map((stroke) => {
    const numbers = stroke.split(' ').map(Number);
    const points = numbers.flatMap((number, at) => (at % 2 === 0 ? [[x + number, y + numbers[at + 1]]] : []));
    return path(points, 'stroke');
  });
  return [path(ring, 'sign'), ...lines].join('');
}
