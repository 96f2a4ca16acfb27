import { HOOK_OUTCOMES, HOSTS, type HookAnswer, type HookOutcome, type Host } from './event.ts';
import type { Fields, HostHooks } from './hosts/host.ts';
import { LOAD_HOST } from './hosts/hosts.ts';
import { standardInput, writeOutput } from './standard-streams.ts';

/** Milliseconds until an answer counts as missing. The shortest default of a host is 30 seconds. */
const TIMEOUT = 10_000;
const MAX_INPUT = 32_000_000;

/** The command line of a hook. */
export interface HookCommand {
  readonly host: Host;
  /** The outcome for a call that could not be checked. */
  readonly onFailure: HookOutcome;
}

/** Reads `<host> [--on-failure allow|ask|deny]`. Undefined if it is anything else, such as --help. */
export function readHookCommand([name, option, value, ...rest]: readonly string[]): HookCommand | undefined {
  const host = HOSTS.find((each) => each === name);
  if (host === undefined || rest.length > 0) return undefined;
  if (option === undefined) return { host, onFailure: 'ask' };
  const onFailure = HOOK_OUTCOMES.find((each) => each === (option === '--on-failure' ? value : undefined));
  return onFailure && { host, onFailure };
}

async function readInput(): Promise<Fields> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of standardInput()) {
    length += chunk.length;
    if (length > MAX_INPUT) throw new Error(`it is larger than ${MAX_INPUT / 1e6} MB`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') throw new Error('it is empty');
  return parsed(text);
}

function parsed(text: string): Fields {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Error('it is not a JSON object');
  return input as Fields;
}

function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${TIMEOUT / 1000} seconds`)), TIMEOUT).unref();
  });
  return Promise.race([work, late]);
}

function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause))
    .replace(/\s+/g, ' ')
    .slice(0, 300)
    .replace(/\.? ?$/, '');
}

function failed(cause: unknown, onFailure: HookOutcome, isCall = true): HookAnswer {
  const what = isCall ? `The call is ${DONE[onFailure]}` : LATER[onFailure === 'allow' ? 'allow' : 'ask'];
  process.stderr.write(`sallyport: the event could not be checked: ${reasonOf(cause)}. ${what}.\n`);
  return onFailure === 'allow' ? { outcome: 'allow' } : { outcome: onFailure, reason: `Sallyport ${COULD_NOT}` };
}

const DONE: Readonly<Record<HookOutcome, string>> = { allow: 'allowed', ask: 'asked about', deny: 'denied' };
/** The consequence if it is unknown what the agent has read. */
const LATER = {
  allow: 'The conversation goes on without it',
  ask: 'From now on, every call with an effect is asked about in this conversation',
} as const;
const COULD_NOT = 'could not check this call. To see why, run the hook by hand. To remove it: sallyport init --undo';

async function answerTo(host: HostHooks, input: Fields, onFailure: HookOutcome): Promise<HookAnswer> {
  const event = host.read(input);
  if (event === undefined) return { outcome: 'allow' };
  const { judge, keepLoss } = await import('./judge.ts');
  try {
    return await inTime(judge(host.host, event));
  } catch (cause) {
    const isCall = event.type === 'call';
    if (!isCall && onFailure !== 'allow') await keepLoss(host.host, event.session);
    return failed(cause, onFailure, isCall);
  }
}

/** Ends at once: after a timeout, work may still be under way. */
function finish(stdout: string, exitCode: number): void {
  writeOutput(Buffer.from(stdout), () => process.exit(exitCode));
}

/**
 * In all hosts, exit code 2 blocks what the event is about, and 1 does not. No dialog can be asked for: it is not known whether the
 * event is a call.
 */
function finishUnread(cause: unknown, onFailure: HookOutcome): void {
  const isBlocked = onFailure !== 'allow';
  const effect = isBlocked ? 'The host blocks it (--on-failure allow lets it pass)' : 'The host continues';
  process.stderr.write(
    `error: the event on standard input cannot be read: ${reasonOf(cause)}. ${effect}.\n next: hosts start this command themselves; sallyport hook --help shows how to try it\n`,
  );
  finish('', isBlocked ? 2 : 1);
}

/** Reads one event from standard input, and prints the host's answer. */
export async function runHook({ host: name, onFailure }: HookCommand): Promise<void> {
  const host = await LOAD_HOST[name]();
  let input: Fields;
  try {
    input = await readInput();
  } catch (cause) {
    return finishUnread(cause, onFailure);
  }
  const answer = await answerTo(host, input, onFailure).catch((cause: unknown) => failed(cause, onFailure));
  for (const line of answer.warnings ?? []) process.stderr.write(`sallyport: ${line}\n`);
  const { stdout, stderr = '', exitCode } = host.write(input, answer);
  process.stderr.write(stderr);
  finish(`${stdout}\n`, exitCode);
}
