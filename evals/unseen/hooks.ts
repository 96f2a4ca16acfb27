// Plays coding sessions through the hook of Claude Code: events in its format in, its answers out. No command is run, and the folders are empty.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JudgeOptions } from '@sallyport/core';
import { claudeCode } from '../../apps/cli/src/hook/hosts/claude-code.ts';
import { HookSessions } from '../../apps/cli/src/hook/sessions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What happens in a session, in order. */
export type SessionEvent =
  | { readonly type: 'prompt'; readonly text: string; readonly cwd: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: Fields; readonly cwd: string }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly response: unknown;
      readonly error?: boolean;
      readonly cwd: string;
    }
  | { readonly type: 'rejected'; readonly id: string };

export interface HeldCall {
  readonly call: string;
  readonly tool: string;
  readonly outcome: 'ask' | 'deny';
  readonly answer: string;
}

function eventOf(session: string, event: SessionEvent, calls: ReadonlyMap<string, Fields>): Fields | undefined {
  if (event.type === 'rejected') return undefined;
  const base = { session_id: session, cwd: event.cwd, transcript_path: '', permission_mode: 'default' };
  switch (event.type) {
    case 'prompt':
      return { ...base, hook_event_name: 'UserPromptSubmit', prompt: event.text };
    case 'call': {
      const { id, tool, input } = event;
      return { ...base, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: id };
    }
    case 'result': {
      const called = { ...base, ...calls.get(event.id), tool_use_id: event.id };
      return event.error === true
        ? { ...called, hook_event_name: 'PostToolUseFailure', error: event.response }
        : { ...called, hook_event_name: 'PostToolUse', tool_response: event.response };
    }
  }
}

function outcomeOf(stdout: string): 'allow' | 'ask' | 'deny' {
  if (/"permissionDecision"\s*:\s*"deny"|"decision"\s*:\s*"block"/.test(stdout)) return 'deny';
  return /"permissionDecision"\s*:\s*"ask"/.test(stdout) ? 'ask' : 'allow';
}

/** Plays one session. A call that is asked about is made, as its person let it; one that is refused has no result. */
export async function playSession(
  session: string,
  events: readonly SessionEvent[],
  refused: ReadonlySet<string>,
  judge?: JudgeOptions,
): Promise<readonly HeldCall[]> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-unseen-'));
  const sessions = new HookSessions({
    stateFolder: state,
    environment: { SALLYPORT_STATE: state, XDG_CONFIG_HOME: state, HOME: state },
    ...(judge && { judge }),
  });
  const calls = new Map<string, Fields>();
  const held: HeldCall[] = [];
  const without = new Set<string>();
  try {
    for (const event of events) {
      if (event.type === 'call') calls.set(event.id, { tool_name: event.tool, tool_input: event.input });
      if (event.type === 'result' && without.has(event.id)) continue;
      const input = eventOf(session, event, calls);
      const read = input && claudeCode.read(input);
      if (input === undefined || read === undefined) continue;
      const { stdout } = claudeCode.write(input, await sessions.handle('claude-code', read));
      const outcome = event.type === 'call' ? outcomeOf(stdout) : 'allow';
      if (event.type !== 'call' || outcome === 'allow') continue;
      held.push({ call: event.id, tool: event.tool, outcome, answer: stdout });
      if (outcome === 'deny' || refused.has(event.id)) without.add(event.id);
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
  return held;
}
