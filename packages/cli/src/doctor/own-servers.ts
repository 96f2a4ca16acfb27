import { type ConfigLocation, knownLocations } from '../init/config/clients.ts';
import { readJson } from '../init/config/json.ts';
import { findServers, type Server } from '../init/config/servers.ts';
import { readToml } from '../init/config/toml.ts';
import { memberOf, type Tree } from '../init/config/tree.ts';
import { syntaxOf } from '../init/plan.ts';
import { remoteProblem } from '../init/remote.ts';
import { load } from '../init/store.ts';
import { wordsOf, wrapProblem, wrappingOf } from '../init/wrapper.ts';
import type { Io } from '../io.ts';

/** A command to start, with the variables that the client gives it. */
export interface StartCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A server in the configuration of a client. */
export type OwnServer = { readonly client: string; readonly label: string; readonly name: string } & (
  | { readonly type: 'wrapped'; readonly command: StartCommand }
  /** `reason`: why it is not started here. */
  | { readonly type: 'untested'; readonly reason: string }
  | { readonly type: 'bare' }
  /** `reason`: why `init` does not wrap it. */
  | { readonly type: 'unwrappable'; readonly reason: string }
);

/** The variables of a server's `env`; undefined if one is not a text. */
function variablesOf(table: Tree): Readonly<Record<string, string>> | undefined {
  const env = memberOf(table, 'env')?.value;
  if (env === undefined) return {};
  if (env.type !== 'table') return undefined;
  const entries = env.members.map(
    ({ name, value }) => [name, value.type === 'text' ? value.value : undefined] as const,
  );
  return entries.every(([, value]) => value !== undefined)
    ? (Object.fromEntries(entries) as Readonly<Record<string, string>>)
    : undefined;
}

function ownServer(server: Server, { client, label }: ConfigLocation, isProject: boolean): OwnServer {
  const about = { client, label, name: server.name };
  if (server.type === 'other') return { ...about, type: 'unwrappable', reason: server.reason };
  if (server.type === 'remote' || wrappingOf(server, []).type === 'bare') {
    const reason = server.type === 'remote' ? remoteProblem(server) : wrapProblem(server);
    return reason === undefined ? { ...about, type: 'bare' } : { ...about, type: 'unwrappable', reason };
  }
  const words = wordsOf(server);
  const env = variablesOf(server.table);
  const texts = [...words, ...Object.values(env ?? {})];
  if (env === undefined || texts.some((text) => text === undefined || text.includes('${')))
    return { ...about, type: 'untested', reason: 'its command has values that only the client knows' };
  // A client asks before it starts the server of a project that someone else may have written.
  if (isProject) return { ...about, type: 'untested', reason: 'it is in a file of this project; --project starts it' };
  return { ...about, type: 'wrapped', command: { words: words as readonly string[], env } };
}

function serversIn(text: string, { path, tables }: ConfigLocation): readonly Server[] {
  try {
    const read = syntaxOf(path, text) === 'json' ? readJson(text) : readToml(text);
    return read.type === 'read' ? findServers(read.root, tables) : [];
  } catch (cause) {
    // Both parsers recurse. `init` reports such a file.
    if (cause instanceof RangeError) return [];
    throw cause;
  }
}

/** The servers of all clients that `init` knows. */
export async function ownServers(io: Io, startsProject: boolean): Promise<readonly OwnServer[]> {
  const elsewhere = new Set(knownLocations({ ...io, cwd: '/' }).map(({ path }) => path));
  const seen = new Set<string>();
  const found: OwnServer[] = [];
  for (const location of knownLocations(io)) {
    const loaded = await load(location.path);
    if (loaded.type !== 'loaded' || seen.has(loaded.path)) continue;
    seen.add(loaded.path);
    const isProject = !startsProject && !elsewhere.has(location.path);
    found.push(...serversIn(loaded.text, location).map((server) => ownServer(server, location, isProject)));
  }
  return found;
}
