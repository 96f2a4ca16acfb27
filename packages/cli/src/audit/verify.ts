import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ChainProblem, ChainReport } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, type GatewayPackage, withGateway } from '../peer.ts';
import { CommandError, printable } from '../terminal-text.ts';

const HELP = `
Reads the audit chain of a workspace from its start and reports the first row that was edited, removed, moved or added, a
missing end, or a signature that the gateway did not make. With --file it reads an export and needs no database; then
SALLYPORT_KEY is optional, and without it signatures are not checked.

Each run prints an anchor: the number and hash of the last row. Keep it outside the database. With --anchor, a later run
checks that the chain still contains that row.

Examples:
  sallyport audit verify acme
  sallyport audit verify acme --anchor 4711:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  sallyport audit verify --file acme.jsonl

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 intact, 1 tampered with, 2 wrong usage, 3 the database is unreachable.`;

interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

interface VerifyCommandOptions {
  readonly file?: string;
  readonly anchor?: Anchor;
}

const MEANING: Readonly<Record<ChainProblem, string>> = {
  edit: 'this row was changed after it was written',
  gap: 'rows are missing from here on',
  order: 'a row is repeated or out of order',
  truncated: 'the end of the chain is missing from here on',
  head: 'the chain does not end at its recorded last row',
  forged: 'the signature does not match SALLYPORT_KEY; it is forged, or this is a different key',
  rewritten: 'the rows differ from those that were signed or anchored',
  unsigned: 'old rows from here on have no signature',
  malformed: 'this line does not have the form of an export',
};

function parseAnchor(text: string): Anchor {
  const [, seq, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined) throw new InvalidArgumentError('Expected SEQ:HASH, as printed by an earlier run.');
  return { seq: Number(seq), hash };
}

function report(io: Io, result: ChainReport, isSigned: boolean): void {
  if (!result.isWhole && result.problem === 'malformed' && result.seq === 0)
    throw new CommandError(
      'the file is not an audit export.',
      'create one with: sallyport audit export <workspace> > <file>',
      EXIT.misused,
    );
  if (!result.isWhole) {
    io.stdout(`TAMPERED at row ${result.seq}: ${MEANING[result.problem]} (${result.problem}).\n`);
    io.exit(EXIT.refused);
    return;
  }
  const { start, rows, head, signed } = result;
  const from = start === 0 ? '' : `, after ${start} removed by retention`;
  io.stdout(
    `Intact: ${rows} rows${from}; ${isSigned ? `signed up to row ${signed}` : 'signatures were not checked'}.\n`,
  );
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
      `cannot read ${printable(file)} (${cause.code}).`,
      'check the name and the permissions of the file',
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
    .argument('[workspace]', 'name of the workspace')
    .option('--file <path>', 'verify an export instead of the database')
    .option('--anchor <seq:hash>', 'anchor that an earlier run printed', parseAnchor)
    .addHelpText('after', HELP)
    .action((workspace: string | undefined, options: VerifyCommandOptions) =>
      withGateway(async (gateway) => {
        const { file } = options;
        const anchor = options.anchor === undefined ? {} : { anchor: options.anchor };
        if ((workspace === undefined) === (file === undefined))
          throw new CommandError(
            `expected either a workspace or --file; received ${file === undefined ? 'neither' : 'both'}.`,
            'see sallyport audit verify --help',
            EXIT.misused,
          );
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
