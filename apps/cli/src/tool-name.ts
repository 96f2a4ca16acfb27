/**
 * Before the tool's name in a session with several servers. It has one dot, at its end, so that no tool name can look like another
 * server's.
 */
export function prefixOf(server: string): string {
  return `${encodeURIComponent(server).replaceAll('.', '%2E')}.`;
}

function decoded(server: string): string {
  try {
    return decodeURIComponent(server);
  } catch {
    return server;
  }
}

/** The server of a tool by the name that you know, and the tool. Undefined if the name has no prefix. */
export function serverAndTool(name: string): readonly [server: string, tool: string] | undefined {
  const at = name.indexOf('.');
  return at < 0 ? undefined : [decoded(name.slice(0, at)), name.slice(at + 1)];
}

/** The server of a lasting approval and its tool. A host's own tools have no server: their owner names the host. */
export function approvedTool(owner: string, tool: string): readonly [server: string, tool: string] {
  return serverAndTool(tool) ?? [owner.replace(/ hooks$/, ''), tool];
}

/** A tool for a person to read, such as `my files.read`. */
export function shownTool(name: string): string {
  return serverAndTool(name)?.join('.') ?? name;
}
