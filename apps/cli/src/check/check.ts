import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, errorLines, painter, printable } from '../terminal-text.ts';
import { findingsIn } from './findings.ts';
import { NotTextError, readText } from './read.ts';
import { type CheckedFile, sarifOf, type UncheckedFile } from './sarif.ts';
import { type SkippedServer, serverTexts } from './servers.ts';
import { showFiles } from './show.ts';
import { instructionFiles, targetsOf } from './targets.ts';

const HELP = `
Finds text that reads like an instruction to a model: in files, in all files of a folder (not in node_modules, .git or files that are not text), or on standard input. The strings in JSON and in JSON lines are checked one by one, as an agent would read them, and then joined in their order. The check misses some attacks and flags some harmless text; docs/numbers.md says how often.

Examples:
  sallyport check notes.md
  sallyport check docs
  sallyport check --level low --json "pages/**/*.html"
  sallyport check --instructions        CLAUDE.md, AGENTS.md, skills and the like
  sallyport check --servers             what your MCP servers say about their tools
  curl -s https://example.com | sallyport check -
  sallyport check --sarif --output check.sarif content

Exit codes: 0 nothing found at --level or above, 1 something found, 2 a file could not be read or is not text.`;

interface CheckOptions {
  readonly level: Likelihood;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly output?: string;
  readonly server?: readonly string[];
  readonly servers?: boolean;
  readonly instructions?: boolean;
}

/** A text to check, which is read only then. */
interface Source {
  readonly name: string;
  /** The user did not name this file, so it is skipped if it is not text. */
  readonly isFound: boolean;
  /** The number of definitions, if it is a server. */
  readonly definitions?: number;
  read(): string;
}

interface Sources {
  readonly sources: readonly Source[];
  readonly skippedServers: readonly SkippedServer[];
}

interface Checked {
  readonly files: readonly CheckedFile[];
  readonly unchecked: readonly UncheckedFile[];
  readonly errors: readonly CommandError[];
  /** How many found files are not text. */
  readonly skipped: number;
}

function errorOf(cause: unknown, name: string): CommandError {
  if (cause instanceof CommandError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(`cannot check ${name} (${message})`, 'split the file, and please report this problem', 2);
}

/** Everything that the user names: files, folders, patterns, servers and instruction files. */
async function sourcesOf(names: readonly string[], options: CheckOptions, io: Io): Promise<Sources> {
  const { server = [], servers, instructions } = options;
  if (names.length === 0 && server.length === 0 && !servers && !instructions)
    throw new CommandError('nothing to check was named.', 'name files or a folder, such as: sallyport check docs', 2);
  const { texts, skipped } =
    servers || server.length > 0 ? await serverTexts(io, servers ? 'all' : server) : { texts: [], skipped: [] };
  const targets = [...names.flatMap((name) => targetsOf(name, io)), ...(instructions ? instructionFiles(io) : [])];
  const sources = [
    ...targets.map(({ name: file, isFound }) => {
      const name = file === '-' ? 'stdin' : file;
      return { name, isFound, read: () => readText(file, name, io) };
    }),
    ...texts.map(({ name, text, definitions }) => ({ name, isFound: false, definitions, read: () => text })),
  ];
  return { sources, skippedServers: skipped };
}

/** Checks every text, and collects the errors of those that cannot be read or checked. */
async function checkAll(sources: readonly Source[], level: Likelihood, io: Io): Promise<Checked> {
  const files: CheckedFile[] = [];
  const unchecked: UncheckedFile[] = [];
  const errors: CommandError[] = [];
  let skipped = 0;
  const showsProgress = io.isTerminal && sources.length > 20;
  for (const [index, { name, isFound, definitions, read }] of sources.entries()) {
    if (showsProgress) io.stderr(`\r\u001b[2K[${index + 1}/${sources.length}] ${printable(name.slice(-60))}`);
    try {
      const findings = await findingsIn(read(), level, name);
      files.push({ file: name, findings, ...(definitions !== undefined && { definitions }) });
    } catch (cause) {
      if (isFound && cause instanceof NotTextError) skipped++;
      else {
        const error = errorOf(cause, name);
        errors.push(error);
        unchecked.push({ file: name, problem: error.message });
      }
    }
  }
  if (showsProgress) io.stderr('\r\u001b[2K');
  return { files, unchecked, errors, skipped };
}

function rendered(
  { files, unchecked, skipped }: Checked,
  skippedServers: readonly SkippedServer[],
  { json, sarif, output }: CheckOptions,
  io: Io,
  version: string,
): string {
  if (sarif === true) return sarifOf(files, unchecked, version);
  if (json === true) return `${JSON.stringify({ version: 1, files, unchecked, skippedServers }, null, 2)}\n`;
  // Only standard output decides: input may come from a pipe while the output goes to a terminal.
  const columns = output === undefined ? io.columns : undefined;
  const painted = painter(columns !== undefined && !io.environment.NO_COLOR);
  return files.length === 0 && unchecked.length > 0 ? '' : showFiles(files, painted, columns, skipped);
}

export function checkCommand(io: Io, version = '0'): Command {
  return new Command('check')
    .argument('[files...]', 'files, folders, patterns, or - for standard input')
    .addOption(
      new Option('--level <level>', 'lowest likelihood that is reported')
        .choices(LIKELIHOODS.filter((level) => level !== 'none'))
        .default('medium'),
    )
    .addOption(new Option('--json', 'write JSON').conflicts('sarif'))
    .option('--sarif', 'write SARIF 2.1.0, for code scanning')
    .addOption(
      new Option('--server <name>', 'also the tool definitions of this wrapped server; can be repeated').argParser(
        (name: string, names: readonly string[] = []) => [...names, name],
      ),
    )
    .option('--servers', 'also the tool definitions of all wrapped servers; names those that it skips')
    .option('--instructions', 'also the instruction files and skills of agents, here and in your home folder')
    .option('--output <file>', 'write to this file instead of standard output')
    .addHelpText('after', HELP)
    .action(async (names: readonly string[], options: CheckOptions) => {
      const { sources, skippedServers } = await sourcesOf(names, options, io);
      const checked = await checkAll(sources, options.level, io);
      const text = rendered(checked, skippedServers, options, io, version);
      if (options.output === undefined) io.stdout(text);
      else writeFileSync(resolve(io.cwd, options.output), text);
      const { files, errors } = checked;
      for (const error of errors.slice(0, -1)) io.stderr(errorLines(error));
      const [last] = errors.slice(-1);
      if (last !== undefined) throw last;
      io.exit(files.some(({ findings }) => findings.length > 0) ? 1 : 0);
    });
}
