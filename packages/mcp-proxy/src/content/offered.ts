/** Lists of tool names; `*` matches any characters. */
interface ToolLists {
  /** The tools that are offered. @default all */
  readonly allow?: readonly string[] | undefined;
  /** The tools that are not offered, whatever `allow` says. @default none */
  readonly hide?: readonly string[] | undefined;
}

/** Matches a name with a pattern. Each part between two `*` is looked for once, at the first place where it fits. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const middle = name.slice(first.length, name.length - last.length);
  let at = 0;
  for (const part of others) {
    const found = middle.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Makes the check that decides if a tool is offered to the client, from lists of names.
 *
 * @example
 * ```ts
 * const isOffered = offered({ allow: ['read_*'], hide: ['read_secret'] });
 * ```
 */
export function offered({ allow, hide = [] }: ToolLists): (tool: string) => boolean {
  const isAllowed = (tool: string): boolean => allow?.some((pattern) => matches(tool, pattern)) ?? true;
  return (tool) => isAllowed(tool) && !hide.some((pattern) => matches(tool, pattern));
}
