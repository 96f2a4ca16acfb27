import { randomBytes } from 'node:crypto';
import { spanClassifier } from '@sallyport/classifier';
import type { Preset } from '@sallyport/core';
import {
  createGuard,
  type Flagged,
  type Guard,
  type McpProxy,
  Memories,
  type ProxyEvent,
  type ProxyOptions,
} from '@sallyport/mcp-proxy';
import { LastingApprovals } from '../approve/lasting-approvals.ts';
import { WRAP_RULES } from '../guarded/rules.ts';
import { guardedFiles } from '../guarded-files.ts';
import { isFileServer, type Secrets, secretFinder } from '../secrets/finder.ts';
import { redactSecrets } from '../secrets/redact.ts';
import { prefixOf, serverAndTool, shownTool } from '../tool-name.ts';
import type { WrapKeys } from './key.ts';

/** The conversation of a user who names none. */
export const LOCAL = 'local';

/** The settings that all servers of a session have in common. */
export interface SessionSettings {
  readonly preset: Preset;
  readonly observe: boolean;
  readonly maxBytes: number;
}

/** Options of one server in its session. */
interface ServerOptions
  extends Omit<ProxyOptions, 'server' | 'principal' | 'key' | 'definitionsKey' | 'memories' | 'prefix' | 'randomId'> {
  readonly onFlagged: (flagged: Flagged) => void;
  readonly onEvent: (event: ProxyEvent) => void;
  readonly secrets: Secrets;
}

interface Server {
  readonly prefix: string;
  readonly commandDigest: string;
  readonly guard: Guard;
  readonly options: ServerOptions;
}

/** A server that takes part in a session. */
export interface Connected {
  readonly proxy: McpProxy;
  /** Ends it. What was read through the server stays known. */
  disconnect(): void;
}

function randomHex(): string {
  return randomBytes(16).toString('hex');
}

const NUMBER = /^mcp-(\d+)-/;

/**
 * The session of one client: the texts that it reads through all of its wrapped servers, and so its rights: where a
 * value comes from is known for all of them.
 */
export class Session {
  readonly #principal: string;
  readonly #keys: WrapKeys;
  readonly #memories: Memories;
  /** By the number that is part of their record ids. */
  readonly #servers = new Map<number, Server>();
  /** The digest of the command that each prefix belongs to. */
  readonly #prefixes = new Map<string, string>();
  #count = 0;

  constructor(principal: string, state: string, keys: WrapKeys, { preset, observe, maxBytes }: SessionSettings) {
    this.#principal = principal;
    this.#keys = keys;
    this.#memories = new Memories(principal, {
      ...keys,
      classifier: spanClassifier,
      gate: {
        preset,
        observe,
        findSecrets: secretFinder({
          isOn: (tool) => this.#looksFor(tool),
          staysHere: (tool) => this.#staysHere(tool),
        }),
        rules: { ...guardedFiles(state), ...WRAP_RULES },
      },
      limits: { maxBytes },
      approvals: new LastingApprovals(state, (tool) => this.#ofTool(tool)?.commandDigest),
      owner: principal,
      randomId: randomHex,
      tools: { get: (name) => this.#ofTool(name)?.guard.tools.get(name) },
      onFlagged: (flagged) => this.#reportFlagged(flagged),
      onEvent: (event) => this.#report(event),
    });
  }

  /** The number of servers that are connected. */
  get size(): number {
    return this.#servers.size;
  }

  #ofTool(name: string): Server | undefined {
    const prefix = name.slice(0, name.indexOf('.') + 1);
    // The latest: a server that was restarted replaces its earlier connection.
    return [...this.#servers.values()].findLast((server) => server.prefix === prefix);
  }

  #looksFor(tool: string): boolean {
    return this.#ofTool(tool)?.options.secrets !== 'off';
  }

  /** Recognizes a tool whose input stays on this machine. A server at an address is elsewhere, whatever its name. */
  #staysHere(tool: string): boolean {
    const [server = ''] = serverAndTool(tool) ?? [];
    return this.#ofTool(tool)?.options.replays !== true && isFileServer(server);
  }

  #reportFlagged(flagged: Flagged): void {
    const server = this.#ofTool(flagged.tool ?? prefixOf(flagged.server));
    server?.options.onFlagged({ ...flagged, tool: flagged.tool?.slice(server.prefix.length) });
  }

  /** Passes an event on to the server whose content or call it is about, and to all if it does not say. */
  #report(event: ProxyEvent): void {
    const id = 'recordId' in event ? event.recordId : 'callId' in event ? event.callId : undefined;
    const number = NUMBER.exec(id ?? '')?.[1];
    const concerned = number === undefined ? [...this.#servers.values()] : [this.#servers.get(Number(number))];
    for (const server of concerned) server?.options.onEvent(event);
  }

  /** This command's prefix for the session: its approvals do not apply to another server of the same name. */
  #prefixFor(server: string, commandDigest: string): string {
    for (let number = 1; ; number++) {
      const prefix = prefixOf(number === 1 ? server : `${server} ${number}`);
      const owner = this.#prefixes.get(prefix) ?? commandDigest;
      this.#prefixes.set(prefix, owner);
      if (owner === commandDigest) return prefix;
    }
  }

  /** Adds a server. */
  connect(server: string, commandDigest: string, options: ServerOptions): Connected {
    const number = ++this.#count;
    const prefix = this.#prefixFor(server, commandDigest);
    const { onFlagged, secrets, ...given } = options;
    const guard = createGuard({
      ...given,
      ...this.#keys,
      ...(secrets === 'redact' && { redact: redactSecrets }),
      redactQuestion: redactSecrets,
      shownSource: shownTool,
      server,
      prefix,
      principal: this.#principal,
      memories: this.#memories,
      randomId: () => `${number}-${randomHex()}`,
    });
    this.#servers.set(number, { prefix, commandDigest, guard, options });
    return { proxy: guard.connect(), disconnect: () => this.#servers.delete(number) };
  }
}
