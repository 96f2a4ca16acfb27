// Runs a program by its name: npm run bench -- core, npm run check -- figures --check. tools/programs.mjs has the list.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fail, root, runNode } from './command.mjs';
import { PROGRAMS } from './programs.mjs';

const [group, name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(PROGRAMS, group ?? ''))
  fail(
    `the first argument must be one of ${Object.keys(PROGRAMS).join(', ')}; received ${JSON.stringify(group ?? '')}`,
    'use npm run, as in npm run bench -- core',
    2,
  );
const programs = PROGRAMS[group];

function list() {
  const width = Math.max(...Object.keys(programs).map((each) => each.length)) + 2;
  const lines = Object.entries(programs).map(([each, { about }]) => `  ${each.padEnd(width)}${about}`);
  return [`Usage: npm run ${group} -- <name> [options]; --help after a name explains it.`, '', ...lines].join('\n');
}

/** Runs the program in place of this process: same input and output, signals and exit code. */
function start({ file, source = false }) {
  const options = source ? ['--import', 'tsx', '--conditions', '@sallyport/source'] : [];
  const child = spawn(process.execPath, [...options, join(root, file), ...args], { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${file} did not start: ${error.message}`, 'run npm ci', 2));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (name === undefined || name === '--help') {
  console.log(list());
  process.exit(0);
}
if (!Object.hasOwn(programs, name))
  fail(`npm run ${group} has no program ${JSON.stringify(name)}`, `name one:\n${list()}`, 2);

const program = programs[name];
if (program.build && !args.includes('--help')) {
  const { code } = await runNode('node_modules/typescript/bin/tsc', ['-b'], { show: true });
  if (code !== 0) fail('the packages do not compile', 'run npm run typecheck', code);
  await runNode('apps/cli/build.mjs', [], { show: true });
}
start(program);
