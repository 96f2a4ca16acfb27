import { type ConfigLocation, knownLocations } from '../init/config/clients.ts';
import { findServers, type Server } from '../init/config/servers.ts';
import { type Malformed, memberOf, type Tree } from '../init/config/tree.ts';
import { readConfiguration, syntaxOf } from '../init/plan.ts';
import { remoteProblem } from '../init/remote.ts';
import { load } from '../init/store.ts';
import type { Problem } from '../init/survey.ts';
import { wordsOf, wrapProblem, wrappingOf } from '../init/wrapper.ts';
import type { Io } from '../io.ts';

/** A command to start, with the variables that the client gives it. */
export interface StartCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The server's own command without the wrapper. Undefined for one at an address. */
  readonly unwrapped?: readonly string[];
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

/** Why the command of a server cannot be started here; undefined if it can. */
function startProblem(words: ReturnType<typeof wordsOf>, env: ReturnType<typeof variablesOf>): string | undefined {
  if (env === undefined) return 'a value of its env is not a string';
  if (words.includes(undefined)) return 'an argument of its command is not a string';
  const [placeholder] = /\$\{[^}]*\}?/.exec([...words, ...Object.values(env)].join('\n')) ?? [];
  return placeholder && `only the client can fill in ${placeholder}; try the server there`;
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
  const problem = startProblem(words, env);
  if (problem !== undefined) return { ...about, type: 'untested', reason: problem };
  // A client asks before it starts the server of a project that someone else may have written.
  if (isProject) return { ...about, type: 'untested', reason: 'it is in a file of this project; --project starts it' };
  const all = words as readonly string[];
  const wrapping = wrappingOf(server, []);
  const unwrapped = wrapping.type === 'wrapped' ? { unwrapped: all.slice(wrapping.words) } : {};
  return { ...about, type: 'wrapped', command: { words: all, env: env ?? {}, ...unwrapped } };
}

function serversIn(text: string, { path, tables }: ConfigLocation): readonly Server[] | Malformed {
  const read = readConfiguration(text, syntaxOf(path, text));
  return read.type === 'read' ? findServers(read.root, tables) : read;
}

/** The servers of all clients that `init` knows, and the configurations that cannot be read. */
export interface OwnServers {
  readonly servers: readonly OwnServer[];
  readonly problems: readonly Problem[];
}

export async function ownServers(io: Io, startsProject: boolean): Promise<OwnServers> {
  const elsewhere = new Set(knownLocations({ ...io, cwd: '/' }).map(({ path }) => path));
  const seen = new Set<string>();
  const found: OwnServer[] = [];
  const problems: Problem[] = [];
  for (const location of knownLocations(io)) {
    const loaded = await load(location.path);
    if (loaded.type === 'unreadable') problems.push({ path: location.path, line: undefined, reason: loaded.reason });
    if (loaded.type !== 'loaded' || seen.has(loaded.path)) continue;
    seen.add(loaded.path);
    const isProject = !startsProject && !elsewhere.has(location.path);
    const servers = serversIn(loaded.text, location);
    if ('reason' in servers) problems.push({ path: location.path, line: servers.line, reason: servers.reason });
    else found.push(...servers.map((server) => ownServer(server, location, isProject)));
  }
  return { servers: found, problems };
}
