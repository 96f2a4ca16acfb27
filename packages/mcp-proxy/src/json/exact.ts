import { type JsonNode, parseJson, readValue, within } from '@sallyport/core/json';

/** A number that JavaScript would round: ids and account numbers can have more digits than a double holds. */
const LONG = /\d{16}|\d[eE][+-]?\d{2}/;

/** The value of a node, with long numbers as strings: two ids that differ only in their last digit stay different. */
export function readExactly(text: string, node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (!LONG.test(text)) return readValue(text, node);
  const pieces: string[] = [];
  let from = node.start;
  for (const next of within(node)) {
    const number = next.type === 'other' ? text.slice(next.start, next.end) : '';
    if (!LONG.test(number.replace('.', ''))) continue;
    pieces.push(text.slice(from, next.start), JSON.stringify(number));
    from = next.end;
  }
  return parseJson(pieces.join('') + text.slice(from, node.end));
}
