// Handwritten programs with random changes.

const PIECES = ['}', '{', '(', ')', '`', "'", ';', '\n', '/*', '//', '=>', 'await ', '...', '\\u', '}); ('];

function cut(text, random) {
  const start = random.from(0, text.length);
  return text.slice(0, start) + text.slice(start + random.from(1, 20));
}

function repeat(text, random) {
  const start = random.from(0, text.length);
  const piece = text.slice(start, start + random.from(1, 60));
  return text.slice(0, start) + piece.repeat(random.pick([2, 3, 50])) + text.slice(start);
}

function flip(text, random) {
  const at = random.from(0, Math.max(0, text.length - 1));
  const unit = (text.charCodeAt(at) || 0) ^ (1 << random.from(0, random.chance(0.9) ? 6 : 15));
  return text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1);
}

function insert(text, random) {
  const at = random.from(0, text.length);
  return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
}

const KEYWORDS = new Set(
  `async await break catch class const continue default delete do else extends finally for function if in instanceof let new of
  return static super switch throw try typeof var void while with yield`.split(/\s+/),
);

function wordsOf(text) {
  return [...text.matchAll(/[\w$]+/g)].filter(([word]) => !KEYWORDS.has(word));
}

/** Another word in the place of one. */
function exchange(text, random, sources) {
  const [places, others] = [wordsOf(text), wordsOf(random.pick(sources))];
  if (places.length === 0 || others.length === 0) return text;
  const { index, 0: old } = random.pick(places);
  return text.slice(0, index) + random.pick(others)[0] + text.slice(index + old.length);
}

/** The statements of one up to somewhere, and those of another from somewhere. */
function join(text, random, sources) {
  const [one, other] = [text.split(/(?<=;)/), random.pick(sources).split(/(?<=;)/)];
  return one.slice(0, random.from(0, one.length)).join('') + other.slice(random.from(0, other.length)).join('');
}

/** One of them with some of its letters changed, or with the end of another. */
export function distorted(sources, random) {
  let text = random.pick(sources);
  const ways = random.chance(0.75) ? [exchange, join] : [cut, repeat, flip, insert];
  for (let turn = random.from(1, 4); turn > 0; turn--) text = random.pick(ways)(text, random, sources);
  return text;
}

/** Bytes of chance, as letters of one kind or another. */
export function noise(random) {
  const most = random.pick([127, 255, 65_535]);
  return Array.from({ length: random.from(0, 300) }, () => String.fromCharCode(random.from(0, most))).join('');
}
