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

/** A tool for a person to read, such as `my files.read`. */
export function shownTool(name: string): string {
  return serverAndTool(name)?.join('.') ?? name;
}
