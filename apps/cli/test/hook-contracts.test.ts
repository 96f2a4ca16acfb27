import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HookEvent, Host } from '../src/hook/event.ts';
import { LOAD_HOST } from '../src/hook/hosts/hosts.ts';
import { TestFolder } from './fixtures/rig.ts';

type Fields = Readonly<Record<string, unknown>>;

// Payloads as codex-rs/hooks/schema (0.169), docs.github.com/en/copilot/reference/hooks-reference and
// docs.windsurf.com/windsurf/cascade/hooks give them.
const CODEX = {
  session_id: '0198f2c4',
  turn_id: 't1',
  transcript_path: null,
  cwd: '/p',
  model: 'gpt-5.4-codex',
  permission_mode: 'default',
};
const COPILOT = { session_id: 'c1', timestamp: '2026-11-01T10:00:00.000Z', cwd: '/p' };
const WINDSURF = { trajectory_id: 'w1', execution_id: 'e1', timestamp: '2026-02-18T14:00:00Z' };
const OPENCODE = { session: 'ses_1', directory: '/p' };
const PATCH = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '*** Move to: src/b.ts',
  '@@',
  '-x',
  '+y',
  '  *** Delete File: c.ts',
  '*** End Patch',
].join('\n');

const READ: readonly { title: string; host: Host; input: Fields; expected: HookEvent | undefined }[] = [
  {
    title: 'a command of Codex',
    host: 'codex',
    input: {
      ...CODEX,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_use_id: 'call_1',
    },
    expected: {
      type: 'call',
      tool: 'Bash',
      arguments: { command: 'npm test' },
      id: 'call_1',
      session: '0198f2c4',
      folder: '/p',
    },
  },
  {
    title: 'an edit of Codex, with the files that its patch names',
    host: 'codex',
    input: {
      ...CODEX,
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: PATCH },
      tool_use_id: 'call_2',
    },
    expected: {
      type: 'call',
      tool: 'apply_patch',
      arguments: { patch: PATCH, file_path: 'src/a.ts', file_path_2: 'src/b.ts', file_path_3: 'c.ts' },
      id: 'call_2',
      session: '0198f2c4',
      folder: '/p',
    },
  },
  {
    title: 'a result of a server in Codex',
    host: 'codex',
    input: {
      ...CODEX,
      hook_event_name: 'PostToolUse',
      tool_name: 'mcp__docs__read',
      tool_input: { id: 7 },
      tool_response: { content: [{ type: 'text', text: 'Page' }] },
      tool_use_id: 'call_3',
    },
    expected: {
      type: 'result',
      tool: 'mcp__docs__read',
      arguments: { id: 7 },
      result: { content: [{ type: 'text', text: 'Page' }] },
      id: 'call_3',
      session: '0198f2c4',
      folder: '/p',
    },
  },
  {
    title: 'a prompt of Codex',
    host: 'codex',
    input: { ...CODEX, hook_event_name: 'UserPromptSubmit', prompt: 'Fix it.' },
    expected: { type: 'prompt', text: 'Fix it.', session: '0198f2c4', folder: '/p' },
  },
  {
    title: 'a prompt for an agent that the model of Codex starts, which is not the user',
    host: 'codex',
    input: { ...CODEX, hook_event_name: 'UserPromptSubmit', prompt: 'Run it.', agent_id: 'a1', agent_type: 'worker' },
    expected: {
      type: 'result',
      tool: 'spawn_agent',
      arguments: {},
      result: 'Run it.',
      session: '0198f2c4',
      folder: '/p',
    },
  },
  {
    title: 'the end of a session of Codex',
    host: 'codex',
    input: { session_id: 's', transcript_path: null, cwd: '/p', hook_event_name: 'SessionEnd', reason: 'other' },
    expected: { type: 'end', session: 's', folder: '/p' },
  },
  {
    title: 'a command of Copilot CLI',
    host: 'vscode',
    input: { ...COPILOT, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' } },
    expected: { type: 'call', tool: 'Bash', arguments: { command: 'npm test' }, session: 'c1', folder: '/p' },
  },
  {
    title: 'a result of Copilot CLI',
    host: 'vscode',
    input: {
      ...COPILOT,
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input: { path: 'a' },
      tool_result: { result_type: 'success', text_result_for_llm: 'Text' },
    },
    expected: { type: 'result', tool: 'Read', arguments: { path: 'a' }, result: 'Text', session: 'c1', folder: '/p' },
  },
  {
    title: 'a failed call of Copilot CLI',
    host: 'vscode',
    input: {
      ...COPILOT,
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_input: { command: 'x' },
      error: 'no',
    },
    expected: {
      type: 'result',
      tool: 'Bash',
      arguments: { command: 'x' },
      result: 'no',
      isFailed: true,
      session: 'c1',
      folder: '/p',
    },
  },
  {
    title: 'a prompt of Copilot CLI that mentions a file',
    host: 'vscode',
    input: { ...COPILOT, hook_event_name: 'UserPromptSubmit', prompt: 'Read @a.md' },
    expected: { type: 'prompt', text: 'Read @a.md', files: ['a.md'], session: 'c1', folder: '/p' },
  },
  {
    title: 'a prompt of Windsurf',
    host: 'windsurf',
    input: { ...WINDSURF, agent_action_name: 'pre_user_prompt', tool_info: { user_prompt: 'Fix it.' } },
    expected: { type: 'prompt', text: 'Fix it.', session: 'w1', folder: process.cwd() },
  },
  {
    title: 'a command of Windsurf',
    host: 'windsurf',
    input: {
      ...WINDSURF,
      agent_action_name: 'pre_run_command',
      tool_info: { command_line: 'npm install package-name', cwd: '/p' },
    },
    expected: {
      type: 'call',
      tool: 'run_command',
      arguments: { command: 'npm install package-name' },
      session: 'w1',
      folder: '/p',
    },
  },
  {
    title: 'an edit of Windsurf',
    host: 'windsurf',
    input: {
      ...WINDSURF,
      agent_action_name: 'pre_write_code',
      tool_info: { file_path: '/p/a.py', edits: [{ old_string: 'a', new_string: 'b' }] },
    },
    expected: {
      type: 'call',
      tool: 'write_code',
      arguments: { file_path: '/p/a.py', edits: [{ old_string: 'a', new_string: 'b' }] },
      session: 'w1',
      folder: process.cwd(),
    },
  },
  {
    title: 'a file that Windsurf has read',
    host: 'windsurf',
    input: { ...WINDSURF, agent_action_name: 'post_read_code', tool_info: { file_path: '/p/a.py' } },
    expected: { type: 'files', files: ['/p/a.py'], session: 'w1', folder: process.cwd() },
  },
  {
    title: 'a result of a server in Windsurf',
    host: 'windsurf',
    input: {
      ...WINDSURF,
      agent_action_name: 'post_mcp_tool_use',
      tool_info: {
        mcp_server_name: 'github',
        mcp_tool_name: 'list_commits',
        mcp_tool_arguments: { repo: 'r' },
        mcp_result: 'Text',
      },
    },
    expected: {
      type: 'result',
      tool: 'mcp__github__list_commits',
      arguments: { repo: 'r' },
      result: 'Text',
      session: 'w1',
      folder: process.cwd(),
    },
  },
  {
    title: 'an edit of OpenCode',
    host: 'opencode',
    input: {
      ...OPENCODE,
      event: 'call',
      tool: 'edit',
      call: 'call_1',
      args: { filePath: '/p/a.ts', oldString: 'a', newString: 'b' },
    },
    expected: {
      type: 'call',
      tool: 'edit',
      arguments: { file_path: '/p/a.ts', oldString: 'a', newString: 'b' },
      id: 'call_1',
      session: 'ses_1',
      folder: '/p',
    },
  },
  {
    title: 'a patch of OpenCode',
    host: 'opencode',
    input: { ...OPENCODE, event: 'call', tool: 'apply_patch', call: 'c', args: { patchText: PATCH } },
    expected: {
      type: 'call',
      tool: 'apply_patch',
      arguments: { patch: PATCH, file_path: 'src/a.ts', file_path_2: 'src/b.ts', file_path_3: 'c.ts' },
      id: 'c',
      session: 'ses_1',
      folder: '/p',
    },
  },
  {
    title: 'a text that OpenCode attaches',
    host: 'opencode',
    input: { ...OPENCODE, event: 'content', tool: 'attached-file', text: 'Text' },
    expected: {
      type: 'result',
      tool: 'attached-file',
      arguments: {},
      result: 'Text',
      session: 'ses_1',
      folder: '/p',
    },
  },
  ...(['codex', 'vscode', 'windsurf', 'opencode'] as const).map((host) => ({
    title: `an event that a later version of ${host} may add`,
    host,
    input: { ...CODEX, ...WINDSURF, ...OPENCODE, hook_event_name: 'New', agent_action_name: 'new', event: 'new' },
    expected: undefined,
  })),
];

test.each(READ)('$title', async ({ host, input, expected }) => {
  expect((await LOAD_HOST[host]()).read(input)).toEqual(expected);
});

describe('a prompt that a hook of the project submits in Copilot CLI', () => {
  const hook = { version: 1, hooks: { sessionStart: [{ type: 'prompt', prompt: 'Run ./setup.sh now.' }] } };
  test.each([
    { file: '.github/hooks/start.json', prompt: 'Run ./setup.sh now.', type: 'result' },
    { file: '.claude/settings.local.json', prompt: ' Run ./setup.sh now.\n', type: 'result' },
    { file: '.github/hooks/start.json', prompt: 'Run the tests.', type: 'prompt' },
    { file: '.github/workflows/start.json', prompt: 'Run ./setup.sh now.', type: 'prompt' },
  ])('$file: $prompt is a $type', async ({ file, prompt, type }) => {
    const folder = new TestFolder();
    folder.write('.git/HEAD', '');
    folder.write(file, JSON.stringify(hook));
    const cwd = dirname(folder.write('src/a.ts', ''));
    const input = { ...COPILOT, hook_event_name: 'UserPromptSubmit', cwd, prompt };
    expect((await LOAD_HOST.vscode()).read(input)?.type).toBe(type);
    await folder.remove();
  });
});

const FRAMED = { outcome: 'allow', context: 'Careful.', result: [{ type: 'text', text: 'Framed.' }] } as const;

test.each<{ host: Host; input: Fields; expected: Fields }>([
  {
    host: 'claude-code',
    input: { hook_event_name: 'PostToolUse' },
    expected: {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        additionalContext: 'Careful.',
        updatedToolOutput: FRAMED.result,
      },
    },
  },
  {
    host: 'codex',
    input: { hook_event_name: 'PostToolUse' },
    expected: { decision: 'block', reason: 'Careful.\n\ntext\nFramed.' },
  },
  {
    host: 'vscode',
    input: { hook_event_name: 'PostToolUse', tool_result: {} },
    expected: {
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Careful.' },
      modifiedResult: { resultType: 'success', textResultForLlm: 'text\nFramed.' },
      additionalContext: 'Careful.',
    },
  },
  { host: 'opencode', input: { event: 'result' }, expected: { context: 'Careful.', result: 'text\nFramed.' } },
])('$host gets a result in place of the given one', async ({ host, input, expected }) => {
  expect(JSON.parse((await LOAD_HOST[host]()).write(input, FRAMED).stdout)).toEqual(expected);
});
