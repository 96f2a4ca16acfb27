import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ChainProblem, ChainReport } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, type GatewayPackage, withGateway } from '../peer.ts';
import { CommandError, shown } from '../terminal-text.ts';

const HELP = `
Reads the audit chain of a workspace from its beginning and stops at the first row that was edited, removed, moved or
added, at an end that is missing, and at a signature that the gateway did not make. With --file it reads an export and
needs no database; SALLYPORT_KEY is optional then, and without it no signature is checked.

An anchor is a place of the chain that you noted elsewhere before: it must still be there. Each run ends with one.

Examples:
  sallyport audit verify acme
  sallyport audit verify acme --anchor 4711:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  sallyport audit verify --file acme.jsonl

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 whole, 1 tampered with, 2 wrong usage, 3 the database does not answer.`;

interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

interface VerifyCommandOptions {
  readonly file?: string;
  readonly anchor?: Anchor;
}

const MEANING: Readonly<Record<ChainProblem, string>> = {
  edit: 'this row is not what was written',
  gap: 'rows are missing from here on',
  order: 'a row stands twice, or in a wrong place',
  truncated: 'the end is missing from here on',
  head: 'the chain does not end where it says',
  forged: 'the gateway of this key did not sign this, or SALLYPORT_KEY is another one',
  rewritten: 'the rows are not those that were signed, or noted elsewhere',
  unsigned: 'nobody has signed what was written from here on, long ago',
  malformed: 'this is not a line of an export',
};

function anchorIn(text: string): Anchor {
  const [, seq, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined) throw new InvalidArgumentError('Give SEQ:HASH, as an earlier run has printed it.');
  return { seq: Number(seq), hash };
}

function report(io: Io, result: ChainReport, isSigned: boolean): void {
  if (!result.isWhole && result.problem === 'malformed' && result.seq === 0)
    throw new CommandError('this is no export of an audit.', 'make one with sallyport audit export', EXIT.misused);
  if (!result.isWhole) {
    io.stdout(`TAMPERED at ${result.seq}: ${MEANING[result.problem]} (${result.problem}).\n`);
    io.exit(EXIT.refused);
    return;
  }
  const { start, rows, head, signed } = result;
  const from = start === 0 ? '' : `, behind ${start} that retention has removed`;
  io.stdout(`Whole: ${rows} rows${from}; ${isSigned ? `signed up to ${signed}` : 'no signature was checked'}.\n`);
  io.stdout(`Anchor: ${head.seq}:${head.hash}\n`);
  io.exit(EXIT.done);
}

async function verifyFile(
  io: Io,
  { verifyExport, readKeys }: GatewayPackage,
  file: string,
  anchor: { readonly anchor?: Anchor },
): Promise<void> {
  const hasKey = (io.environment.SALLYPORT_KEY ?? '') !== '';
  const input = createReadStream(file, 'utf8');
  const opened = new Promise((resolve, reject) => input.once('open', resolve).once('error', reject));
  await opened.catch((cause: { readonly code?: string }) => {
    throw new CommandError(
      `${shown(file)} cannot be read (${cause.code}).`,
      'see its name and its rights',
      EXIT.misused,
    );
  });
  const key = hasKey ? { key: readKeys(io.environment).keysFor('audit') } : {};
  const onProgress = (items: number): void => io.stderr(`${items} lines read\n`);
  report(io, await verifyExport(createInterface({ input }), { ...anchor, ...key, onProgress }), hasKey);
}

export function verifyCommand(io: Io): Command {
  return new Command('verify')
    .description('find any edit, gap or truncation in an audit chain')
    .argument('[workspace]', 'its name')
    .option('--file <path>', 'an export, in place of the database')
    .option('--anchor <seq:hash>', 'a place that was noted elsewhere', anchorIn)
    .addHelpText('after', HELP)
    .action((workspace: string | undefined, { file, anchor: given }: VerifyCommandOptions) =>
      withGateway(async (gateway) => {
        const anchor = given === undefined ? {} : { anchor: given };
        if ((workspace === undefined) === (file === undefined))
          throw new CommandError('give a workspace, or --file.', 'see sallyport audit verify --help', EXIT.misused);
        if (file !== undefined) return verifyFile(io, gateway, file, anchor);
        const onProgress = (items: number): void => io.stderr(`${items} rows read\n`);
        const config = gateway.readStoreConfig(io.environment);
        report(
          io,
          await gateway.withOperations(config, (operations) =>
            operations.verifyAudit(workspace ?? '', { ...anchor, onProgress }),
          ),
          true,
        );
      }),
    );
}
