/**
 * The code point at an index. Used instead of `codePointAt`: for a slice that ends inside a surrogate pair, optimised
 * code in Node 24 reads the other half past the end of the slice.
 */
export function pointAt(text: string, index: number): number {
  const high = text.charCodeAt(index);
  if ((high & 0xfc00) !== 0xd800 || index + 1 >= text.length) return high;
  const low = text.charCodeAt(index + 1);
  return (low & 0xfc00) === 0xdc00 ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : high;
}
