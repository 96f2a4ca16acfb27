import type { Decision } from '@sallyport/core';
import { isLiftable } from '../approve/liftable.ts';
import type { UserRules } from '../approve/user-rules.ts';
import type { HookEvent, Host } from './event.ts';
import { commandIn, serverToolOf } from './tools/registry.ts';

/** Checks that a rule of the user answers the question about a call. */
export function isLifted(
  rules: UserRules,
  host: Host,
  decision: Decision,
  { tool: name, arguments: given, folder }: Extract<HookEvent, { type: 'call' }>,
): boolean {
  const { server, tool } = serverToolOf(name) ?? { server: host, tool: name };
  const call = { server, tool, command: commandIn(given), folder };
  return decision.outcome === 'ask' && isLiftable(decision) && rules.covers(call);
}
