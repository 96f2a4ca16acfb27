/** The pointer to a member of what another pointer points to. */
export function pointerTo(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * The segments of a JSON pointer. `*` means every item of a list, and every name of a table.
 *
 * @example
 * ```ts
 * segmentsOf('/items/0/name'); // ['items', '0', 'name']
 * ```
 */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
