import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, painter } from '../say.ts';
import { findingsIn } from './findings.ts';
import { type CheckedFile, sarifOf } from './sarif.ts';
import { showFiles } from './show.ts';

const HELP = `
Looks for text that reads like an instruction to a model, in files or in what comes through a pipe. Strings of JSON, and of
lines of JSON, are read one by one, as an agent would read them. It misses attacks and flags harmless text, at rates that
the README states.

Examples:
  sallyport check notes.md
  sallyport check --level low --json pages/*.html
  curl -s https://example.com | sallyport check -
  sallyport check --sarif --output check.sarif content/*.md

Exit codes: 0 nothing found at the level or above, 1 something was, 2 a file could not be read, or none was a text.`;

/** The classifier looks at a megabyte in a fifth of a second. */
const MOST_BYTES = 64 * 1024 * 1024;

interface CheckOptions {
  readonly level: Likelihood;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly output?: string;
}

function readText(file: string, io: Io): string | undefined {
  let bytes: Buffer;
  try {
    if (file !== '-' && statSync(resolve(io.cwd, file)).size > MOST_BYTES)
      throw new CommandError(`${file} has more than 64 MiB`, 'split it, or check the parts that an agent reads', 2);
    bytes = readFileSync(file === '-' ? 0 : resolve(io.cwd, file));
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const next = code === 'EISDIR' ? `name files: ${file}/*.md` : 'look at the name, and whether you may read it';
    throw new CommandError(`${file} cannot be read (${code ?? 'unknown'})`, next, 2);
  }
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** One that cannot be read is no reason to say nothing of the others. */
function checkFile(file: string, level: Likelihood, io: Io, errors: CommandError[]): CheckedFile | undefined {
  let content: string | undefined;
  try {
    content = readText(file, io);
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    errors.push(cause);
    return undefined;
  }
  if (content === undefined) {
    io.stderr(`skipped: ${file === '-' ? 'stdin' : file} is not a text\n`);
    return undefined;
  }
  return { file: file === '-' ? 'stdin' : file, findings: findingsIn(content, level) };
}

function rendered(
  files: readonly CheckedFile[],
  { json, sarif, output }: CheckOptions,
  io: Io,
  version: string,
): string {
  if (sarif === true) return sarifOf(files, version);
  if (json === true) return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
  // What is piped in is typed by nobody, and still read on a screen.
  const columns = output === undefined ? io.columns : undefined;
  return showFiles(files, painter(columns !== undefined && !io.environment.NO_COLOR), columns);
}

export function checkCommand(io: Io, version = '0'): Command {
  return new Command('check')
    .description('find instructions to a model in files or in a pipe')
    .argument('<files...>', 'files, or - for standard input')
    .addOption(
      new Option('--level <level>', 'from which likelihood on something counts')
        .choices(LIKELIHOODS.filter((level) => level !== 'none'))
        .default('medium'),
    )
    .addOption(new Option('--json', 'write JSON').conflicts('sarif'))
    .option('--sarif', 'write SARIF 2.1.0, for code scanning')
    .option('--output <file>', 'write there instead of to the terminal')
    .addHelpText('after', HELP)
    .action((names: readonly string[], options: CheckOptions) => {
      const errors: CommandError[] = [];
      const files = names.flatMap((name, index) => {
        if (io.isTerminal && names.length > 20)
          io.stderr(`\r\u001b[2K[${index + 1}/${names.length}] ${name.slice(-60)}`);
        return checkFile(name, options.level, io, errors) ?? [];
      });
      if (io.isTerminal && names.length > 20) io.stderr('\r\u001b[2K');
      const text = rendered(files, options, io, version);
      if (options.output === undefined) io.stdout(text);
      else writeFileSync(resolve(io.cwd, options.output), text);
      for (const { message, next } of errors.slice(0, -1)) io.stderr(`error: ${message}\n next: ${next}\n`);
      const [last] = errors.slice(-1);
      if (last !== undefined) throw last;
      if (files.length === 0) throw new CommandError('nothing was checked', 'name files of text', 2);
      io.exit(files.some(({ findings }) => findings.length > 0) ? 1 : 0);
    });
}
