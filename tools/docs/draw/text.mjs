// Breaks text into lines: SVG does not do it, and each line needs its position in the text for the marks.

/** A range of a text; `end` is exclusive. @typedef {{ start: number, end: number, indent: number }} Line */

/** @param {string} text */
export function escapeXml(text) {
  const plain = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return plain.replace(/[^\x20-\x7e]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

const STRING_OR_BRACE = /"(?:[^"\\]|\\.)*"|\{/g;

/** Ranges that begin on a new line: after a line break, and at an object within other JSON. */
function blocksOf(text, isJson) {
  const pattern = isJson ? STRING_OR_BRACE : /\n/g;
  const starts = [...text.matchAll(pattern)]
    .filter(({ 0: found, index }) => !found.startsWith('"') && (!isJson || index > 0))
    .map(({ index }) => (isJson ? index : index + 1));
  return [0, ...starts].map((start, index, all) => ({ start, end: all[index + 1] ?? text.length }));
}

/** The last position up to `limit` where a line may end: after a space, or between two members of an object. */
function breakBefore(text, start, limit) {
  for (let at = limit; at > start; at--) {
    const isBlank = text[at - 1] === ' ';
    const isMember = text[at - 1] === ',' && text[at] === '"';
    if (isBlank || isMember) return at;
  }
  return limit;
}

/**
 * Cuts a text into lines of at most `width` characters; every character except line breaks is in one of them.
 * @param {string} text
 * @param {number} width
 * @param {boolean} [isJson]
 * @returns {Line[]}
 */
export function wrap(text, width, isJson = false) {
  const lines = [];
  for (const [number, block] of blocksOf(text, isJson).entries()) {
    const end = text[block.end - 1] === '\n' ? block.end - 1 : block.end;
    let { start } = block;
    do {
      const isFirst = start === block.start;
      const indent = isJson ? (number === 0 ? 0 : 2) + (isFirst ? 0 : 1) : 0;
      const next = end - start <= width - indent ? end : breakBefore(text, start, start + width - indent);
      lines.push({ start, end: next, indent });
      start = next;
    } while (start < end);
  }
  return lines;
}

/** Lines of prose, as texts. */
export function wrapProse(text, width) {
  return wrap(text, width).map(({ start, end }) => text.slice(start, end).trimEnd());
}
