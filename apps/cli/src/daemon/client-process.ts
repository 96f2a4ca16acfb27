import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** When it was started: process ids are used again. */
  readonly started: string;
  readonly command: string;
}

/** Programs that start a wrapper for a client: not the client itself. */
const LAUNCHER =
  /(?:^|[\\/\s])(?:npx|npm|pnpm|pnpx|yarn|bunx?|sh|bash|zsh|dash|cmd|env|sallyport)(?:\.\w+)?(?:\s|$)|_npx|npm-cli|npx-cli/;
const MAX_DEPTH = 6;

async function onLinux(pid: number): Promise<Process> {
  const [stat, command] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ]);
  // The name in brackets may contain anything; the fields after it are numbers.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(fields[1]), started: fields[19] ?? '', command: command.replaceAll('\0', ' ') };
}

async function elsewhere(pid: number): Promise<Process> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,lstart=,command=', '-p', String(pid)]);
  const [, parent = '', started = '', command = ''] =
    /^\s*(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)/.exec(stdout) ?? [];
  return { pid, parent: Number(parent), started, command };
}

/**
 * The name of the client that started a wrapper: the first process above it that is not a launcher. All wrapped servers of a client
 * have the same.
 */
export async function clientOf(wrapperPid: number): Promise<string> {
  const read = process.platform === 'linux' ? onLinux : elsewhere;
  try {
    let current = await read((await read(wrapperPid)).parent);
    for (let depth = 0; depth < MAX_DEPTH && current.parent > 1 && LAUNCHER.test(current.command); depth++)
      current = await read(current.parent);
    return `${current.pid} ${current.started}`;
  } catch {
    // The process has ended, or it cannot be seen: the wrapper is on its own.
    return `wrapper ${wrapperPid}`;
  }
}
