import type { Applied, Operations } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, type GatewayPackage, withGateway } from '../peer.ts';
import { CommandError, type Paint, painter } from '../terminal-text.ts';
import { dryRunLines } from './dry-run.ts';
import { policyDiff } from './policy-diff.ts';
import { readPolicyFile } from './policy-file.ts';

const HELP = `
Makes a file the policy of a workspace, and prints what changes: + added, - removed, ~ changed. The file is YAML or JSON, and
the whole policy: what it does not contain is removed. It asks nothing. Replicas follow within a second. Servers and tools
that the workspace does not have are refused, with the nearest name.

With --dry-run nothing is changed. With --last too, the recorded calls of that time are judged again under both policies, and
those whose outcome would differ are listed: at most 100000 calls and five minutes.

Examples:
  sallyport gateway policy acme > policy.yaml
  sallyport gateway apply -f policy.yaml --workspace acme --dry-run
  sallyport gateway apply -f policy.yaml --workspace acme --dry-run --last 7d
  sallyport gateway apply -f policy.yaml --workspace acme

Reads DATABASE_URL, SALLYPORT_KEY and SALLYPORT_ANCHORS.
Exit codes: 0 applied or nothing to do, 1 refused, 2 wrong usage, 3 the database is unreachable.`;

const MILLISECONDS = { h: 3_600_000, d: 86_400_000 };
const BUDGET = { calls: 100_000, seconds: 300 };

interface Last {
  readonly text: string;
  readonly since: Date;
}

function parseLast(text: string): Last {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('Expected hours or days, such as 12h or 7d.');
  return { text, since: new Date(Date.now() - Number(count) * MILLISECONDS[unit as 'h' | 'd']) };
}

interface ApplyCommandOptions {
  readonly file: string;
  readonly workspace: string;
  readonly dryRun?: boolean;
  readonly last?: Last;
  readonly allowUnknown?: boolean;
}

/** A policy that the gateway refuses is not wrong usage: a pipeline tells it from a missing setting by the exit code. */
function refusalOf(cause: unknown, { StoreError }: GatewayPackage): unknown {
  if (!(cause instanceof StoreError) || cause.problem !== 'invalid') return cause;
  const [first, ...others] = cause.reasons.map(partsOf);
  if (first === undefined) return cause;
  const further = others.map(([message, next]) => new CommandError(message, next, EXIT.refused));
  return new CommandError(`the policy is refused: ${first[0]}`, first[1], EXIT.refused, further);
}

/** The error, and what to do next. */
function partsOf(reason: string): readonly [string, string] {
  const at = reason.lastIndexOf(': ');
  if (at < 0) return [reason, 'correct the file'];
  const next = reason.slice(at + 2);
  const hint = next.includes('allow unknown') ? `${next.replace(/\.$/, '')} (--allow-unknown)` : next;
  return [`${reason.slice(0, at)}.`, hint];
}

/** Judges recorded calls again, and prints what the policy would have decided. */
async function tryOut(
  io: Io,
  { dryRun }: GatewayPackage,
  operations: Operations,
  body: unknown,
  { workspace, last, allowUnknown = false }: ApplyCommandOptions,
): Promise<void> {
  if (last === undefined) return;
  const source = await operations.readRecorded(workspace, body, { since: last.since, allowUnknown });
  const report = await dryRun(source, BUDGET);
  for (const line of dryRunLines(report, last.text, paintFor(io))) io.stdout(`${line}\n`);
}

function paintFor(io: Io): Paint {
  return painter(io.columns !== undefined && !io.environment.NO_COLOR);
}

function print(io: Io, { before, after, version }: Applied, { workspace, dryRun = false }: ApplyCommandOptions): void {
  const lines = policyDiff(before.body, after, paintFor(io));
  for (const line of lines) io.stdout(`${line}\n`);
  const what = `the policy of ${workspace}`;
  if (lines.length === 0) io.stderr(`Nothing to do: ${what} is the same (version ${before.version}).\n`);
  else if (dryRun) io.stderr(`Not applied, as --dry-run says: ${what} is version ${before.version}.\n`);
  else io.stderr(`Applied: ${what} is version ${version} now.\n`);
}

export function applyCommand(io: Io): Command {
  return new Command('apply')
    .description('make a file the policy of a workspace')
    .requiredOption('-f, --file <path>', 'the policy in YAML or JSON; - is standard input')
    .requiredOption('--workspace <name>', 'name of the workspace')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--last <time>', 'with --dry-run: judge recorded calls of this time again, such as 12h or 7d', parseLast)
    .option('--allow-unknown', 'accept servers and tools that the workspace does not have yet')
    .addHelpText('after', HELP)
    .action((options: ApplyCommandOptions) =>
      withGateway(async (gateway) => {
        const body = readPolicyFile(options.file);
        const { workspace, dryRun: isDryRun = false, allowUnknown = false } = options;
        if (options.last !== undefined && !isDryRun)
          throw new CommandError('--last is only for a dry run.', 'add --dry-run, or leave out --last', EXIT.misused);
        await gateway
          .withOperations(gateway.readStoreConfig(io.environment), async (operations) => {
            print(io, await operations.applyPolicy(workspace, body, { isDryRun, allowUnknown }), options);
            await tryOut(io, gateway, operations, body, options);
          })
          .catch((cause: unknown) => {
            throw refusalOf(cause, gateway);
          });
      }),
    );
}
