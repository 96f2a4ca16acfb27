import type { HookEvent, Host } from './event.ts';

/** The prefix of MCP tools in Cursor. */
export const CURSOR_MCP = 'MCP:';

type Call = Extract<HookEvent, { type: 'call' }>;

/** Checks that a host can ask its user about this call. Where it cannot, the call is denied. */
export function canAsk(host: Host, { tool, hasNoDialog }: Pick<Call, 'tool' | 'hasNoDialog'>): boolean {
  if (hasNoDialog === true) return false;
  switch (host) {
    case 'codex':
    case 'opencode':
    case 'windsurf':
      return false;
    case 'cursor':
      // Shells and MCP tools have events of their own.
      return tool === 'Shell' || tool.startsWith(CURSOR_MCP);
    default:
      return true;
  }
}

/** Checks that a person answers a question about this call in the host's own dialog. */
export function asksUser(host: Host, event: Call): boolean {
  return event.isUnattended !== true && canAsk(host, event);
}
