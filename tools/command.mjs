// Shared by all tools: --help, refusal of unknown options, errors that name the next step, progress, child programs.
// Exit codes: 0 success, 1 the check found a problem, 2 wrong usage, or the tool could not run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The root of the repository, independent of the working directory. */
export const root = fileURLToPath(new URL('..', import.meta.url));

// As a URL: a loader given by name is resolved from the working directory.
const loader = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href;

/** Options with which this Node runs TypeScript: none from 22.18 on, which strips types itself. */
export const typescriptOptions = process.features.typescript ? [] : ['--import', loader];

/** The same options, with packages of this repository resolved to their sources. */
export const sourceOptions = [...typescriptOptions, '--conditions', '@sallyport/source'];

/**
 * @param {string} problem
 * @param {string} next what the reader should do about it
 * @param {number} [code]
 * @returns {never}
 */
export function fail(problem, next, code = 1) {
  console.error(`error: ${problem}\n next: ${next}`);
  process.exit(code);
}

/**
 * @param {string} help
 * @param {Record<string, { type: 'boolean' | 'string' }>} [options]
 * @returns {Record<string, string | boolean | undefined>}
 */
export function readOptions(help, options = {}) {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean' }, ...options } });
    if (!values.help) return values;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), 'see --help', 2);
  }
  console.log(help.trim());
  process.exit(0);
}

/**
 * Shows progress: one line that is rewritten on a terminal, a new line each time elsewhere.
 * @param {string} line
 */
export function progress(line) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`);
  else console.log(line);
}

/**
 * Progress for work with many small steps: at most five lines a second on a terminal, three a minute elsewhere.
 * @returns {typeof progress}
 */
export function occasionalProgress() {
  let shown = 0;
  return (line) => {
    if (Date.now() - shown < (process.stdout.isTTY ? 200 : 20_000)) return;
    shown = Date.now();
    progress(line);
  };
}

/** Ends a rewritten progress line, so that the next output starts on a new line. */
export function endProgress() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
}

/**
 * Runs a program to its end. With `timeout`, the program and its children are ended after that many milliseconds.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, show?: boolean, timeout?: number }} [options]
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      detached: options.timeout !== undefined,
    });
    let output = '';
    let timedOut = false;
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(
      () => {
        timedOut = true;
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      },
      options.timeout ?? 2 ** 31 - 1,
    );
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, timedOut });
    });
  });
}

/**
 * Runs a JavaScript program on the Node that runs this one: `node_modules/.bin` may contain another.
 * @param {string} script path inside the repository
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNode(script, args, options) {
  return run(process.execPath, [join(root, script), ...args], options);
}

/**
 * Processes a list with several items at a time, and returns the results in the order of the items.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {number} lanes
 * @param {(item: Item, index: number) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
export async function inLanes(items, lanes, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index], index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
