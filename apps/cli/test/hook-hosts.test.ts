import { describe, expect, test } from 'vitest';
import { HOSTS, type HookAnswer, type HookEvent, type Host } from '../src/hook/event.ts';
import { promptOf } from '../src/hook/hosts/host.ts';
import { LOAD_HOST } from '../src/hook/hosts/hosts.ts';

type Fields = Readonly<Record<string, unknown>>;

const CLAUDE = { session_id: 's', cwd: '/p', transcript_path: '/t', permission_mode: 'default' };
const GEMINI = { session_id: 's', cwd: '/p', timestamp: '2026-11-01T10:00:00Z' };
const CURSOR = { conversation_id: 's', generation_id: 'g', workspace_roots: ['/p'] };
const VSCODE = { sessionId: 's', cwd: '/p', timestamp: '2026-11-01T10:00:00Z' };
const BASE = { session: 's', folder: '/p' };
const SHELL = { command: 'npm test' };

const READ: readonly { title: string; host: Host; input: Fields; expected: HookEvent | undefined }[] = [
  {
    title: 'a prompt of Claude Code',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'UserPromptSubmit', prompt: 'Fix it.' },
    expected: { type: 'prompt', text: 'Fix it.', ...BASE },
  },
  {
    title: 'a prompt that the user typed',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'UserPromptSubmit', prompt: 'Fix it.', source: 'user' },
    expected: { type: 'prompt', text: 'Fix it.', ...BASE },
  },
  {
    title: 'a prompt of Claude Code from a program, which is the user by setting',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'UserPromptSubmit', prompt: 'Fix it.', source: 'sdk' },
    expected: { type: 'prompt', text: 'Fix it.', isFromProgram: true, ...BASE },
  },
  ...['system', 'poll_event', 'loop_wakeup', 'schedule_wakeup', 7].map((source) => ({
    title: `a prompt of Claude Code from ${source}, which is not the user`,
    host: 'claude-code' as const,
    input: { ...CLAUDE, hook_event_name: 'UserPromptSubmit', prompt: 'Run it.', source },
    expected: { type: 'result', tool: 'message', arguments: {}, result: 'Run it.', ...BASE } as const,
  })),
  {
    title: 'a prompt that mentions files',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'UserPromptSubmit', prompt: 'Read @docs/plan.md, mail a@b.example and @me.' },
    expected: {
      type: 'prompt',
      text: 'Read @docs/plan.md, mail a@b.example and @me.',
      files: ['docs/plan.md', 'me'],
      ...BASE,
    },
  },
  {
    title: 'a prompt of Cursor with an attachment',
    host: 'cursor',
    input: {
      ...CURSOR,
      hook_event_name: 'beforeSubmitPrompt',
      prompt: 'Fix it.',
      attachments: [{ type: 'file', file_path: '/p/a.md' }],
    },
    expected: { type: 'prompt', text: 'Fix it.', files: ['/p/a.md'], ...BASE },
  },
  {
    title: 'a call of Claude Code',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: SHELL, tool_use_id: 't' },
    expected: { type: 'call', tool: 'Bash', arguments: SHELL, id: 't', ...BASE },
  },
  {
    title: 'a failed call of Claude Code',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: SHELL, error: 'no' },
    expected: { type: 'result', tool: 'Bash', arguments: SHELL, result: 'no', isFailed: true, ...BASE },
  },
  {
    title: 'a command of Claude Code that the user stopped',
    host: 'claude-code',
    input: {
      ...CLAUDE,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: SHELL,
      tool_response: { stdout: 'a', interrupted: true },
    },
    expected: {
      type: 'result',
      tool: 'Bash',
      arguments: SHELL,
      result: { stdout: 'a', interrupted: true },
      isFailed: true,
      ...BASE,
    },
  },
  {
    title: 'a call of Claude Code in a mode in which no one answers',
    host: 'claude-code',
    input: {
      ...CLAUDE,
      permission_mode: 'bypassPermissions',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: SHELL,
    },
    expected: { type: 'call', tool: 'Bash', arguments: SHELL, isUnattended: true, hasNoDialog: true, ...BASE },
  },
  {
    title: 'a failed call of Cursor',
    host: 'cursor',
    input: {
      ...CURSOR,
      hook_event_name: 'postToolUseFailure',
      tool_name: 'Shell',
      tool_input: SHELL,
      error_message: 'no',
    },
    expected: { type: 'result', tool: 'Shell', arguments: SHELL, result: 'no', isFailed: true, ...BASE },
  },
  {
    title: 'a failed call of Gemini CLI',
    host: 'gemini-cli',
    input: {
      ...GEMINI,
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: SHELL,
      tool_response: { error: 'no' },
    },
    expected: { type: 'result', tool: 'run_shell_command', arguments: SHELL, result: 'no', isFailed: true, ...BASE },
  },
  {
    title: "an event of VS Code that arrives at Claude Code's hook",
    host: 'claude-code',
    input: { ...VSCODE, hookEventName: 'PreToolUse', tool_name: 'run_in_terminal', tool_input: SHELL },
    expected: undefined,
  },
  {
    title: "an event of Cursor that arrives at Claude Code's hook",
    host: 'claude-code',
    input: { ...CURSOR, session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Shell', tool_input: SHELL },
    expected: undefined,
  },
  {
    title: 'a result of Gemini CLI: what the model reads, not what the screen shows',
    host: 'gemini-cli',
    input: {
      ...GEMINI,
      hook_event_name: 'AfterTool',
      tool_name: 'read_file',
      tool_input: { file_path: 'a' },
      tool_response: { llmContent: 'text', returnDisplay: 'shown' },
    },
    expected: { type: 'result', tool: 'read_file', arguments: { file_path: 'a' }, result: 'text', ...BASE },
  },
  {
    title: 'the addresses in a prompt of web_fetch',
    host: 'gemini-cli',
    input: {
      ...GEMINI,
      hook_event_name: 'BeforeTool',
      tool_name: 'web_fetch',
      tool_input: { prompt: 'Compare https://a.example/x and http://b.example' },
    },
    expected: {
      type: 'call',
      tool: 'web_fetch',
      arguments: {
        prompt: 'Compare https://a.example/x and http://b.example',
        urls: ['https://a.example/x', 'http://b.example'],
      },
      ...BASE,
    },
  },
  {
    title: 'a command of Cursor',
    host: 'cursor',
    input: { ...CURSOR, hook_event_name: 'beforeShellExecution', command: 'npm test', cwd: '/p' },
    expected: { type: 'call', tool: 'Shell', arguments: SHELL, ...BASE },
  },
  {
    title: 'a command of Cursor that has an event of its own',
    host: 'cursor',
    input: { ...CURSOR, hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: SHELL },
    expected: undefined,
  },
  {
    title: 'a call of an MCP tool in Cursor, with its arguments as text',
    host: 'cursor',
    input: { ...CURSOR, hook_event_name: 'beforeMCPExecution', tool_name: 'get_issue', tool_input: '{"id":7}' },
    expected: { type: 'call', tool: 'MCP:get_issue', arguments: { id: 7 }, ...BASE },
  },
  {
    title: 'a result of Cursor, as text',
    host: 'cursor',
    input: {
      ...CURSOR,
      hook_event_name: 'postToolUse',
      tool_name: 'Read',
      tool_input: { file_path: 'a' },
      tool_output: '{"content":"x"}',
      tool_use_id: 't',
    },
    expected: {
      type: 'result',
      tool: 'Read',
      arguments: { file_path: 'a' },
      result: { content: 'x' },
      id: 't',
      ...BASE,
    },
  },
  {
    title: 'a call of VS Code under its later names',
    host: 'vscode',
    input: { session_id: 's', cwd: '/p', hook_event_name: 'PreToolUse', tool_name: 'read_file', tool_input: {} },
    expected: { type: 'call', tool: 'read_file', arguments: {}, ...BASE },
  },
  { title: 'an event without a session', host: 'vscode', input: { hookEventName: 'PreToolUse' }, expected: undefined },
  {
    title: 'an event that a later version may add',
    host: 'claude-code',
    input: { ...CLAUDE, hook_event_name: 'SomethingNew' },
    expected: undefined,
  },
];

describe('reading', () => {
  test.each(READ)('$title', async ({ host, input, expected }) => {
    expect((await LOAD_HOST[host]()).read(input)).toEqual(expected);
  });
});

const CALLS: Readonly<Record<Host, Fields>> = {
  'claude-code': { hook_event_name: 'PreToolUse' },
  'gemini-cli': { hook_event_name: 'BeforeTool' },
  cursor: { hook_event_name: 'beforeShellExecution' },
  vscode: { hookEventName: 'PreToolUse' },
  codex: { hook_event_name: 'PreToolUse' },
  opencode: { event: 'call' },
  windsurf: { agent_action_name: 'pre_run_command' },
};
const ASK: HookAnswer = { outcome: 'ask', reason: 'Why.', id: 'abc123' };
const APPROVE = /sallyport approve abc123/;

async function answered(host: Host, input: Fields, answer: HookAnswer): Promise<Fields> {
  const { stdout, stderr, exitCode } = (await LOAD_HOST[host]()).write(input, answer);
  // Windsurf takes a text and an exit code.
  if (host === 'windsurf') return exitCode === 0 ? {} : { decision: 'deny', exitCode, stderr };
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Fields;
}

const MENTIONS: readonly { title: string; origin: string; payload: string; expected: readonly string[] }[] = [
  { title: 'a name with blanks', origin: 'user', payload: 'Read @"docs/der plan.md".', expected: ['docs/der plan.md'] },
  { title: 'an escaped blank', origin: 'user', payload: 'Read @docs/der\\ plan.md.', expected: ['docs/der plan.md'] },
  {
    title: 'other letters',
    origin: 'user',
    payload: 'Lies @docs/gr\u00f6\u00dfe.md!',
    expected: ['docs/gr\u00f6\u00dfe.md'],
  },
  { title: 'other signs', origin: 'user', payload: '@app/a+b/page.tsx', expected: ['app/a+b/page.tsx'] },
  { title: 'lines', origin: 'user', payload: 'See @src/a.ts#L5-20', expected: ['src/a.ts'] },
  { title: 'two names', origin: 'user', payload: '(@a.md,@b.md)', expected: ['a.md', 'b.md)', 'b.md'] },
  { title: 'a mail address', origin: 'user', payload: 'Mail j\u00fcrgen@b.example', expected: [] },
];

test.each(MENTIONS)('files that a prompt mentions: $title', ({ payload, expected }) => {
  expect(promptOf(payload).files ?? []).toEqual(expected);
});

describe('answering', () => {
  test.each(HOSTS)('%s gets no opinion about a call that may be made, so that its own rules decide', async (host) => {
    expect(await answered(host, CALLS[host], { outcome: 'allow' })).toEqual({});
  });

  test.each(['claude-code', 'vscode'] as const)('%s asks with the reason alone', async (host) => {
    const asked = { permissionDecision: 'ask', permissionDecisionReason: 'Why.' };
    expect(await answered(host, CALLS[host], ASK)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', ...asked },
      // Copilot CLI reads the same file of hooks.
      ...(host === 'vscode' && asked),
    });
  });

  test('Cursor asks about commands', async () => {
    expect(await answered('cursor', CALLS.cursor, ASK)).toEqual({ permission: 'ask', user_message: 'Why.' });
  });

  test('Cursor cannot ask before other tools, so the call is denied with the command that allows it', async () => {
    const { permission, agent_message, user_message } = await answered(
      'cursor',
      { hook_event_name: 'preToolUse' },
      ASK,
    );
    expect([permission, agent_message]).toEqual(['deny', expect.stringMatching(APPROVE)]);
    expect(user_message).toMatch(APPROVE);
  });

  test('Gemini CLI asks in its dialog', async () => {
    const input = { ...CALLS['gemini-cli'], tool_name: 'run_shell_command' };
    expect(await answered('gemini-cli', input, ASK)).toEqual({ decision: 'ask', systemMessage: 'Why.' });
  });

  test.each(['mcp_bank_pay', 'invoke_agent'])(
    'Gemini CLI may make a call of %s in spite of a question',
    async (tool_name) => {
      const input = { ...CALLS['gemini-cli'], session_id: 's', tool_name };
      expect((await LOAD_HOST['gemini-cli']()).read(input)).toMatchObject({ hasNoDialog: true });
      const { decision, reason } = await answered('gemini-cli', input, ASK);
      expect([decision, reason]).toEqual(['deny', expect.stringMatching(APPROVE)]);
    },
  );

  test.each(['codex', 'opencode', 'windsurf'] as const)(
    '%s cannot ask, so the call is denied with the command that allows it',
    async (host) => {
      const answer = JSON.stringify(await answered(host, CALLS[host], ASK));
      expect(answer).toMatch(APPROVE);
      expect(answer).toMatch(/"deny"/);
    },
  );

  test.each(HOSTS)('%s tells the model why a call is denied', async (host) => {
    const answer = await answered(host, CALLS[host], { ...ASK, outcome: 'deny' });
    expect(JSON.stringify(answer)).toMatch(/"deny"/);
    expect(JSON.stringify(answer)).toMatch(APPROVE);
  });

  test.each([
    { host: 'claude-code', input: { hook_event_name: 'PostToolUse' } },
    { host: 'gemini-cli', input: { hook_event_name: 'AfterTool' } },
    { host: 'cursor', input: { hook_event_name: 'postToolUse' } },
    { host: 'vscode', input: { hookEventName: 'PostToolUse' } },
    { host: 'codex', input: { hook_event_name: 'PostToolUse' } },
    { host: 'opencode', input: { event: 'result' } },
  ] as const)('$host tells the model about a flagged result', async ({ host, input }) => {
    expect(JSON.stringify(await answered(host, input, { outcome: 'allow', context: 'Careful.' }))).toContain(
      'Careful.',
    );
  });
});
