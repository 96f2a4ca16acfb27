// The events that each host sends for a step, in its own format, and what its answer means.
import type { Host } from '../../apps/cli/src/hook/event.ts';
import type { Step } from './steps.ts';

type Fields = Readonly<Record<string, unknown>>;
type Tool = readonly [name: string, input: Fields];

/** How a host calls its tools. */
interface Tools {
  readonly read: (path: string) => Tool;
  readonly list: (path: string) => Tool;
  readonly find: (pattern: string) => Tool;
  readonly search: (pattern: string) => Tool;
  readonly edit: (path: string, old: string, text: string) => Tool;
  readonly write: (path: string, content: string) => Tool;
  readonly shell: (command: string) => Tool;
  readonly fetch: (url: string) => Tool;
  readonly webSearch: (query: string) => Tool;
  readonly mcp: (server: string, tool: string, given: Fields) => Tool;
}

/** The hosts whose sessions are played. */
export const PLAYED = ['claude-code', 'gemini-cli', 'cursor', 'vscode'] as const satisfies readonly Host[];
export type PlayedHost = (typeof PLAYED)[number];

const TOOLS: Readonly<Record<PlayedHost, Tools>> = {
  'claude-code': {
    read: (path) => ['Read', { file_path: path }],
    list: (path) => ['Bash', { command: `ls ${path}`, description: 'List the folder' }],
    find: (pattern) => ['Glob', { pattern }],
    search: (pattern) => ['Grep', { pattern, output_mode: 'content' }],
    edit: (path, old, text) => ['Edit', { file_path: path, old_string: old, new_string: text }],
    write: (path, content) => ['Write', { file_path: path, content }],
    shell: (command) => ['Bash', { command, description: 'Run a command' }],
    fetch: (url) => ['WebFetch', { url, prompt: 'What does the page say?' }],
    webSearch: (query) => ['WebSearch', { query }],
    mcp: (server, tool, given) => [`mcp__${server}__${tool}`, given],
  },
  'gemini-cli': {
    read: (path) => ['read_file', { file_path: path }],
    list: (path) => ['list_directory', { dir_path: path }],
    find: (pattern) => ['glob', { pattern }],
    search: (pattern) => ['grep_search', { pattern }],
    edit: (path, old, text) => ['replace', { file_path: path, old_string: old, new_string: text, instruction: 'Edit' }],
    write: (path, content) => ['write_file', { file_path: path, content }],
    shell: (command) => ['run_shell_command', { command, description: 'Run a command' }],
    fetch: (url) => ['web_fetch', { prompt: `What does ${url} say?` }],
    webSearch: (query) => ['google_web_search', { query }],
    mcp: (server, tool, given) => [`mcp__${server}__${tool}`, given],
  },
  cursor: {
    read: (path) => ['Read', { file_path: path }],
    list: (path) => ['LS', { path }],
    find: (pattern) => ['Glob', { pattern }],
    search: (pattern) => ['Grep', { pattern }],
    edit: (path, old, text) => ['StrReplace', { file_path: path, old_string: old, new_string: text }],
    write: (path, content) => ['Write', { file_path: path, content }],
    shell: (command) => ['Shell', { command, cwd: '' }],
    fetch: (url) => ['WebFetch', { url }],
    webSearch: (query) => ['WebSearch', { search_term: query }],
    mcp: (_, tool, given) => [`MCP:${tool}`, given],
  },
  vscode: {
    read: (path) => ['read_file', { filePath: path, startLine: 1, endLine: 2000 }],
    list: (path) => ['list_dir', { path }],
    find: (pattern) => ['file_search', { query: pattern }],
    search: (pattern) => ['grep_search', { query: pattern, isRegexp: false }],
    edit: (path, old, text) => ['replace_string_in_file', { filePath: path, oldString: old, newString: text }],
    write: (path, content) => ['create_file', { filePath: path, content }],
    shell: (command) => ['run_in_terminal', { command, explanation: 'Run a command', isBackground: false }],
    fetch: (url) => ['fetch_webpage', { urls: [url], query: 'What does the page say?' }],
    webSearch: (query) => ['github_repo', { query }],
    mcp: (server, tool, given) => [`mcp_${server}_${tool}`, given],
  },
};

function toolOf(host: PlayedHost, step: Step): Tool {
  const tools = TOOLS[host];
  switch (step.do) {
    case 'read':
      return tools.read(step.path);
    case 'list':
      return tools.list(step.path);
    case 'find':
      return tools.find(step.pattern);
    case 'search':
      return tools.search(step.pattern);
    case 'edit':
      return tools.edit(step.path, step.old, step.new);
    case 'write':
      return tools.write(step.path, step.content);
    case 'shell':
      return tools.shell(step.command);
    case 'fetch':
      return tools.fetch(step.url);
    case 'web-search':
      return tools.webSearch(step.query);
    case 'mcp':
      return tools.mcp(step.server, step.tool, step.arguments as Fields);
  }
}

/** What Claude Code reports of its tools: each wraps the text in other fields. */
function claudeResponse(name: string, input: Fields, text: string): unknown {
  if (name === 'Bash') return { stdout: text, stderr: '', interrupted: false, isImage: false };
  if (name === 'Read')
    return { type: 'text', file: { filePath: input.file_path, content: text, numLines: 1, startLine: 1 } };
  if (name === 'Glob') return { filenames: text.split('\n'), durationMs: 12, numFiles: 3, truncated: false };
  if (name === 'Grep') return { mode: 'content', content: text, numFiles: 0, filenames: [] };
  if (name === 'Edit')
    return { filePath: input.file_path, oldString: input.old_string, newString: input.new_string, structuredPatch: [] };
  if (name === 'Write') return { type: 'create', filePath: input.file_path, content: input.content };
  if (name === 'WebFetch') return { bytes: text.length, code: 200, codeText: 'OK', result: text, url: input.url };
  if (name === 'WebSearch') return { query: input.query, results: [text], durationSeconds: 1 };
  return [{ type: 'text', text }];
}

/** The events of one session of a host. */
interface NativeEvents {
  prompt(text: string): Fields;
  call(step: Step, id: string): Fields;
  result(step: Step, id: string, text: string): Fields;
  /** What the host does after this answer. */
  outcome(stdout: string): 'allow' | 'ask' | 'deny';
}

function decisionIn(stdout: string, pick: (answer: Fields) => unknown): 'allow' | 'ask' | 'deny' {
  const found = pick(JSON.parse(stdout) as Fields);
  return found === 'ask' || found === 'deny' ? found : 'allow';
}

const permission = ({ hookSpecificOutput }: Fields): unknown =>
  (hookSpecificOutput as Fields | undefined)?.permissionDecision;

type MakeEvents = (session: string, folder: string) => NativeEvents;

export const NATIVE: Readonly<Record<PlayedHost, MakeEvents>> = {
  'claude-code': (session, cwd) => {
    const base = { session_id: session, cwd, transcript_path: '/tmp/t.jsonl', permission_mode: 'default' };
    const tool = (step: Step, id: string): Fields => {
      const [tool_name, tool_input] = toolOf('claude-code', step);
      return { ...base, tool_name, tool_input, tool_use_id: id };
    };
    return {
      prompt: (prompt) => ({ ...base, hook_event_name: 'UserPromptSubmit', prompt }),
      call: (step, id) => ({ ...tool(step, id), hook_event_name: 'PreToolUse' }),
      result: (step, id, text) => {
        const [name, input] = toolOf('claude-code', step);
        const tool_response = claudeResponse(name, input, text);
        return { ...tool(step, id), hook_event_name: 'PostToolUse', tool_response };
      },
      outcome: (stdout) => decisionIn(stdout, permission),
    };
  },
  'gemini-cli': (session, cwd) => {
    const base = { session_id: session, cwd, transcript_path: '/tmp/t.json', timestamp: '2026-11-01T10:00:00Z' };
    const tool = (step: Step): Fields => {
      const [tool_name, tool_input] = toolOf('gemini-cli', step);
      return { ...base, tool_name, tool_input };
    };
    return {
      prompt: (prompt) => ({ ...base, hook_event_name: 'BeforeAgent', prompt }),
      call: (step) => ({ ...tool(step), hook_event_name: 'BeforeTool' }),
      result: (step, _, text) => {
        const tool_response = { llmContent: text, returnDisplay: text.slice(0, 100) };
        return { ...tool(step), hook_event_name: 'AfterTool', tool_response };
      },
      outcome: (stdout) => decisionIn(stdout, ({ decision }) => decision),
    };
  },
  cursor: (session, folder) => {
    const base = { conversation_id: session, generation_id: 'g', workspace_roots: [folder], cursor_version: '2.4.0' };
    return {
      prompt: (prompt) => ({ ...base, hook_event_name: 'beforeSubmitPrompt', prompt, attachments: [] }),
      call: (step, id) => {
        const [tool_name, tool_input] = toolOf('cursor', step);
        if (step.do === 'shell')
          return { ...base, hook_event_name: 'beforeShellExecution', command: step.command, cwd: folder };
        if (step.do === 'mcp') {
          const given = { tool_name: step.tool, tool_input: JSON.stringify(tool_input), mcp_server_name: step.server };
          return { ...base, hook_event_name: 'beforeMCPExecution', ...given };
        }
        return { ...base, hook_event_name: 'preToolUse', tool_name, tool_input, tool_use_id: id };
      },
      result: (step, id, text) => {
        const [tool_name, tool_input] = toolOf('cursor', step);
        const tool_output = JSON.stringify(step.do === 'shell' ? { output: text, exitCode: 0 } : { content: text });
        return { ...base, hook_event_name: 'postToolUse', tool_name, tool_input, tool_output, tool_use_id: id };
      },
      outcome: (stdout) => decisionIn(stdout, (answer) => answer.permission),
    };
  },
  vscode: (session, cwd) => {
    const base = { sessionId: session, cwd, timestamp: '2026-11-01T10:00:00Z', transcript_path: '/tmp/t.json' };
    const tool = (step: Step, id: string): Fields => {
      const [tool_name, tool_input] = toolOf('vscode', step);
      return { ...base, tool_name, tool_input, tool_use_id: id };
    };
    return {
      prompt: (prompt) => ({ ...base, hookEventName: 'UserPromptSubmit', prompt }),
      call: (step, id) => ({ ...tool(step, id), hookEventName: 'PreToolUse' }),
      result: (step, id, text) => ({ ...tool(step, id), hookEventName: 'PostToolUse', tool_response: text }),
      outcome: (stdout) => decisionIn(stdout, permission),
    };
  },
};
