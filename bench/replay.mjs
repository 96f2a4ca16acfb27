// Measures `sallyport replay` on a long log: memory, and time relative to reading and parsing the file alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Writes a log of many different conversations, replays it with the built command, and measures its peak memory and its time
as a ratio to reading the file and parsing every line. Takes half an hour for 1000 MB.

  npm run bench -- replay            1000 MB; writes evals/results/replay-cli.json and its figures
  npm run bench -- replay --size 20  a log of 20 MB; writes nothing
`,
  { size: { type: 'string' }, parse: { type: 'string' } },
);

/** Prints the peak memory of the process when it ends. */
const PRELUDE = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS + '\\n'));",
)}`;

if (options.parse !== undefined) {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(String(options.parse)) }))
    if (JSON.parse(line)) count++;
  console.log(count);
  process.exit(0);
}

const size = Number(options.size ?? 1000);
if (!(size > 0)) fail(`--size must be a number of megabytes above 0; received ${options.size}`, 'use --size 20', 2);
const traces = join(root, '..', 'shared', 'data', 'agentdyn-traces');
if (!existsSync(traces))
  fail(
    'there are no conversations for the log',
    'put the AgentDyn traces into ../shared/data/agentdyn-traces: evals/replay/README.md',
    2,
  );
const folder = mkdtempSync(join(tmpdir(), 'sallyport-replay-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const log = join(folder, 'log.jsonl');

/** The same conversations repeatedly, with another word at the end of every text, so that no verdict is cached. */
async function writeLog() {
  const lines = readdirSync(traces).flatMap((name) =>
    brotliDecompressSync(readFileSync(join(traces, name)))
      .toString('utf8')
      .split('\n')
      .filter(Boolean),
  );
  const out = createWriteStream(log);
  let written = 0;
  for (let round = 0; written < size * 1e6; round++)
    for (const line of lines) {
      const { id, messages } = JSON.parse(line);
      const changed = messages.map((message) =>
        message.text ? { ...message, text: `${message.text} (${round})` } : message,
      );
      const text = `${JSON.stringify({ id: `${id} ${round}`, messages: changed })}\n`;
      written += Buffer.byteLength(text);
      if (!out.write(text)) await once(out, 'drain');
      if (written >= size * 1e6) break;
    }
  out.end();
  await once(out, 'close');
}

/** Runs a program to its end; returns its seconds and its peak megabytes. */
async function measured(args, what) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', PRELUDE, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const timer = setInterval(() => progress(`${what}: ${Math.round((performance.now() - start) / 1000)} s`), 30_000);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  endProgress();
  if (code !== 0) fail(`${what} ended with ${code}: ${errors}`, 'run the tests of apps/cli');
  return {
    seconds: (performance.now() - start) / 1000,
    megabytes: Number(/peak (\d+)/.exec(errors)?.[1]) / 1024,
    output,
  };
}

progress(`writing ${size} MB`);
await writeLog();
const bytes = statSync(log).size;
const alone = await measured([fileURLToPath(import.meta.url), '--parse', log], 'parsing');
const played = await measured(
  [join(root, 'apps/cli/dist/main.js'), 'replay', log, '--report', join(folder, 'r.html')],
  'playing',
);
const report = statSync(join(folder, 'r.html')).size;
const result = {
  megabytes: Math.round(bytes / 1e6),
  conversations: Number(/^(\d+) conversations/.exec(played.output)?.[1]),
  peakMegabytes: Number(played.megabytes.toFixed(1)),
  seconds: Number(played.seconds.toFixed(1)),
  parsingSeconds: Number(alone.seconds.toFixed(1)),
  ratio: Number((played.seconds / alone.seconds).toFixed(1)),
  reportKilobytes: Math.round(report / 1000),
};
console.log(JSON.stringify(result, null, 2));
if (options.size === undefined) {
  const command = 'npm run bench -- replay';
  writeResult('replay-cli', result);
  writeFigures({
    'replay_cli.peak_mb_1gb': { value: result.peakMegabytes, unit: 'MB', command },
    'replay_cli.time_ratio': { value: result.ratio, unit: 'x reading and parsing', command },
  });
}
if (result.peakMegabytes > 400)
  fail(`the peak is ${result.peakMegabytes} MB`, 'find what is kept of a conversation after its replay');
