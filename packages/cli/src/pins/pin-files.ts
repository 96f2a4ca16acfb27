import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Held, PinStore, Pins } from '@sallyport/mcp-proxy';
import { fileName, locked, readJsonFile, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';

/** The form of the files. One without a version is of this form: the first did not name it. */
const PIN_VERSION = 1;

/** What is kept of one server. */
export interface PinFile {
  readonly server: string;
  readonly tools: Readonly<Record<string, Definition>>;
  readonly instructions?: string | undefined;
  readonly held: readonly Held[];
  /** What it is started by, as a digest: two names for one command are one server. */
  readonly command?: string | undefined;
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function read(path: string): PinFile | undefined {
  const value = readJsonFile(path);
  if (value === undefined) return undefined;
  const { version = PIN_VERSION, server, tools, held, instructions, command } = isTable(value) ? value : {};
  // Written back by this version, it would lose what it does not know.
  if (version !== PIN_VERSION)
    throw new CommandError(
      `${path} has version ${JSON.stringify(version)}, and this sallyport reads ${PIN_VERSION}.`,
      'use the sallyport that wrote it, or a later one.',
    );
  const isWhole = typeof server === 'string' && isTable(tools) && Array.isArray(held);
  if (!isWhole || !(instructions === undefined || typeof instructions === 'string'))
    throw new CommandError(`${path} holds no pins.`, 'move it away; its definitions are then taken as seen first.');
  const known = typeof command === 'string' ? { command } : {};
  return { server, tools: tools as PinFile['tools'], held: held as Held[], instructions, ...known };
}

/** What something held is known by: one of each tool, and one for the instructions. */
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

  change(server: string, edit: (file: PinFile) => PinFile): void {
    const path = this.#path(server);
    locked(path, () => {
      const file = edit(read(path) ?? { server, tools: {}, held: [] });
      writeJsonFile(path, { version: PIN_VERSION, ...file });
    });
  }

  /** The pins of one server, as a proxy asks for them. */
  store(server: string, command?: string): PinStore {
    const isOther = (file: PinFile): boolean =>
      file.server !== server && (command === undefined || file.command !== command);
    return {
      load: () => this.of(server),
      add: ({ tools, instructions }: Pins) =>
        this.change(server, (file) => ({
          ...file,
          command,
          // What is there was there first.
          tools: { ...tools, ...file.tools },
          instructions: file.instructions ?? instructions,
        })),
      hold: (held) =>
        this.change(server, (file) => {
          const names = new Set(held.map(heldName));
          return { ...file, command, held: [...file.held.filter((each) => !names.has(heldName(each))), ...held] };
        }),
      waits: (tool) => this.of(server)?.held.some((each) => heldName(each) === `tool ${tool}`) ?? false,
      others: () =>
        new Map(
          this.all()
            .filter(isOther)
            .flatMap((file) => Object.keys(file.tools).map((tool) => [tool, file.server] as const)),
        ),
    };
  }
}
