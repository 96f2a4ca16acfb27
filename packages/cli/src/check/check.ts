import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, errorLines, painter, printable } from '../terminal-text.ts';
import { findingsIn } from './findings.ts';
import { readText } from './read.ts';
import { type CheckedFile, sarifOf, type UncheckedFile } from './sarif.ts';
import { showFiles } from './show.ts';

const HELP = `
Finds text that reads like an instruction to a model, in files or on standard input. The strings in JSON and in JSON lines
are checked one by one, as an agent would read them, and then joined in their order. The check misses some attacks and flags
some harmless text; the README states how often.

Examples:
  sallyport check notes.md
  sallyport check --level low --json pages/*.html
  curl -s https://example.com | sallyport check -
  sallyport check --sarif --output check.sarif content/*.md

Exit codes: 0 nothing found at --level or above, 1 something found, 2 a file could not be read or is not text.`;

interface CheckOptions {
  readonly level: Likelihood;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly output?: string;
}

interface Checked {
  readonly files: readonly CheckedFile[];
  readonly unchecked: readonly UncheckedFile[];
  readonly errors: readonly CommandError[];
}

function errorOf(cause: unknown, name: string): CommandError {
  if (cause instanceof CommandError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(`cannot check ${name} (${message})`, 'split the file, and please report this problem', 2);
}

/** Checks every file, and collects the errors of those that cannot be read or checked. */
async function checkFiles(names: readonly string[], level: Likelihood, io: Io): Promise<Checked> {
  const files: CheckedFile[] = [];
  const unchecked: UncheckedFile[] = [];
  const errors: CommandError[] = [];
  const showsProgress = io.isTerminal && names.length > 20;
  for (const [index, file] of names.entries()) {
    const name = file === '-' ? 'stdin' : file;
    if (showsProgress) io.stderr(`\r\u001b[2K[${index + 1}/${names.length}] ${printable(name.slice(-60))}`);
    try {
      files.push({ file: name, findings: await findingsIn(readText(file, name, io), level) });
    } catch (cause) {
      const error = errorOf(cause, name);
      errors.push(error);
      unchecked.push({ file: name, problem: error.message });
    }
  }
  if (showsProgress) io.stderr('\r\u001b[2K');
  return { files, unchecked, errors };
}

function rendered(
  { files, unchecked }: Checked,
  { json, sarif, output }: CheckOptions,
  io: Io,
  version: string,
): string {
  if (sarif === true) return sarifOf(files, unchecked, version);
  if (json === true) return `${JSON.stringify({ version: 1, files, unchecked }, null, 2)}\n`;
  // Only standard output decides: input may come from a pipe while the output goes to a terminal.
  const columns = output === undefined ? io.columns : undefined;
  return showFiles(files, painter(columns !== undefined && !io.environment.NO_COLOR), columns);
}

export function checkCommand(io: Io, version = '0'): Command {
  return new Command('check')
    .description('find instructions to a model in files or on standard input')
    .argument('<files...>', 'files, or - for standard input')
    .addOption(
      new Option('--level <level>', 'lowest likelihood that is reported')
        .choices(LIKELIHOODS.filter((level) => level !== 'none'))
        .default('medium'),
    )
    .addOption(new Option('--json', 'write JSON').conflicts('sarif'))
    .option('--sarif', 'write SARIF 2.1.0, for code scanning')
    .option('--output <file>', 'write to this file instead of standard output')
    .addHelpText('after', HELP)
    .action(async (names: readonly string[], options: CheckOptions) => {
      const checked = await checkFiles(names, options.level, io);
      const text = rendered(checked, options, io, version);
      if (options.output === undefined) io.stdout(text);
      else writeFileSync(resolve(io.cwd, options.output), text);
      const { files, errors } = checked;
      for (const error of errors.slice(0, -1)) io.stderr(errorLines(error));
      const [last] = errors.slice(-1);
      if (last !== undefined) throw last;
      io.exit(files.some(({ findings }) => findings.length > 0) ? 1 : 0);
    });
}
