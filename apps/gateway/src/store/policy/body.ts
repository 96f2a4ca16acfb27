import type { Effect, Preset, TableChanges } from '@sallyport/core';
import type { Likelihood } from '@sallyport/core/stages';
import type { Conversations, Mode, Structured, ToolKnowledge } from '@sallyport/mcp-proxy';

/** Settings that a server can have of its own. */
interface SharedPolicy {
  readonly mode?: Mode;
  readonly structured?: Structured;
  /** Seconds that a held call waits for an answer. */
  readonly askTimeout?: number;
}

/** Which tools of a server are offered; `*` matches any characters. */
export interface ToolLists {
  /** The tools that are offered. @default all */
  readonly allow?: readonly string[];
  /** The tools that are not offered, whatever `allow` says. @default none */
  readonly hide?: readonly string[];
}

/** The policy of a workspace for one server. */
export interface ServerPolicy extends SharedPolicy, ToolLists {
  readonly trusted?: boolean;
  readonly tools?: Readonly<Record<string, ToolKnowledge>>;
}

/** How calls are judged. It is the same for all servers. */
interface GatePolicy {
  readonly preset?: Preset;
  /** Cells of the preset's table that differ, for all tools. */
  readonly table?: TableChanges;
  /** Only reports calls, and never holds them. */
  readonly observe?: boolean;
}

/** The policy for the guard of one server. */
export interface GuardPolicy extends ServerPolicy {
  readonly gate: Required<GatePolicy>;
  readonly secondPerson?: readonly Effect[];
  readonly conversations?: Conversations;
}

/** The servers that the members of a group reach. */
interface GroupPolicy {
  readonly servers?: Readonly<Record<string, ToolLists>>;
}

/** The policy of a workspace. What conversations depend on is the same for all servers, because conversations span them. */
export interface PolicyBody extends SharedPolicy, GatePolicy {
  /** Maximum size of one text, in kilobytes. */
  readonly limit?: number;
  /** By tag, the lowest likelihood at which spans are reported. */
  readonly thresholds?: Readonly<Record<string, Likelihood>>;
  /** Uses the names of conversations, or one conversation for each principal. */
  readonly conversations?: Conversations;
  /** Effects of which a held call is answered only by another principal than the one that called. */
  readonly secondPerson?: readonly Effect[];
  /** Keeps the texts of corrections with the verdicts. @default false */
  readonly corrections?: { readonly content?: boolean };
  readonly servers?: Readonly<Record<string, ServerPolicy>>;
  /** A server that a group lists is reached by the members of such groups alone. */
  readonly groups?: Readonly<Record<string, GroupPolicy>>;
}

/** The settings that the memory of a conversation depends on: with others, the log has to be read again. */
export type MemoryPolicy = Pick<PolicyBody, 'limit'>;

export function memoryPolicy({ limit }: PolicyBody): MemoryPolicy {
  return limit === undefined ? {} : { limit };
}

/** How calls are judged: what is remembered of a conversation does not depend on it. */
export function gatePolicy({ preset = 'balanced', table = {}, observe = false }: PolicyBody): Required<GatePolicy> {
  return { preset, table, observe };
}

/** The policy of one server: its own settings, and those of the workspace for the rest. */
export function policyFor(policy: PolicyBody, server: string): GuardPolicy {
  const { mode, structured, askTimeout, conversations, secondPerson, servers = {} } = policy;
  const own = Object.hasOwn(servers, server) ? servers[server] : {};
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(structured === undefined ? {} : { structured }),
    ...(askTimeout === undefined ? {} : { askTimeout }),
    ...(conversations === undefined ? {} : { conversations }),
    ...(secondPerson === undefined ? {} : { secondPerson }),
    ...own,
    gate: gatePolicy(policy),
  };
}
