import type { PolicyBody, ToolLists } from './body.ts';

/**
 * The tools of a server that a caller reaches: one of the lists must offer a tool; undefined if the caller does not
 * reach it. A server that no group lists is open to everyone in the workspace.
 */
export function accessTo(
  { groups = {} }: PolicyBody,
  server: string,
  memberOf: readonly string[],
): readonly ToolLists[] | undefined {
  const listed = Object.entries(groups).flatMap(([group, { servers = {} }]) =>
    Object.hasOwn(servers, server) ? [{ group, lists: servers[server] as ToolLists }] : [],
  );
  if (listed.length === 0) return [{}];
  const own = listed.filter(({ group }) => memberOf.includes(group)).map(({ lists }) => lists);
  return own.length === 0 ? undefined : own;
}
