// Starts child.mjs for one peer and collects its counts, or the reason of its failure.
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { progress } from '../../tools/command.mjs';

const own = (path) => fileURLToPath(new URL(path, import.meta.url));
/** A child that sends nothing for this long hangs. */
const SILENCE_MS = 900_000;
const START_MS = 120_000;

/** The installed version, and whether it is the pinned one. */
export function installed(name) {
  const { dependencies } = JSON.parse(readFileSync(own('package.json'), 'utf8'));
  const file = own(`node_modules/${name}/package.json`);
  if (!existsSync(file)) return { error: `not installed, though ${dependencies[name]} is pinned` };
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  return version === dependencies[name]
    ? { version }
    : { error: `${version} is installed, ${dependencies[name]} is pinned` };
}

/** The first line of an error, without absolute paths. */
function reasonOf(errors, code) {
  const line = errors.split('\n').find((text) => /^(?:\w*Error|Error)\b/.test(text.trim()));
  return (line ?? `ended with exit code ${code}`).trim().replaceAll(own('.'), '').slice(0, 200);
}

/**
 * @param {string} file of adapters/
 * @param {string[]} args mode, index of the configuration, limit
 * @param {(message: Record<string, unknown>) => void} listen to every message but `ready`, `alive` and `done`
 * @returns {Promise<{ probe?: object, error?: string }>}
 */
function converse(file, args, listen) {
  return new Promise((resolve) => {
    const child = fork(own('child.mjs'), [file, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A peer gets no environment variable that could contain a key or change its settings.
      env: { PATH: process.env.PATH ?? '' },
      execArgv: [],
    });
    let [errors, probe, done, silent] = ['', undefined, false, false];
    let timer;
    const watch = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        silent = true;
        child.kill('SIGKILL');
      }, ms);
    };
    watch(START_MS);
    // Drained to the end, but kept only until the child reads a record.
    child.stderr.on('data', (chunk) => {
      if (probe === undefined && errors.length < 20_000) errors += chunk;
    });
    child.on('message', (message) => {
      watch(SILENCE_MS);
      if (message.type === 'ready') {
        probe = message.probe;
        child.send('go');
      } else if (message.type === 'done') done = true;
      else if (message.type === 'alive') listenAlive(message.done);
      else {
        if (message.type === 'list') done = true;
        listen(message);
      }
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const ended = probe === undefined ? reasonOf(errors, code) : `ended with ${signal ?? code}`;
      const error = silent ? 'gave no answer, and was ended' : ended;
      resolve(done ? { probe } : { probe, error });
    });
  });
}

let shown = 0;

/** At most one line per minute where output is not a terminal. */
function listenAlive(done) {
  if (!process.stdout.isTTY && Date.now() - shown < 60_000) return;
  shown = Date.now();
  progress(`  ${done} records`);
}

const strip = ({ type: _, ...rest }) => rest;

/** The description of an adapter, without loading its peer into this process. */
export async function describe(file) {
  let description;
  const { error } = await converse(file, ['list'], (message) => {
    description = strip(message);
  });
  return description ?? { error };
}

/** Records, then times, of one configuration. */
export async function measure(file, index, limit) {
  const counted = [];
  const extra = limit === undefined ? [] : [String(limit)];
  const records = await converse(file, ['records', String(index), ...extra], (message) => {
    counted.push(strip(message));
    progress(`  ${message.level}: ${message.n} records in ${message.cpuMs} ms of CPU`);
  });
  // The last finished level: one that ended by a time limit, or by a text on which the peer hangs, says nothing.
  const figures = counted.at(-1);
  if (figures === undefined) return { error: records.error ?? 'finished no record' };
  const times = {};
  const timing = await converse(file, ['times', String(index)], ({ size, cpuMs, outcome, indexOfMs }) => {
    times[size] = { cpuMs, outcome, indexOfMs };
    progress(`  ${size}: ${cpuMs === null ? outcome : `${cpuMs} ms of CPU, ${outcome}`}`);
  });
  return {
    probe: records.probe,
    ...figures,
    ...(records.error === undefined ? {} : { brokenOff: records.error }),
    times,
    ...(timing.error === undefined ? {} : { timingBrokenOff: timing.error }),
  };
}
