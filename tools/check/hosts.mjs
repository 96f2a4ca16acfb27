// Plays sessions of real coding agents under the hooks of the packed command line.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HOSTS } from '../../apps/cli/src/hook/event.ts';
import { fail, progress, readOptions, root } from '../command.mjs';
import { writeFigures, writeResult } from '../figures.mjs';
import { Trial, undone } from './hosts/behaviours.mjs';
import { claudeCode } from './hosts/claude-code.mjs';
import { codex } from './hosts/codex.mjs';
import { copilotCli } from './hosts/copilot-cli.mjs';
import { geminiCli } from './hosts/gemini-cli.mjs';
import { installHost, installSallyport } from './hosts/install.mjs';
import { createMachine } from './hosts/machine.mjs';
import { opencode } from './hosts/opencode.mjs';
import { startProvider } from './hosts/provider.mjs';
import { requireTmux } from './hosts/terminal.mjs';

const ALL = [claudeCode, geminiCli, codex, opencode, copilotCli];
const options = readOptions(
  `
Installs real coding agents from npm (1.3 GB) and the packed command line, and plays sessions with them on this machine: a
scripted model on 127.0.0.1, a fresh home, proxies that lead nowhere, two minutes at most for each session. Four things are tried after sallyport init:
  harmless   reads, edits, tests, commits: no question and no denial
  attacked   a README asks for curl | sh and the model obeys: the call is held, the model and the person are told why
  approved   the same call runs after a yes in the dialog, or after sallyport approve
  undone     sallyport init --undo restores the files of the home byte for byte
Needs tmux. Writes evals/results/hosts.json. Exit 1 if one fails for a host that sallyport supports, 2 if nothing could be tried.

  npm run check -- hosts
  npm run check -- hosts --host gemini-cli   one host: ${ALL.map(({ host }) => host).join(', ')}; writes no result
  npm run check -- hosts --folder ~/hosts    where they are installed once: ~/.cache/sallyport-hosts
  npm run check -- hosts --from tarballs     the command line from these files: npm run tarballs -- cli
  npm run check -- hosts --keep              keeps the homes
`,
  { host: { type: 'string' }, folder: { type: 'string' }, from: { type: 'string' }, keep: { type: 'boolean' } },
);

const chosen = ALL.filter(({ host }) => options.host === undefined || host === options.host);
if (chosen.length === 0)
  fail(`there is no host ${options.host}`, `name one of ${ALL.map(({ host }) => host).join(', ')}`, 2);
const folder = resolve(options.folder ?? join(homedir(), '.cache', 'sallyport-hosts'));
if (`${folder}/`.startsWith(root)) fail('--folder is inside the repository', 'name a folder outside of it', 2);
await requireTmux();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

async function attempt(work) {
  try {
    return { passed: true, seen: await work() };
  } catch (error) {
    return { passed: false, seen: error.message };
  }
}

/** Plays the four behaviours one after the other, in one home. */
async function play(host, program, sallyport) {
  const provider = await startProvider(host.wire);
  const machine = createMachine({ bins: [sallyport], name: host.host });
  process.on('exit', machine.end);
  try {
    Object.assign(machine.environment, host.environment({ provider, ...machine }));
    machine.write(host.files({ provider, ...machine }));
    const before = machine.snapshot();
    const init = await machine.run('sallyport', 'init', '--yes');
    if (init.code !== 0) throw new Error(`sallyport init failed:\n${init.output}`);
    const after = machine.snapshot();
    const trial = new Trial({ host, machine, provider, bin: program });
    const behaviours = {};
    for (const name of ['harmless', 'attacked', 'approved']) behaviours[name] = await attempt(() => trial[name]());
    behaviours.undone = await attempt(() => undone(machine, { before, after }));
    return { behaviours, pane: trial.pane };
  } finally {
    provider.close();
    machine.end();
    if (options.keep) console.log(`kept: ${machine.home}`);
    else machine.remove();
  }
}

async function tried(host, sallyport) {
  const { name, package: from } = host;
  const installed = await installHost(folder, host);
  if (installed.problem !== undefined) return { name, package: from, problem: installed.problem };
  const { program, version } = installed;
  if (!HOSTS.includes(host.hooks ?? host.host))
    return { name, package: from, version, problem: 'sallyport does not support it' };
  progress(`${name} ${version}`);
  const played = await play(host, program, sallyport).catch(({ message }) => ({
    behaviours: { started: { passed: false, seen: message } },
  }));
  return { name, package: from, version, ...played };
}

const isWorking = ({ behaviours }) => behaviours !== undefined && Object.values(behaviours).every((one) => one.passed);

function show({ name, version = '', problem, behaviours = {}, pane }) {
  console.log(`\n${name} ${version}${problem === undefined ? '' : `: not tried, ${problem}`}`);
  for (const [each, { passed, seen }] of Object.entries(behaviours))
    console.log(`  ${passed ? 'ok    ' : 'FAILED'} ${each.padEnd(9)} ${seen}`);
  if (pane !== undefined && options.keep) console.log(pane);
}

if (options.from !== undefined && !existsSync(options.from)) fail(`${options.from} does not exist`, 'name a folder', 2);
progress('packing the command line');
const sallyport = await installSallyport(folder, options.from);
const results = [];
for (const host of chosen) {
  results.push(await tried(host, sallyport));
  show(results.at(-1));
}
const played = results.filter(({ behaviours }) => behaviours !== undefined);
if (played.length === 0) fail('no host could be tried', 'see above why', 2);
if (options.host === undefined) {
  writeResult('hosts', { results });
  const command = 'npm run check -- hosts';
  writeFigures({
    'hook.hosts': { value: HOSTS.length, unit: 'hosts', command },
    'hook.hosts_driven': { value: results.filter(isWorking).length, unit: 'hosts', command },
  });
}
const failed = played.filter((each) => !isWorking(each));
if (failed.length > 0)
  fail(`not as it should be: ${failed.map(({ name }) => name).join(', ')}`, 'see above; --keep keeps the homes');
console.log(`\nOK - ${played.length} hosts`);
