import type { Decision } from '@sallyport/core';
import { BoundedMap, canonicalJson } from '@sallyport/core/adapter';
import { answers, type CheckedCall } from '../hook/checked-call.ts';
import { serverToolOf } from '../hook/tools/registry.ts';
import type { WrappedCall } from '../wrap/proxy.ts';

/** The host may ask its user first. */
const KEPT_MS = 10 * 60_000;
const MAX_CALLS = 1000;

interface Entry {
  readonly checked: CheckedCall;
  readonly until: number;
}

/** The call of a tool by the host's name for it. */
interface HostCall {
  readonly tool: string;
  readonly arguments: unknown;
}

function keyOf(client: string, { tool, arguments: given }: HostCall): string {
  return canonicalJson([client, tool, given ?? {}]);
}

/** How hosts name a tool. Some replace characters, and Cursor does not name the server. */
function namesOf({ server, tool, isDeclared }: WrappedCall): readonly string[] {
  const plain = (name: string): string => name.replace(/[^\w-]/g, '_');
  const names = [server, plain(server), plain(server).toLowerCase()].flatMap((each) => [
    `mcp__${each}__${plain(tool)}`,
    `mcp_${each}_${plain(tool)}`,
  ]);
  const all = [...new Set([...names, `MCP:${tool}`])];
  // Hooks that saw another name of the server or the tool do not know what the user declared about it.
  const isKnown = (name: string): boolean => {
    const named = serverToolOf(name);
    return named?.server === server && named.tool === tool;
  };
  return isDeclared ? all.filter(isKnown) : all;
}

/**
 * What the hooks of each client have just checked, for the wrapped servers of the same client: each entry lets one call pass that the
 * wrapper would ask about again.
 */
export class CheckedCalls {
  readonly #clock: () => number;
  readonly #entries = new BoundedMap<string, Entry>(MAX_CALLS);

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** Forgets an earlier check of the call: it may end differently now. */
  forget(client: string, call: HostCall): void {
    this.#entries.delete(keyOf(client, call));
  }

  add(client: string, call: HostCall, checked: CheckedCall): void {
    this.#entries.set(keyOf(client, call), { checked, until: this.#clock() + KEPT_MS });
  }

  /** A test for questions that the hooks' check of a call answers, if there is one. Each check counts once. */
  take(client: string, call: WrappedCall): ((decision: Decision) => boolean) | undefined {
    const keys = namesOf(call).map((tool) => keyOf(client, { tool, arguments: call.arguments }));
    const found = keys.map((key) => this.#entries.get(key)).find((entry) => entry !== undefined);
    for (const key of keys) this.#entries.delete(key);
    if (found === undefined || found.until <= this.#clock() || found.checked.preset !== call.preset) return undefined;
    return (decision) => answers(found.checked, decision);
  }
}
