// Starts a server and records every byte: its input in <file>.in, its output in <file>.out, its standard error in
// <file>.err, its process id in <file>.pid. One on each side of a proxy shows what the proxy changed.
import { spawn } from 'node:child_process';
import { appendFileSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';

const [file, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('error: no command\n next: node apps/cli/conformance/tee.mjs <file> <command> <args...>');
  process.exit(2);
}
const child = spawn(command, args, { stdio: 'pipe' });
writeFileSync(`${file}.pid`, `${child.pid}`);

function copy(from, to, ending) {
  const kept = openSync(`${file}.${ending}`, 'a');
  from.on('data', (chunk) => writeSync(kept, chunk));
  from.pipe(to, { end: to === child.stdin }).on('error', () => {});
}

copy(process.stdin, child.stdin, 'in');
copy(child.stdout, process.stdout, 'out');
copy(child.stderr, process.stderr, 'err');
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    appendFileSync(`${file}.err`, `${signal}\n`);
    child.kill(signal);
  });
child.on('close', (code, signal) => {
  // No process.exit: the last chunk may still be in the pipe.
  process.exitCode = code ?? 128 + constants.signals[signal];
  process.stdin.destroy();
});
