import type { ToolCall } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { idOf } from './id.ts';

interface BuiltIn {
  /** The name under which you declare the tool. */
  readonly tool: string;
  /** The members of a call that are its arguments. */
  readonly given: readonly string[];
}

/** Calls of the API's built-in tools, by their type. */
const BUILT_IN: ReadonlyMap<unknown, BuiltIn> = new Map([
  ['local_shell_call', { tool: 'local_shell', given: ['action'] }],
  ['shell_call', { tool: 'shell', given: ['action'] }],
  ['apply_patch_call', { tool: 'apply_patch', given: ['operation'] }],
  ['computer_call', { tool: 'computer', given: ['action', 'actions'] }],
  ['tool_search_call', { tool: 'tool_search', given: ['arguments'] }],
  ['program', { tool: 'program', given: ['code'] }],
  ['web_search_call', { tool: 'web_search', given: ['action'] }],
  ['file_search_call', { tool: 'file_search', given: ['queries'] }],
  ['code_interpreter_call', { tool: 'code_interpreter', given: ['code'] }],
]);

/** The arguments of a call, parsed. Text that is not a JSON object becomes the one argument `input`. */
export function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? null;
  try {
    const value: unknown = parseJson(text);
    return isFields(value) ? value : { input: value };
  } catch {
    return { input: text };
  }
}

function membersOf(item: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}

/** A tool of an MCP server has the server's name before its own, because it may be named like one of yours. */
function nameOnServer({ server_label, name }: Fields): string {
  return `${String(server_label)}.${String(name)}`;
}

/** A call among the items of responses. */
export function useOfItem(item: Fields): ToolCall | undefined {
  const id = idOf(item.call_id ?? item.id, item);
  switch (item.type) {
    case 'function_call':
      return { id, tool: String(item.name), arguments: argumentsOf(item.arguments) };
    case 'custom_tool_call':
      return { id, tool: String(item.name), arguments: { input: item.input ?? null } };
    case 'mcp_call':
    case 'mcp_approval_request':
      return { id, tool: nameOnServer(item), arguments: argumentsOf(item.arguments) };
    default: {
      const builtIn = BUILT_IN.get(item.type);
      return builtIn && { id, tool: builtIn.tool, arguments: membersOf(item, builtIn.given) };
    }
  }
}

/** A call as the API returned it: an item of a response, or one of a chat message. Undefined for anything else. */
export function useOf(call: unknown): ToolCall | undefined {
  if (!isFields(call)) return undefined;
  const { function: own, custom } = call;
  const id = idOf(call.id, call);
  if (isFields(own)) return { id, tool: String(own.name), arguments: argumentsOf(own.arguments) };
  if (isFields(custom)) return { id, tool: String(custom.name), arguments: { input: custom.input ?? null } };
  return useOfItem(call);
}
