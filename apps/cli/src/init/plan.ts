import { applyEdits, type Edit } from './config/edit.ts';
import { readJson } from './config/json.ts';
import { findServers, type LocalServer, type RemoteServer, type Server } from './config/servers.ts';
import { readToml } from './config/toml.ts';
import type { Malformed, ReadConfiguration, Syntax } from './config/tree.ts';
import { maskSecrets } from './mask.ts';
import { remoteEdits, remoteProblem, remoteUndo, remoteWords } from './remote.ts';
import { unwrapEdits } from './unwrap.ts';
import { wrapEdits } from './wrap.ts';
import { joinLauncher, wordsOf, wrapProblem, wrapperWords, wrappingOf } from './wrapper.ts';

export interface PlanOptions {
  readonly action: 'wrap' | 'unwrap';
  readonly launcher: readonly string[];
  /** Paths of the tables in the configuration that contain servers. */
  readonly tables: readonly (readonly string[])[];
}

/** The result of `init` for one server. */
export interface Outcome {
  readonly type: 'changed' | 'left';
  readonly name: string;
  readonly project: string | undefined;
  readonly reason: string;
  /** Set for a server at an address, where the user may have to log in. */
  readonly isRemote?: boolean;
}

export interface Planned {
  readonly type: 'planned';
  readonly text: string;
  readonly outcomes: readonly Outcome[];
  /** The new text. Equal to `text` if there is nothing to do. */
  readonly after: string;
  /** Both texts with their secrets masked, line by line. */
  readonly masked: { readonly before: string; readonly after: string };
  /** The number of wrapped servers, by `init` or by hand, before and after the change. */
  readonly wrapped: { readonly before: number; readonly after: number };
}

interface Step {
  readonly outcome: Outcome;
  readonly edits: readonly Edit[];
  readonly words: readonly (string | undefined)[];
}

export function syntaxOf(path: string, text: string): Syntax {
  if (/\.toml$/i.test(path)) return 'toml';
  if (/\.jsonc?$/i.test(path)) return 'json';
  return /^\uFEFF?\s*(?:\{|\/[/*])/.test(text) ? 'json' : 'toml';
}

/** Reads a configuration, or says in which line it is malformed. */
export function readConfiguration(text: string, syntax: Syntax): ReadConfiguration | Malformed {
  try {
    return syntax === 'json' ? readJson(text) : readToml(text);
  } catch (error) {
    // Both parsers recurse, and an untrusted file may be nested to any depth.
    if (error instanceof RangeError) return { type: 'malformed', line: 1, reason: 'nested too deeply' };
    throw error;
  }
}

function stepTo(text: string, syntax: Syntax, server: LocalServer, { action, launcher }: PlanOptions): Step {
  const { name, project } = server;
  const words = wordsOf(server);
  const left = (reason: string): Step => ({ outcome: { type: 'left', name, project, reason }, edits: [], words });
  const changed = { type: 'changed', name, project, reason: '' } as const;
  const wrapping = wrappingOf(server, launcher);
  if (action === 'wrap') {
    if (wrapping.type !== 'bare') {
      const by = joinLauncher(wrapping.launcher);
      return left(by === joinLauncher(launcher) ? 'already wrapped' : `already wrapped, by ${by}`);
    }
    const problem = wrapProblem(server);
    if (problem) return left(problem);
    const wrapper = wrapperWords(launcher, name);
    return { outcome: changed, edits: wrapEdits(text, server, wrapper, syntax), words: [...wrapper, ...words] };
  }
  if (wrapping.type === 'bare') return left('not wrapped');
  if (wrapping.type === 'remote')
    return { outcome: changed, edits: remoteUndo(text, server, wrapping.entry), words: [] };
  if (wrapping.type === 'altered') return left(`${wrapping.reason}; remove the wrapper by hand`);
  return { outcome: changed, edits: unwrapEdits(text, server, wrapping.words), words: words.slice(wrapping.words) };
}

/** Checks that the wrapped server can be restored to the same bytes. */
function isReversible(
  text: string,
  syntax: Syntax,
  server: RemoteServer,
  edits: readonly Edit[],
  options: PlanOptions,
): boolean {
  const wrapped = applyEdits(text, edits);
  const after = readConfiguration(wrapped, syntax);
  if (after.type === 'malformed') return false;
  const [same] = findServers(after.root, options.tables).filter(
    ({ name, project, table }) =>
      name === server.name && project === server.project && table.start <= server.table.start,
  );
  if (same?.type !== 'started' && same?.type !== 'listed') return false;
  const wrapping = wrappingOf(same, options.launcher);
  return wrapping.type === 'remote' && applyEdits(wrapped, remoteUndo(wrapped, same, wrapping.entry)) === text;
}

function stepToRemote(text: string, syntax: Syntax, server: RemoteServer, options: PlanOptions): Step {
  const { name, project } = server;
  const left = (reason: string): Step => ({ outcome: { type: 'left', name, project, reason }, edits: [], words: [] });
  if (options.action === 'unwrap') return left('not wrapped');
  const problem = remoteProblem(server);
  if (problem !== undefined) return left(problem);
  const words = remoteWords(wrapperWords(options.launcher, name), server);
  const edits = remoteEdits(text, server, words, syntax);
  if (!isReversible(text, syntax, server, edits, options)) return left('--undo could not restore its settings');
  const outcome = { type: 'changed', name, project, reason: '', isRemote: true } as const;
  return { outcome, edits, words: [...words, server.address.value.value] };
}

function stepOf(text: string, syntax: Syntax, server: Server, options: PlanOptions): Step {
  if (server.type === 'remote') return stepToRemote(text, syntax, server, options);
  if (server.type !== 'other') return stepTo(text, syntax, server, options);
  const { name, project } = server;
  const reason = options.action === 'wrap' ? server.reason : 'not wrapped';
  return { outcome: { type: 'left', name, project, reason }, edits: [], words: [] };
}

function isLocal(server: Server): server is LocalServer {
  return server.type === 'started' || server.type === 'listed';
}

function countWrapped(servers: readonly Server[], launcher: readonly string[]): number {
  return servers.filter((server) => isLocal(server) && wrappingOf(server, launcher).type !== 'bare').length;
}

/** Compares the commands of the changed text, read again. If they differ, the file's form is not supported. */
function isAsIntended(servers: readonly Server[], steps: readonly Step[]): boolean {
  const commands = servers.map((server) => (isLocal(server) ? wordsOf(server) : []));
  return JSON.stringify(commands) === JSON.stringify(steps.map(({ words }) => words));
}

/** Plans the change of one configuration. Reads and writes no file. */
export function plan(text: string, syntax: Syntax, options: PlanOptions): Planned | Malformed {
  const before = readConfiguration(text, syntax);
  if (before.type === 'malformed') return before;
  const servers = findServers(before.root, options.tables);
  const steps = servers.map((server) => stepOf(text, syntax, server, options));
  const edits = steps.flatMap((step) => step.edits);
  const result = applyEdits(text, edits);
  const after = readConfiguration(result, syntax);
  const found = after.type === 'read' ? findServers(after.root, options.tables) : [];
  if (after.type === 'malformed' || !isAsIntended(found, steps))
    return { type: 'malformed', line: 1, reason: 'this file cannot be changed safely; change it by hand' };
  return {
    type: 'planned',
    text,
    outcomes: steps.map(({ outcome }) => outcome),
    after: result,
    masked: { before: maskSecrets(text, before), after: maskSecrets(result, after) },
    wrapped: { before: countWrapped(servers, options.launcher), after: countWrapped(found, options.launcher) },
  };
}
