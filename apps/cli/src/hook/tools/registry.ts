import { defineTool, type Tool } from '@sallyport/core';
import { effectOfCalledTool, fieldsOf, type ToolRegistry } from '@sallyport/core/adapter';
import { EFFECTS } from '@sallyport/core/stages';
import type { ToolKnowledge } from '@sallyport/mcp-proxy';
import { isFileServer } from '../../secrets/finder.ts';
import { ATTACHED, type Host } from '../event.ts';
import { CLAUDE_CODE_TOOLS } from './claude-code.ts';
import { CODEX_TOOLS } from './codex.ts';
import { CURSOR_TOOLS } from './cursor.ts';
import { GEMINI_CLI_TOOLS } from './gemini-cli.ts';
import { AGENT, type HostTool, type HostTools, OUTPUT, READ } from './kinds.ts';
import { OPENCODE_TOOLS } from './opencode.ts';
import { VSCODE_TOOLS } from './vscode.ts';
import { WINDSURF_TOOLS } from './windsurf.ts';

const TOOLS: Readonly<Record<Host, HostTools>> = {
  'claude-code': CLAUDE_CODE_TOOLS,
  'gemini-cli': GEMINI_CLI_TOOLS,
  cursor: CURSOR_TOOLS,
  vscode: VSCODE_TOOLS,
  codex: CODEX_TOOLS,
  opencode: OPENCODE_TOOLS,
  windsurf: WINDSURF_TOOLS,
};

/** How hosts name a tool of an MCP server. Two of them separate the names so that a server's name may hold the separator. */
const SERVER_TOOL = /^mcp__(?<server>.+?)__(?<tool>.+)$|^MCP:(?<alone>.+)$|^mcp_(?<first>[^_]+)_(?<rest>.+)$/s;

/** The server and the tool of a name such as `mcp__github__create_issue`. */
export function serverToolOf(name: string): { readonly server: string; readonly tool: string } | undefined {
  const { server, tool, alone, first, rest } = SERVER_TOOL.exec(name)?.groups ?? {};
  const found = tool ?? alone ?? rest;
  return found === undefined ? undefined : { server: server ?? first ?? '', tool: found };
}

/** The line of a shell. */
export function commandIn(given: unknown): string | undefined {
  const { command } = fieldsOf(given);
  return typeof command === 'string' ? command : undefined;
}

/** The user's settings for the tools of a server, or of the host itself. */
export type SettingsOf = (server: string) => Readonly<Record<string, ToolKnowledge>>;

/** The declaration of a tool, with the user's settings for it. */
function withSettings(tool: HostTool, settings: ReturnType<SettingsOf>, name: string): HostTool {
  const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
  const { origin, ...rest } = tool;
  // A trusted tool returns nothing of others.
  return own?.trusted === true ? { ...rest, ...own } : { ...tool, ...own };
}

/** The tools of a session as the gate sees them: built-in ones by the host's table, all others by their names. */
export class SessionTools implements ToolRegistry {
  readonly #host: Host;
  readonly #settingsOf: SettingsOf;
  readonly #tools = new Map<string, Tool>();

  constructor(host: Host, settingsOf: SettingsOf) {
    this.#host = host;
    this.#settingsOf = settingsOf;
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  values(): Iterable<Tool> {
    return this.#tools.values();
  }

  #builtIn(name: string): HostTools[string] | undefined {
    const tools = TOOLS[this.#host];
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  }

  /** Recognizes a tool whose output stays on this machine. */
  staysHere(name: string): boolean {
    return this.#builtIn(name) !== undefined || isFileServer(serverToolOf(name)?.server ?? '');
  }

  /** Recognizes a tool that returns what another agent or an earlier command has read. */
  isRelay(name: string): boolean {
    const tool = this.#builtIn(name);
    return tool === AGENT || tool === OUTPUT;
  }

  /** Recognizes a tool that the user has declared to return nothing of others. */
  isTrusted(name: string): boolean {
    return this.get(name)?.source.origin === 'system';
  }

  /** Recognizes a host's own tool for commands or files: the everyday work of an agent on the user's project. */
  isOwnWork(name: string): boolean {
    const tool = this.#builtIn(name) === undefined ? undefined : this.get(name);
    return tool?.effect === 'write' || (tool?.effect === 'execute' && tool.roles.get('command') === 'command');
  }

  #declared(name: string, given: unknown): HostTool {
    if (name === ATTACHED) return READ;
    const builtIn = this.#builtIn(name);
    if (builtIn !== undefined) {
      const tool = typeof builtIn === 'function' ? builtIn(fieldsOf(given)) : builtIn;
      return withSettings(tool, this.#settingsOf(this.#host), name);
    }
    const { server, tool } = serverToolOf(name) ?? { server: this.#host, tool: name };
    // Hooks are not told a tool's schema.
    const effect = effectOfCalledTool(tool, given);
    return withSettings({ effect, origin: 'external' }, this.#settingsOf(server), tool);
  }

  /** Declares the tool of a call. If it takes more than before, it counts as what it does with that. */
  declare(name: string, given: unknown): void {
    const known = this.#tools.get(name);
    const tool = defineTool({ ...this.#declared(name, given), name });
    const isStronger = known === undefined || EFFECTS.indexOf(tool.effect) > EFFECTS.indexOf(known.effect);
    if (isStronger) this.#tools.set(name, tool);
  }
}
