import { homedir } from 'node:os';
import { CommanderError } from 'commander';
import { runProgram } from './commands.ts';
import { fitLines } from './fit-lines.ts';
import { joinLauncher } from './init/wrapper.ts';
import { version } from './installed.ts';
import { chooseAtTerminal, confirmAtTerminal, type Io } from './io.ts';
import { CommandError, errorLines } from './terminal-text.ts';

function ioFor(main: string): Io {
  // npx may delete its cache. A client that starts the program later needs a path that still exists by then.
  const isNpx = /[\\/]_npx[\\/]/.test(main);
  return {
    ...(isNpx ? {} : { launcher: joinLauncher([process.execPath, main]) }),
    home: homedir(),
    platform: process.platform,
    cwd: process.cwd(),
    environment: process.env,
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    confirm: confirmAtTerminal,
    choose: chooseAtTerminal,
    exit: (code) => {
      process.exitCode = code;
    },
  };
}

/** Prints what went wrong, and sets the exit code. */
function report(cause: unknown): void {
  if (cause instanceof CommandError) {
    process.stderr.write(fitLines(errorLines(cause), process.stderr.columns));
    process.exitCode = cause.exitCode;
  } else if (cause instanceof CommanderError) {
    process.exitCode = cause.exitCode === 0 ? 0 : 2;
    if (process.exitCode !== 0) process.stderr.write(' next: run the command with --help to see its options\n');
  } else throw cause;
}

/** Runs the command that the program was started with. `main` is the path of the program. */
export async function runMain(main: string): Promise<void> {
  // The reader may close the pipe early, as `head` does: that is not an error.
  if (process.argv[2] !== 'wrap') process.stdout.on('error', () => process.exit());
  await runProgram(ioFor(main), version, process.argv.slice(2)).catch(report);
}
