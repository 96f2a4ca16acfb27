import type { Io } from '../io.ts';
import { type PinFile, PinFiles } from '../pins/pin-files.ts';
import { stateFolder } from '../state.ts';
import { CommandError, printable } from '../terminal-text.ts';

/** What a server says about itself and its tools, with the changes that are held, as JSON. */
export interface ServerText {
  readonly name: string;
  readonly text: string;
}

function textOf({ server, instructions, tools, held }: PinFile): ServerText {
  const changes = held.flatMap((each) => ('after' in each ? [each.after] : []));
  const said = {
    ...(instructions !== undefined && { instructions }),
    tools,
    ...(changes.length > 0 && { held: changes }),
  };
  return { name: `server ${server}`, text: JSON.stringify(said, null, 2) };
}

/** The definitions of these servers, or of all that were started through `sallyport wrap`. */
export function serverTexts(io: Io, names: readonly string[] | 'all'): readonly ServerText[] {
  const all = new PinFiles(stateFolder(io.environment)).all();
  const unknown = names === 'all' ? undefined : names.find((name) => all.every(({ server }) => server !== name));
  if (unknown !== undefined || all.length === 0)
    throw new CommandError(
      unknown === undefined
        ? 'no server was started through sallyport wrap yet.'
        : `no server is named ${printable(unknown, 60)}.`,
      all.length === 0
        ? 'start one first: sallyport wrap <command>'
        : `use one of these names: ${all.map(({ server }) => printable(server, 60)).join(', ')}`,
      2,
    );
  return all.filter(({ server }) => names === 'all' || names.includes(server)).map(textOf);
}
