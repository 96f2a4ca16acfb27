// Colours and shapes of the pictures. Colour is never the only difference: spans have underlines, decisions have signs.

/** The name and meaning of each trust class in a picture, worst first. */
export const TRUST_CLASSES = {
  flagged: ['flagged', 'part of an instruction to the model, or of the result of a call that one asked for'],
  suspect: ['suspect', 'next to such an instruction, or perhaps one itself'],
  requested: ['requested', 'in a sentence of others that asks for something, or in its result'],
  open: ['open', 'in content of others, without a request'],
  pointed: ['pointed at', 'in content of others that the user named'],
  own: ['own', 'found in no content: the model chose the words'],
  field: ['field', 'a field that the service writes by itself'],
  vouched: ['user', 'the words of the user'],
};

/** Foreground and background of each trust class and outcome: light, then dark. */
const TONES = {
  flagged: ['#b3151f', '#fde3e3', '#ff9a9e', '#4d1b20'],
  suspect: ['#7d5200', '#fff0c8', '#f0b84a', '#43320a'],
  requested: ['#6238bd', '#ece4ff', '#c3abff', '#35275f'],
  open: ['#4f5964', '#e6e9ee', '#b3bdc8', '#2b333d'],
  pointed: ['#2d6620', '#e1f2d8', '#99d880', '#203a18'],
  own: ['#4f5964', '#f1f2f4', '#b3bdc8', '#20262e'],
  field: ['#08635c', '#d6f2ed', '#66d6c8', '#103c38'],
  vouched: ['#0a5ab5', '#dbeaff', '#82bdff', '#133252'],
  allow: ['#17692f', '#def5e3', '#6bd985', '#163a21'],
  ask: ['#7d5200', '#fff0c8', '#f0b84a', '#43320a'],
  deny: ['#b3151f', '#fde3e3', '#ff9a9e', '#4d1b20'],
};

const PAPER = {
  page: ['#ffffff', '#0e1319'],
  box: ['#f7f8fa', '#161c24'],
  line: ['#c6ccd5', '#3a4450'],
  text: ['#1b2027', '#e7ebf1'],
  faint: ['#555f6b', '#a3aebb'],
};

function variables(isDark) {
  const paper = Object.entries(PAPER).map(([name, pair]) => `--${name}:${pair[isDark ? 1 : 0]}`);
  const tones = Object.entries(TONES).map(([name, tones]) => {
    const [ink, fill] = tones.slice(isDark ? 2 : 0);
    return `--${name}:${ink};--${name}-fill:${fill}`;
  });
  return [...paper, ...tones].join(';');
}

function toneRules(name) {
  return `.${name}{--ink:var(--${name});--fill:var(--${name}-fill)}`;
}

export const STYLE = [
  `svg{${variables(false)}}`,
  `@media (prefers-color-scheme:dark){svg{${variables(true)}}}`,
  ...Object.keys(TONES).map(toneRules),
  'text{fill:var(--text);font:14px system-ui,"Segoe UI",Helvetica,Arial,sans-serif;white-space:pre}',
  '.mono{font:13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}',
  '.head{font-size:18px;font-weight:600}',
  '.strong{font-weight:600}',
  '.faint{fill:var(--faint);font-size:13px}',
  '.tone{fill:var(--ink)}',
  '.page{fill:var(--page)}',
  '.box{fill:var(--box);stroke:var(--line)}',
  '.band{fill:var(--fill)}',
  '.bar{fill:var(--ink)}',
  '.mark{fill:var(--fill)}',
  '.under{fill:none;stroke:var(--ink);stroke-width:1.5}',
  '.taken{fill:none;stroke:var(--ink);stroke-width:1.5}',
  '.pill{fill:var(--fill);stroke:var(--ink)}',
  '.evidence{stroke-width:2.5}',
  '.arrow{fill:none;stroke:var(--ink);stroke-width:1.75}',
  '.halo{fill:none;stroke:var(--page);stroke-width:5}',
  '.tip{fill:var(--ink)}',
  '.next{stroke:var(--line);stroke-width:2}',
  '.sign{fill:var(--ink)}',
  '.stroke{fill:none;stroke:var(--page);stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}',
].join('\n');
