/** The segments of a JSON pointer. `*` means every item of a list, and every name of a table. */
export type Pointer = readonly string[];

/** Tells a JSON pointer (RFC 6901) from other values: it is empty, or has a slash before each segment. */
export function isPointer(value: unknown): value is string {
  return typeof value === 'string' && (value === '' || value.startsWith('/'));
}

/** What is left of the pointers that go on through a name or an index. */
export function afterSegment(pointers: readonly Pointer[], segment: string): readonly Pointer[] {
  return pointers.flatMap(([first, ...rest]) => (first === '*' || first === segment ? [rest] : []));
}
