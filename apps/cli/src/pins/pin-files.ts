import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, isFields } from '@sallyport/core/adapter';
import type { Definition, Held, PinStore, Pins } from '@sallyport/mcp-proxy';
import { fileName, readJsonFile, withLock, writeJsonFile } from '../state.ts';
import { CommandError, printable } from '../terminal-text.ts';

/** Version of the file format. A file without a version has this one: the first release did not write it. */
const PIN_VERSION = 1;

/** The stored pins of one server. */
export interface PinFile {
  readonly server: string;
  readonly tools: Readonly<Record<string, Definition>>;
  readonly instructions?: string | undefined;
  readonly held: readonly Held[];
  /** The definitions that are shown unframed: from tool name to digest. A file of an earlier version has none. */
  readonly accepted?: Readonly<Record<string, string>> | undefined;
  /** Digest of the command that starts the server: two names for one command are the same server. */
  readonly command?: string | undefined;
}

/** Why a definition is held. */
export function reasonOf(held: Held): string {
  switch (held.type) {
    case 'changed':
      return 'its definition has changed';
    case 'confusable':
      return `its name looks like ${printable(held.with, 80)}`;
    case 'shadowed':
      return `the server ${printable(held.server, 60)} has a tool with the same name`;
    case 'unreadable':
      return `${held.reason} It cannot be accepted.`;
    case 'flagged':
      return 'its text may address the model; it is shown in frames until you accept it';
    case 'instructions':
      return "the server's instructions to the model have changed";
  }
}

function read(path: string): PinFile | undefined {
  const value = readJsonFile(path);
  if (value === undefined) return undefined;
  const { version = PIN_VERSION, server, tools, held, instructions, accepted, command } = fieldsOf(value);
  // This version would drop fields of a later format when it writes the file.
  if (version !== PIN_VERSION)
    throw new CommandError(
      `${path} has version ${JSON.stringify(version)}; this sallyport reads version ${PIN_VERSION}.`,
      'use the version of sallyport that wrote the file, or a later one.',
    );
  const isComplete = typeof server === 'string' && isFields(tools) && Array.isArray(held);
  if (!isComplete || !(instructions === undefined || typeof instructions === 'string'))
    throw new CommandError(
      `${path} is not a pin file.`,
      'move it to another place; the server is then pinned again from what it lists next.',
    );
  const digest = typeof command === 'string' ? { command } : {};
  const digests = isFields(accepted) ? { accepted: accepted as PinFile['accepted'] } : {};
  return { server, tools: tools as PinFile['tools'], held: held as Held[], instructions, ...digests, ...digest };
}

/** The key of a held change: there is at most one for each tool, and one for the instructions. */
export function heldName(held: Held): string {
  return held.type === 'instructions' ? 'instructions' : `tool ${held.tool}`;
}

/** The pins of all servers, one file each. */
export class PinFiles {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'pins');
  }

  #path(server: string): string {
    return join(this.#folder, fileName(server));
  }

  all(): readonly PinFile[] {
    let names: readonly string[] = [];
    try {
      names = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    }
    return names.toSorted().flatMap((name) => read(join(this.#folder, name)) ?? []);
  }

  of(server: string): PinFile | undefined {
    return read(this.#path(server));
  }

  /** When the pins of a server were written last. */
  changedAt(server: string): Date {
    return statSync(this.#path(server)).mtime;
  }

  change(server: string, edit: (file: PinFile) => PinFile): void {
    const path = this.#path(server);
    withLock(path, () => {
      const file = edit(read(path) ?? { server, tools: {}, held: [] });
      writeJsonFile(path, { version: PIN_VERSION, ...file });
    });
  }

  /** The pins of one server, as the store that a proxy uses. */
  store(server: string, command?: string): PinStore {
    const isOther = (file: PinFile): boolean =>
      file.server !== server && (command === undefined || file.command !== command);
    return {
      load: () => this.of(server),
      add: ({ tools, instructions, accepted = {} }: Pins) =>
        this.change(server, (file) => ({
          ...file,
          command,
          // The first definition of a tool stays pinned.
          tools: { ...tools, ...file.tools },
          instructions: file.instructions ?? instructions,
          accepted: { ...file.accepted, ...accepted },
          held: file.held.filter((each) => each.type !== 'flagged' || !Object.hasOwn(accepted, each.tool)),
        })),
      hold: (held) => {
        if (held.length === 0) return;
        this.change(server, (file) => {
          const names = new Set(held.map(heldName));
          return { ...file, command, held: [...file.held.filter((each) => !names.has(heldName(each))), ...held] };
        });
      },
      waits: (tool) =>
        this.of(server)?.held.some((each) => each.type !== 'flagged' && heldName(each) === `tool ${tool}`) ?? false,
      others: () =>
        new Map(
          this.all()
            .filter(isOther)
            .flatMap((file) => Object.keys(file.tools).map((tool) => [tool, file.server] as const)),
        ),
    };
  }
}
