// Fuzzes the JSON-RPC stream of packages/mcp-proxy: hostile servers, any client, every byte at any place.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { endProgress, fail, progress, readOptions, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Drives the proxy of sallyport wrap in process, with streams that depend on a seed alone, and checks after every message: no
exception, no hang, one answer for each request, one line of JSON for each message, no words of the server outside a frame, all
of them to be had back from it, nothing to the server that the client has not said, no held or denied call, no leak. Exit 1 on
the first violation, with the stream that has it.

  npm run fuzz -- wrap                              100,000 messages, the result is not written
  npm run fuzz -- wrap --messages 1000000           a long run; writes evals/results/fuzz-wrap.json and its figures
  npm run fuzz -- wrap --messages 1000000 --dry     write nothing whatever the number of messages
  npm run fuzz -- wrap --messages 100000 --seed 42  the same streams again
  npm run fuzz -- wrap --seed 42 --stream 7         one of them alone
  npm run fuzz -- wrap --workers 2                  threads; as many as there are cores otherwise
`,
  {
    messages: { type: 'string' },
    seed: { type: 'string' },
    stream: { type: 'string' },
    workers: { type: 'string' },
    dry: { type: 'boolean' },
  },
);

const LONG = 1_000_000;
/** Seconds within which a stream must end. */
const PATIENCE = 180;
/** Megabytes that a thread may hold more at the end of a run than at its half. */
const MAX_GROWTH = 32;
/** What must come to pass in a run for it to count. */
const SEEN = [
  ...['frames', 'responses', 'requests', 'notifications', 'calls', 'refused calls', 'questions', 'approvals'],
  ...['answers in place of lines', 'errors of ours'],
];

function numberOf(name, fallback) {
  const value = Number(options[name] ?? fallback);
  if (!Number.isSafeInteger(value) || value < 0)
    fail(`--${name} is not a whole number`, `try --${name} ${fallback}`, 2);
  return value;
}

const messages = numberOf('messages', 100_000);
const seed = numberOf('seed', Date.now() % 2 ** 31);
const only = options.stream === undefined ? undefined : numberOf('stream', 0);
const workers = only === undefined ? Math.max(1, numberOf('workers', availableParallelism())) : 1;

const built = await runNode('node_modules/typescript/bin/tsc', ['-b', 'packages/mcp-proxy', 'packages/classifier']);
if (built.code !== 0) fail(`the packages do not compile:\n${built.output}`, 'run npm run typecheck');

const started = Date.now();
const kinds = {};
const seen = {};
let finished = 0;
let streams = 0;
let next = only ?? 0;
let shown = 0;

function show(force) {
  if (!force && Date.now() - shown < (process.stdout.isTTY ? 200 : 30_000)) return;
  shown = Date.now();
  const part = Math.min(1, finished / messages);
  const bar = '#'.repeat(Math.floor(part * 30)).padEnd(30, '.');
  const rate = Math.round(finished / Math.max(1, (Date.now() - started) / 1000));
  progress(`[${bar}] ${(part * 100).toFixed(1)} %  ${finished} of ${messages} messages, ${rate} a second`);
}

function shortened(text, most) {
  const plain = text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return plain.length <= most ? plain : `${plain.slice(0, most)} ... (${plain.length} characters)`;
}

/** Says what broke, and how to see it again. */
function failOn({ number, violations }) {
  endProgress();
  for (const { rule, detail, message, line } of violations)
    console.error(
      `violation of ${rule}, message ${message}\n  ${shortened(detail, 1200)}\n  at ${shortened(line, 800)}\n`,
    );
  fail(
    `stream ${number} of seed ${seed} breaks a rule`,
    `npm run fuzz -- wrap --seed ${seed} --stream ${number}; make its message a test, then mend the code`,
  );
}

function addTo(sums, counts) {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

/** A run in which something never came to pass has shown nothing about it. */
function checkSeen() {
  const missing = SEEN.filter((name) => (seen[name] ?? 0) < finished / 10_000);
  if (missing.length > 0) fail(`hardly any ${missing.join(', ')} came to pass`, 'mend the generators', 2);
}

function median(list) {
  return [...list].sort((one, other) => one - other)[Math.floor(list.length / 2)];
}

/** Fails where the last quarter of a thread's samples is far above the second. */
function checkMemory(samples) {
  const quarter = Math.floor(samples.length / 4);
  if (quarter < 3) return;
  const [before, behind] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))];
  if (behind - before > MAX_GROWTH)
    fail(`a thread grew from ${before.toFixed(0)} to ${behind.toFixed(0)} MB`, 'look for what streams leave behind');
}

function runWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: { seed },
      execArgv: [],
    });
    const samples = [];
    let number;
    let watch;
    worker.on('error', (error) => {
      failOn({ number, violations: [{ rule: 'exception', detail: `${error.stack}`, message: 0, line: '' }] });
    });
    let isDone = false;
    worker.on('exit', (code) => {
      const hang = { rule: 'hang', detail: `the thread ended with ${code}, nothing left to do`, message: 0, line: '' };
      if (isDone) resolve();
      else failOn({ number, violations: [hang] });
    });
    worker.on('message', (message) => {
      clearTimeout(watch);
      if (message.ready !== true) {
        finished += message.messages;
        streams++;
        addTo(kinds, message.kinds);
        addTo(seen, message.counts);
        if (message.memory !== undefined) samples.push(message.memory);
        show(false);
        if (message.violations.length > 0) failOn(message);
      }
      if (only === undefined ? finished < messages : streams === 0) {
        number = next++;
        const hang = { rule: 'hang', detail: `no end within ${PATIENCE} s`, message: 0, line: '' };
        watch = setTimeout(failOn, PATIENCE * 1000, { number, violations: [hang] });
        worker.postMessage(number);
      } else {
        checkMemory(samples);
        isDone = true;
        worker.terminate().catch(reject);
      }
    });
  });
}

console.log(`fuzzing ${only === undefined ? `${messages} messages` : `stream ${only}`}, seed ${seed}`);
await Promise.all(Array.from({ length: workers }, runWorker));
show(true);
endProgress();
const seconds = Math.round((Date.now() - started) / 1000);
if (only === undefined) checkSeen();

if (finished >= LONG && only === undefined && !options.dry) {
  const sorted = Object.fromEntries(Object.entries(kinds).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeResult('fuzz-wrap', { messages: finished, streams, seed, violations: 0, seconds, seen, kinds: sorted });
  const command = `npm run fuzz -- wrap --messages ${messages}`;
  writeFigures({
    'wrap.fuzz_messages': { value: finished, unit: 'messages', command },
    'wrap.unframed_messages': { value: 0, unit: 'messages', command },
  });
}
console.log(`OK - ${finished} messages in ${streams} streams, ${seconds} s, 0 violations, seed ${seed}`);
