// Plain English of any length, the same on every machine, to measure a peer on texts without attacks.
const WORDS = `the a one some garden river market letter window road table winter harbour village engine kitchen paper
teacher farmer train bridge morning evening colour music story weather people children water bread stone wood green
small quiet early long warm light heavy common second walks carries finds keeps brings opens measures paints builds
follows crosses visits near under over behind after before with without from toward along because while and but`;
const words = WORDS.split(/\s+/);
const START = 20260823;

/** @param {number} length in characters, which are bytes too: the text is ASCII */
export function english(length) {
  let state = START;
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const sentence = () => {
    const chosen = Array.from({ length: 6 + below(10) }, () => words[below(words.length)]).join(' ');
    return `${chosen[0].toUpperCase()}${chosen.slice(1)}.`;
  };
  const paragraphs = [];
  for (let size = 0; size < length; ) {
    const paragraph = Array.from({ length: 3 + below(4) }, sentence).join(' ');
    paragraphs.push(paragraph);
    size += paragraph.length + 2;
  }
  // Through a buffer, so that the string is flat: the first reader of a rope would pay for flattening it.
  return Buffer.from(paragraphs.join('\n\n').slice(0, length), 'latin1').toString('latin1');
}
