/** A JSON object whose members are yet to be looked at: every version of the API, and whatever comes next, in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text a member holds; undefined where it holds none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Content as a list of blocks. A plain string is one block of text, and whatever else stands there is one block too. */
export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}
