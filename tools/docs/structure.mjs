// Draws the packages and the folders of core with the imports between them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { bundled, connected, folderGraph, packageGraph, readLayers, reduced } from './imports.mjs';
import { layOut } from './layout.mjs';

const options = readOptions(
  `
Draws docs/structure.svg from layers.json and the imports of all packages: the packages, then the folders of core. An
arrow is an import. Imports that other arrows already imply are left out.

  node tools/docs/structure.mjs           writes the picture, and the figures core.lines and gate.lines
  node tools/docs/structure.mjs --check   exit 1 when the committed picture differs; writes nothing
`,
  { check: { type: 'boolean' } },
);

const FILE = 'docs/structure.svg';
const CORE = 'packages/core';
const WIDTH = 1160;
const MARGIN = 28;
const LINE = 18;
const GAP = 28;
const ROW_GAP = 40;
const MIN_WIDTH = 124;
const TITLE = 58;

const STYLE = `
svg{--page:#ffffff;--box:#f7f8fa;--line:#8a94a1;--text:#1b2027;--faint:#555f6b;--arrow:#0a5ab5}
@media (prefers-color-scheme:dark){svg{--page:#0e1319;--box:#161c24;--line:#5b6775;--text:#e7ebf1;--faint:#a3aebb;--arrow:#82bdff}}
text{fill:var(--text);font:14px system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
.head{font-size:18px;font-weight:600}
.faint{fill:var(--faint);font-size:13px}
.name{font:600 13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.page{fill:var(--page)}
.box{fill:var(--box);stroke:var(--line)}
.arrow{fill:none;stroke:var(--arrow);stroke-width:1.75}
.halo{fill:none;stroke:var(--page);stroke-width:6}
.tip{fill:var(--arrow)}`;

const round = (number) => Math.round(number * 10) / 10;
const escapeXml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x, y, words, classes, anchor = 'middle') =>
  `<text class="${classes}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(words)}</text>`;

/** Sets where arrows leave and enter each box: side by side, in the order of their other ends. */
function portsOf(arrows) {
  const ports = new Map();
  const add = (side, cell, port) =>
    ports.set(`${side} ${cell.name}`, [...(ports.get(`${side} ${cell.name}`) ?? []), { ...port, cell }]);
  for (const arrow of arrows) {
    add('below', arrow.chain[0], { arrow, key: 'start', other: arrow.chain[1].x });
    add('above', arrow.chain.at(-1), { arrow, key: 'end', other: arrow.chain.at(-2).x });
  }
  for (const list of ports.values()) {
    const step = Math.min(28, (list[0].cell.width - 20) / list.length);
    list.sort((one, other) => one.other - other.other);
    for (const [at, { arrow, key }] of list.entries()) arrow[key] = (at - (list.length - 1) / 2) * step;
  }
}

const bow = ([x, y], [toX, toY]) => {
  const middle = round((y + toY) / 2);
  return `C${round(x)} ${middle} ${round(toX)} ${middle} ${round(toX)} ${round(toY)}`;
};

/** A curve through points: vertical where it passes a row. */
function curve(points, classes) {
  const [[x, y]] = points;
  const bows = points.slice(1).map((point, at) => bow(points[at], point));
  return `<path class="${classes}" d="M${round(x)} ${round(y)}${bows.join('')}"/>`;
}

const tip = ([x, y], classes) => `<path class="${classes}" d="M${round(x - 4.5)} ${round(y - 8)}h9l-4.5 8z"/>`;

/** A panel: title, arrows, boxes. Returns its lines and its bottom. */
function drawPanel({ title, caption, graph, boxOf }, top) {
  const widthOf = (name) => Math.max(MIN_WIDTH, ...boxOf(name).map((line) => line.length * 8 + 28));
  const { cells, arrows, rows } = layOut(graph, widthOf, GAP);
  const heights = Array.from({ length: rows }, (_, row) =>
    Math.max(
      ...cells.filter((cell) => cell.row === row && !cell.isBend).map(({ name }) => boxOf(name).length * LINE + 16),
    ),
  );
  const tops = heights.map(
    (_, row) => top + TITLE + heights.slice(row + 1).reduce((sum, height) => sum + height + ROW_GAP, 0),
  );
  const left = Math.min(...cells.map(({ x, width }) => x - width / 2));
  const right = Math.max(...cells.map(({ x, width }) => x + width / 2));
  const shift = WIDTH / 2 - (left + right) / 2;
  if (right - left > WIDTH - 2 * MARGIN)
    fail(`the panel "${title}" is ${round(right - left)} wide`, 'widen the picture', 2);
  for (const cell of cells) cell.x += shift;
  const heightOf = ({ name }) => boxOf(name).length * LINE + 16;
  const topOf = (cell) => tops[cell.row] + (heights[cell.row] - heightOf(cell)) / 2;
  portsOf(arrows);
  const lines = arrows.flatMap(({ chain, start, end }) => {
    const [first, last] = [chain[0], chain.at(-1)];
    const bends = chain.slice(1, -1).flatMap(({ x, row }) => [
      [x, tops[row]],
      [x, tops[row] + heights[row]],
    ]);
    const target = [last.x + end, topOf(last)];
    const points = [[first.x + start, topOf(first) + heightOf(first)], ...bends, [target[0], target[1] - 6]];
    return [curve(points, 'halo'), curve(points, 'arrow'), tip(target, 'tip')];
  });
  const boxes = cells
    .filter(({ isBend }) => !isBend)
    .flatMap((cell) => {
      const [x, y] = [round(cell.x - cell.width / 2), round(topOf(cell))];
      const box = `<rect class="box" x="${x}" y="${y}" width="${round(cell.width)}" height="${heightOf(cell)}" rx="6"/>`;
      return [
        box,
        ...boxOf(cell.name).map((line, at) =>
          text(cell.x, y + 21 + at * LINE, line, line.includes(' ') ? 'faint' : 'name'),
        ),
      ];
    });
  const head = [text(MARGIN, top + 22, title, 'head', 'start'), text(MARGIN, top + 42, caption, 'faint', 'start')];
  return { lines: [...head, ...lines, ...boxes], end: tops[0] + heights[0] + 24 };
}

const layers = readLayers();
const packages = connected(packageGraph(layers));
const folders = folderGraph(layers, CORE);

function packagePanel() {
  const { graph, members } = bundled(reduced(packages));
  return {
    title: 'Packages',
    caption:
      'An arrow means "imports". Arrows that others imply are left out; packages with the same arrows share a box.',
    graph,
    boxOf: (name) => members.get(name).map((dir) => dir.replace('packages/', '')),
  };
}

function filesIn(name) {
  const files = readdirSync(join(root, CORE, 'src', name), { recursive: true });
  return `${files.filter((each) => each.endsWith('.ts')).length} files`;
}

const panels = [
  packagePanel(),
  {
    title: 'Folders of core',
    caption:
      'In the order of layers.json: each folder imports only what is below it. Arrows that others imply are left out.',
    graph: reduced(folders),
    boxOf: (name) => [name, filesIn(name)],
  },
];

const drawn = [];
let top = 16;
for (const panel of panels) {
  const { lines, end } = drawPanel(panel, top);
  drawn.push(...lines);
  top = end;
}

const described = panels
  .flatMap(({ graph, boxOf }) =>
    [...graph.arrows].flatMap(([from, tos]) => {
      const nameOf = (name) =>
        boxOf(name)
          .filter((line) => !line.includes(' '))
          .join(', ');
      return tos.size === 0 ? [] : [`${nameOf(from)} imports ${[...tos].map(nameOf).join(', ')}.`];
    }),
  )
  .join(' ');

const picture = `${[
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(top)}" width="${WIDTH}" height="${round(top)}" role="img" aria-labelledby="title words">`,
  '<title id="title">Packages of Sallyport and folders of its core</title>',
  `<desc id="words">${escapeXml(described)}</desc>`,
  `<style>${STYLE}\n</style>`,
  `<rect class="page" width="${WIDTH}" height="${round(top)}" rx="8"/>`,
  ...drawn,
  '</svg>',
].join('\n')}\n`;

const target = join(root, FILE);
/** The lines of all sources below a folder. */
function linesIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.reduce((sum, name) => sum + readFileSync(join(root, folder, name), 'utf8').split('\n').length - 1, 0);
}

if (!options.check) {
  writeFileSync(target, picture);
  const of = (value) => ({ value, unit: 'lines', command: 'npm run check -- structure' });
  writeFigures({ 'core.lines': of(linesIn('packages/core/src')), 'gate.lines': of(linesIn('packages/core/src/gate')) });
}
if (options.check && (!existsSync(target) || readFileSync(target, 'utf8') !== picture))
  fail(`${FILE} is out of date`, 'run node tools/docs/structure.mjs, and commit the picture');
console.log(`OK - ${FILE}: ${packages.order.length} packages, ${folders.order.length} folders of core`);
