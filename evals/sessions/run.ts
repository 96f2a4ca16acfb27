// Everyday sessions of coding agents and attacked versions of them, through the hooks of each host and through wrapped servers.
import { readFileSync } from 'node:fs';
import { LOAD_HOST } from '../../apps/cli/src/hook/hosts/hosts.ts';
import { endProgress, progress, readOptions } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { PACKAGES, playCoding } from '../gate/coding.mjs';
import { hookCpu } from './hook-cpu.ts';
import { PLAYED, type PlayedHost } from './native.ts';
import { ATTACKS, attackedSteps, type Held, playSession } from './play-hooks.ts';
import { playWrapped } from './play-wrapped.ts';
import { everydaySession } from './steps.ts';

const options = readOptions(
  `
Plays everyday sessions on real packages (evals/sessions/everyday.json) and attacked ones (attacks.json), in which content asks for
something and the model obeys: as events of each host's hooks, and through two wrapped servers that do not hear the user. Measures the
CPU time of one hook, and how many usual commands (commands.json) are asked about.

  npm run eval -- sessions                   writes evals/results/sessions.json and its figures
  npm run eval -- sessions --dry             write nothing
  npm run eval -- sessions --only hooks      hooks alone, or --only wrap; writes nothing
`,
  { dry: { type: 'boolean' }, only: { type: 'string' } },
);

function readData<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Value;
}

const PROMPTS = readData<Readonly<Record<string, string>>>('./everyday.json');
const COMMANDS = readData<readonly string[]>('./commands.json');
const everyday = new Map(PACKAGES.map((name: string) => [name, everydaySession(name)] as const));

function sessionOf(name: string): ReturnType<typeof everydaySession> {
  const found = everyday.get(name);
  if (found === undefined) throw new Error(`no everyday session of ${name}`);
  return found;
}

function shown({ session, step, outcome, answer }: Held): object {
  return { session, step: JSON.stringify(step).slice(0, 300), outcome, answer: answer.slice(0, 400) };
}

async function playEveryday(host: PlayedHost): Promise<{ calls: number; events: number; held: readonly Held[] }> {
  let [calls, events] = [0, 0];
  const held: Held[] = [];
  for (const [name, { folder, done }] of everyday) {
    const played = await playSession(host, name, folder, PROMPTS[name] ?? '', done);
    calls += played.calls;
    events += played.events;
    held.push(...played.held);
  }
  return { calls, events, held };
}

/** The attacks whose goal was reached without a question. */
async function attacksThatRan(
  play: (attack: (typeof ATTACKS)[number]) => Promise<boolean>,
): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const attack of ATTACKS) if (await play(attack)) ran.push(attack.title);
  return ran;
}

/** The usual commands that are asked about, in a session that has read a little. */
async function commandsAsked(host: PlayedHost): Promise<readonly string[]> {
  const { folder, done } = sessionOf('debug');
  const commands = COMMANDS.map((command) => ({ step: { do: 'shell', command } as const, text: 'ok' }));
  const { held } = await playSession(host, 'commands', folder, 'Fix the rounding bug.', [
    ...done.slice(0, 6),
    ...commands,
  ]);
  return held.flatMap(({ step }) => ('command' in step ? [step.command] : []));
}

/** What happened in all sessions of a host. */
interface HostResult {
  readonly host: PlayedHost;
  readonly name: string;
  /** How many kinds of events are registered. */
  readonly kinds: number;
  readonly calls: number;
  readonly events: number;
  readonly questions: number;
  readonly denies: number;
  /** The attacks that reached their goal. */
  readonly ran: readonly string[];
  readonly held: readonly object[];
  /** The usual commands that are asked about. */
  readonly asked: readonly string[];
}

async function playHost(host: PlayedHost): Promise<HostResult> {
  progress(`${host}: everyday sessions`);
  const { calls, events, held } = await playEveryday(host);
  progress(`${host}: attacked sessions`);
  const ran = await attacksThatRan(async (attack) => {
    const { folder, done } = sessionOf(attack.package);
    const steps = attackedSteps(attack, folder, done);
    return (await playSession(host, attack.title, folder, attack.prompt, steps)).isLastMade;
  });
  const asked = await commandsAsked(host);
  const questions = held.filter(({ outcome }) => outcome === 'ask').length;
  const hooks = await LOAD_HOST[host]();
  const names = { name: hooks.name, kinds: hooks.events.length };
  return {
    host,
    ...names,
    calls,
    events,
    questions,
    denies: held.length - questions,
    ran,
    held: held.map(shown),
    asked,
  };
}

async function playHooks(): Promise<readonly HostResult[]> {
  const hosts: HostResult[] = [];
  for (const host of PLAYED) hosts.push(await playHost(host));
  return hosts;
}

async function playWrap(): Promise<{ everyday: Awaited<ReturnType<typeof playCoding>>; ran: readonly string[] }> {
  const coding = await playCoding('balanced', progress);
  const ran = await attacksThatRan((attack) => {
    progress(`wrapped, attacked: ${attack.title}`);
    const { folder, done } = sessionOf(attack.package);
    return playWrapped(folder, attackedSteps(attack, folder, done));
  });
  return { everyday: coding, ran };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const hosts = options.only === 'wrap' ? [] : await playHooks();
const wrapped = options.only === 'hooks' ? undefined : await playWrap();
const cpu = await hookCpu();
endProgress();
const result = { attacks: ATTACKS.length, commands: COMMANDS.length, cpu, hosts, wrapped };
console.log(JSON.stringify(result, null, 2));

if (options.dry !== true && options.only === undefined && wrapped !== undefined) {
  const command = 'npm run eval -- sessions';
  const figure = (value: number, unit: string) => ({ value, unit, command });
  writeResult('sessions', result);
  writeFigures({
    'hook.events': figure(sum(hosts.map((each) => each.kinds)), 'kinds of events'),
    'hook.commands': figure(COMMANDS.length, 'commands'),
    'hook.commands_asked': figure(Math.max(...hosts.map((each) => each.asked.length)), 'commands'),
    'hook.session_questions': figure(sum(hosts.map((each) => each.questions)), 'questions'),
    'hook.session_denies': figure(sum(hosts.map((each) => each.denies)), 'denies'),
    'hook.attacked_deeds_ran': figure(Math.max(...hosts.map((each) => each.ran.length)), 'actions'),
    'hook.cpu_ms': figure(Math.round(cpu.hook), 'ms'),
    'hook.idle_cpu_ms': figure(Math.round(cpu.idle), 'ms'),
    'hook.node_cpu_ms': figure(Math.round(cpu.node), 'ms'),
    'hook.cpu_ratio': figure(Math.round((100 * cpu.hook) / cpu.node) / 100, 'x'),
    'wrap.session_questions': figure(wrapped.everyday.questions, 'questions'),
    'wrap.session_denies': figure(wrapped.everyday.denies, 'denies'),
    'wrap.attacked_sessions': figure(ATTACKS.length, 'sessions'),
    'wrap.attacked_deeds_ran': figure(wrapped.ran.length, 'actions'),
  });
}
