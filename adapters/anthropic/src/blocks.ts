/** Content as a list of blocks. A string becomes one text block; any other value that is not a list becomes one block. */
export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}
