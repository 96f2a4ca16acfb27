// Draws a terminal's screen as SVG, from a capture of tmux with its colours.
const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;

// The foreground colours that the command line uses: light, then dark.
const INKS = {
  31: ['#b3151f', '#ff9a9e'],
  32: ['#17692f', '#6bd985'],
  33: ['#7d5200', '#f0b84a'],
  36: ['#08635c', '#66d6c8'],
};

function styleOf(isDark) {
  const inks = Object.entries(INKS).map(([code, pair]) => `.c${code}{fill:${pair[isDark ? 1 : 0]}}`);
  const paper = isDark ? ['#0e1319', '#e7ebf1', '#3a4450'] : ['#ffffff', '#1b2027', '#c6ccd5'];
  return `rect{fill:${paper[0]};stroke:${paper[2]}}text{fill:${paper[1]}}${inks.join('')}`;
}

const STYLE = [
  'text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}',
  '.c1{font-weight:700}.c2{opacity:.65}',
  styleOf(false),
  `@media (prefers-color-scheme:dark){${styleOf(true)}}`,
].join('');

function inXml(text) {
  return text.replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);
}

const ESCAPE = '\u001b';

/** The active codes after a sequence: 0 resets all, 22 bold and faint, 39 the colour. */
function codesAfter(codes, sequence) {
  let on = [...codes];
  for (const code of sequence.split(';').map(Number)) {
    if (code === 0) on = [];
    else if (code === 39) on = on.filter((each) => each < 30);
    else if (code === 22) on = on.filter((each) => each > 2);
    else on.push(code);
  }
  return on;
}

/** The runs of a line that have one style, each with its codes. Returns the codes at its end, with which the next line begins. */
function* ranges(line, before) {
  let codes = before;
  for (const [index, piece] of line.split(ESCAPE).entries()) {
    const end = index === 0 ? 0 : piece.indexOf('m') + 1;
    if (index > 0) codes = codesAfter(codes, piece.slice(1, end - 1));
    if (piece.length > end) yield { text: piece.slice(end), codes };
  }
  return codes;
}

/** The runs of all lines. */
function rangesOf(lines) {
  let codes = [];
  return lines.map((line) => {
    const runs = [];
    const each = ranges(line, codes);
    let next = each.next();
    for (; !next.done; next = each.next()) runs.push(next.value);
    codes = next.value;
    return runs;
  });
}

/**
 * @param {string} captured what `tmux capture-pane -p -e` printed
 * @param {{ title: string, columns: number }} about
 */
export function drawScreen(captured, { title, columns }) {
  const lines = captured.replace(/\s+$/, '').split('\n');
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const rows = rangesOf(lines).map((runs, row) => {
    let column = 0;
    const spans = runs.map(({ text, codes }) => {
      const x = (MARGIN + column * CELL.width).toFixed(1);
      column += text.length;
      const classes = codes.map((code) => `c${code}`).join(' ');
      const length = (text.length * CELL.width).toFixed(1);
      return `<tspan x="${x}" textLength="${length}"${classes === '' ? '' : ` class="${classes}"`}>${inXml(text)}</tspan>`;
    });
    return `<text y="${MARGIN + row * CELL.height + 13}">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${inXml(title)}">`,
    `<title>${inXml(title)}</title><style>${STYLE}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}
