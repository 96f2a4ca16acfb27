// The minimal stdio proxy, for comparison: starts the command, copies bytes in both directions, and ends with its exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('error: no command\n next: node apps/cli/conformance/bare.mjs <command> <args...>');
  process.exit(2);
}
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin).on('error', () => {});
child.stdout.pipe(process.stdout);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
