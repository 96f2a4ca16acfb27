import { type OwnServer, ownServers } from '../doctor/own-servers.ts';
import type { Io } from '../io.ts';
import { type PinFile, PinFiles } from '../pins/pin-files.ts';
import { stateFolder } from '../state.ts';
import { CommandError, printable } from '../terminal-text.ts';

/** The texts of a server and its tools, with the changes that are held, as JSON. */
interface ServerText {
  readonly name: string;
  readonly text: string;
  /** The number of tool definitions in it, and of instructions. */
  readonly definitions: number;
}

/** A server of a client whose definitions are not known here. */
export interface SkippedServer {
  readonly server: string;
  readonly client: string;
  readonly reason: string;
}

interface ServerTexts {
  readonly texts: readonly ServerText[];
  readonly skipped: readonly SkippedServer[];
}

function textOf({ server, instructions, tools, held }: PinFile): ServerText {
  const changes = held.flatMap((each) => ('after' in each ? [each.after] : []));
  const said = {
    ...(instructions !== undefined && { instructions }),
    tools,
    ...(changes.length > 0 && { held: changes }),
  };
  const definitions = Object.keys(tools).length + changes.length + Number(instructions !== undefined);
  return { name: `server ${server}`, text: JSON.stringify(said, null, 2), definitions };
}

/** The name under which the definitions of a server are kept. */
function pinnedName(own: OwnServer): string {
  const words = own.type === 'wrapped' ? own.command.words : [];
  return words[words.indexOf('--server') + 1 || words.length] ?? own.name;
}

function reasonOf(own: OwnServer): string {
  if (own.type === 'unwrappable') return own.reason;
  return own.type === 'bare'
    ? 'it is not wrapped; sallyport init wraps it'
    : 'it has not listed its tools yet; sallyport doctor says whether it starts';
}

async function skippedServers(io: Io, pinned: readonly PinFile[]): Promise<readonly SkippedServer[]> {
  const names = new Set(pinned.map(({ server }) => server));
  const { servers, problems } = await ownServers(io, false);
  const unread = problems.map(({ path, reason }) => ({ server: path, client: 'configuration', reason }));
  const skipped = servers.filter((own) => !names.has(pinnedName(own)));
  const found = skipped.map((own) => ({ server: own.name, client: own.label, reason: reasonOf(own) }));
  return [...found, ...unread];
}

/** One line for each server with definitions that wait for a person. */
function showHeld(files: readonly PinFile[]): string {
  return files
    .filter(({ held }) => held.length > 0)
    .map(({ server, held }) => {
      const name = printable(server, 60);
      return `${name}: ${held.length} not accepted yet; to accept: sallyport pins accept ${name}\n`;
    })
    .join('');
}

/** One line for each server that is skipped. */
function showSkipped(skipped: readonly SkippedServer[]): string {
  return skipped
    .map(({ server, client, reason }) => `skipped ${printable(server, 60)} (${printable(client, 60)}): ${reason}\n`)
    .join('');
}

function nothingKnown(skipped: readonly SkippedServer[]): CommandError {
  const next = skipped.length === 0 ? 'start one first: sallyport wrap <command>' : 'wrap your servers: sallyport init';
  return new CommandError('no server was started through sallyport wrap yet.', next, 2);
}

/** The definitions of these servers, or of all that were started through `sallyport wrap`, and which servers have none. */
export async function serverTexts(io: Io, names: readonly string[] | 'all'): Promise<ServerTexts> {
  const all = new PinFiles(stateFolder(io.environment)).all();
  const skipped = names === 'all' ? await skippedServers(io, all) : [];
  io.stderr(showSkipped(skipped));
  if (all.length === 0) throw nothingKnown(skipped);
  const unknown = names === 'all' ? undefined : names.find((name) => all.every(({ server }) => server !== name));
  if (unknown !== undefined)
    throw new CommandError(
      `no server is named ${printable(unknown, 60)}.`,
      `use one of these names: ${all.map(({ server }) => printable(server, 60)).join(', ')}`,
      2,
    );
  const checked = all.filter(({ server }) => names === 'all' || names.includes(server));
  io.stderr(showHeld(checked));
  return { texts: checked.map(textOf), skipped };
}
