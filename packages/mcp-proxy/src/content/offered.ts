/** Lists of tools; `*` stands for any characters. */
interface ToolLists {
  /** The tools that are offered. @default all */
  readonly allow?: readonly string[] | undefined;
  /** The tools that are not offered, whatever `allow` says. @default none */
  readonly hide?: readonly string[] | undefined;
}

function matcher(names: readonly string[]): (tool: string) => boolean {
  const patterns = names.map((name) => {
    const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 'su');
  });
  return (tool) => patterns.some((pattern) => pattern.test(tool));
}

/**
 * Whether a tool is offered to the client, by lists of names.
 *
 * @example
 * ```ts
 * const isOffered = offered({ allow: ['read_*'], hide: ['read_secret'] });
 * ```
 */
export function offered({ allow, hide = [] }: ToolLists): (tool: string) => boolean {
  const isAllowed = allow === undefined ? () => true : matcher(allow);
  const isHidden = matcher(hide);
  return (tool) => isAllowed(tool) && !isHidden(tool);
}
