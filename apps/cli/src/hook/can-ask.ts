import type { HookEvent, Host } from './event.ts';

/** The prefix of MCP tools in Cursor. */
export const CURSOR_MCP = 'MCP:';

/** Checks that a host can ask its user about a call of this tool. Where it cannot, the call is denied. */
export function canAsk(host: Host, tool: string): boolean {
  switch (host) {
    case 'gemini-cli':
      return false;
    case 'cursor':
      // Shells and MCP tools have events of their own.
      return tool === 'Shell' || tool.startsWith(CURSOR_MCP);
    default:
      return true;
  }
}

/** Checks that a person answers a question about this call in the host's own dialog. */
export function asksUser(host: Host, { tool, isUnattended }: Extract<HookEvent, { type: 'call' }>): boolean {
  return isUnattended !== true && canAsk(host, tool);
}
