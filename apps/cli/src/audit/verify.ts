import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditReport, ChainProblem, ComparedAnchors } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, type GatewayPackage, withGateway } from '../peer.ts';
import { CommandError, printable } from '../terminal-text.ts';

const HELP = `
Reads the audit chain of a workspace from its start and reports the first row that was edited, removed, moved or added, a
missing end, or a signature that the gateway did not make. With --file it reads an export and needs no database; then
SALLYPORT_KEY is optional, and without it and --public-key signatures are not checked. An export that was made with --after
says itself where it begins: give --from too, or rows may have been removed from its beginning.

Signed heads that replicas have kept outside of the database (SALLYPORT_ANCHORS) must be in the chain. All files of that
folder are read, and the output says how many heads and files were compared. A file that is missing in between, or that was cut
or changed, counts as tampering; that the oldest ones are gone is only said.

Each run prints an anchor: the number and hash of the last row. Keep it outside the database. With --anchor, a later run
checks that the chain still contains that row. With --from, it verifies only the rows after it: for a nightly job. "last"
is the last one in SALLYPORT_ANCHORS; then only the newest files are read.

An auditor needs no secret: with --public-key, signatures are checked and cannot be made.

Examples:
  sallyport audit verify acme
  sallyport audit verify acme --anchor 4711:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  sallyport audit verify acme --from last
  sallyport audit verify --file acme.jsonl --public-key 3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29

Reads DATABASE_URL, SALLYPORT_KEY and SALLYPORT_ANCHORS.
Exit codes: 0 intact, 1 tampered with, 2 wrong usage, 3 the database is unreachable.`;

interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

const LAST = 'last';

interface VerifyCommandOptions {
  readonly file?: string;
  readonly anchor?: Anchor;
  readonly from?: Anchor | typeof LAST;
  readonly publicKey?: string;
}

const MEANING: Readonly<Record<ChainProblem | 'anchors', string>> = {
  edit: 'this row was changed after it was written',
  gap: 'rows are missing from here on',
  order: 'a row is repeated or out of order',
  truncated: 'the end of the chain is missing from here on',
  head: 'the chain does not end at its recorded last row',
  forged: 'it does not match the key; it is forged, or this is a different key',
  rewritten: 'the rows differ from those that were signed or anchored',
  unsigned: 'old rows from here on have no signature',
  malformed: 'this line does not have the form of an export',
  anchors: 'the rows are whole, but not the anchors outside of the database',
};

function parseAnchor(text: string): Anchor {
  const [, seq, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined) throw new InvalidArgumentError('Expected SEQ:HASH, as printed by an earlier run.');
  return { seq: Number(seq), hash };
}

function parseFrom(text: string): Anchor | typeof LAST {
  return text === LAST ? text : parseAnchor(text);
}

/** The files of anchors that were read, with their first and last day. */
function filesText({ files, days, removed }: ComparedAnchors, folder: string): string {
  const gone = removed === 0 ? '' : `; ${removed} older ones are gone`;
  const period = days === undefined ? '' : `, ${days.join(' to ')}`;
  return `${files.length} ${files.length === 1 ? 'file' : 'files'} of ${printable(folder)}${period}${gone}`;
}

/** The line about the anchors that the chain was compared with, and the reason if there were not more. */
function comparedLine(
  compared: number,
  { anchor, from }: VerifyCommandOptions,
  { anchors, anchorFolder = '' }: Pick<Reported, 'anchors' | 'anchorFolder'>,
): string {
  const files = anchors === undefined ? undefined : filesText(anchors, anchorFolder);
  const sources = [
    ...(compared > 0 ? [`${compared} ${compared === 1 ? 'head' : 'heads'} in ${files}`] : []),
    ...(anchor === undefined ? [] : ['the one of --anchor']),
    ...(from === undefined || from === LAST ? [] : ['the one of --from']),
  ];
  if (sources.length > 0) return `Compared anchors: ${sources.join(', ')}.\n`;
  const why =
    files === undefined
      ? 'SALLYPORT_ANCHORS is off, or this is a file'
      : `${files}: none of this workspace, or only of rows that retention removed`;
  return `Compared anchors: none (${why}). A database that was set back is not noticed without one: give --anchor.\n`;
}

interface Reported {
  readonly isSigned: boolean;
  readonly options: VerifyCommandOptions;
  readonly anchors?: ComparedAnchors | undefined;
  readonly anchorFolder?: string | undefined;
}

function reportTampering(io: Io, { problem, seq, anchors }: Extract<AuditReport, { readonly isWhole: false }>): void {
  const where = problem === 'anchors' ? '' : ` at row ${seq}`;
  io.stdout(`TAMPERED${where}: ${MEANING[problem]} (${problem}).\n`);
  for (const each of anchors?.problems ?? []) io.stdout(`Anchors: ${printable(each)}.\n`);
  io.exit(EXIT.refused);
}

function report(io: Io, result: AuditReport, reported: Reported): void {
  const { isSigned, options } = reported;
  if (!result.isWhole && result.problem === 'malformed' && result.seq === 0)
    throw new CommandError(
      'the file is not an audit export.',
      'create one with: sallyport audit export <workspace> > <file>',
      EXIT.misused,
    );
  if (!result.isWhole) {
    reportTampering(io, result);
    return;
  }
  const { start, rows, head, signed, compared, isStartClaimed = false } = result;
  const known = isStartClaimed
    ? 'where the file says it begins'
    : 'which was verified before or ends what retention removed';
  const from = start === 0 ? '' : ` after row ${start}, ${known}`;
  const upTo = signed === 0 ? 'none of them is signed yet' : `signed up to row ${signed}`;
  const signature = rows === 0 ? 'nothing to check' : upTo;
  io.stdout(`Intact: ${rows} rows${from}; ${isSigned ? signature : 'signatures were not checked'}.\n`);
  if (isStartClaimed)
    io.stdout(
      'This is a part of the chain. Rows before it were not checked: give --from with the anchor of the run before.\n',
    );
  io.stdout(comparedLine(compared, options, reported));
  io.stdout(`Anchor: ${head.seq}:${head.hash}\n`);
  io.exit(EXIT.done);
}

async function verifyFile(
  io: Io,
  { verifyExport, readKeys, auditKeysOf, PublicAuditKey }: GatewayPackage,
  file: string,
  given: VerifyCommandOptions,
): Promise<void> {
  const { anchor, from, publicKey } = given;
  const hasKey = publicKey === undefined && (io.environment.SALLYPORT_KEY ?? '') !== '';
  const read = publicKey === undefined ? undefined : PublicAuditKey.read(publicKey);
  if (publicKey !== undefined && read === undefined)
    throw new CommandError(
      '--public-key must be 64 hexadecimal digits.',
      'print it with: sallyport audit public-key',
      EXIT.misused,
    );
  const input = createReadStream(file, 'utf8');
  const opened = new Promise((resolve, reject) => input.once('open', resolve).once('error', reject));
  await opened.catch((cause: { readonly code?: string }) => {
    throw new CommandError(
      `cannot read ${printable(file)} (${cause.code}).`,
      'check the name and the permissions of the file',
      EXIT.misused,
    );
  });
  const options = {
    ...(hasKey ? { keys: auditKeysOf(readKeys(io.environment).keysFor('audit')) } : {}),
    ...(read === undefined ? {} : { publicKeys: [read] }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(from === undefined || from === LAST ? {} : { from }),
  };
  const onProgress = (items: number): void => io.stderr(`${items} lines read\n`);
  const result = await verifyExport(createInterface({ input }), { ...options, onProgress });
  report(io, result, { isSigned: hasKey || read !== undefined, options: given });
}

export function verifyCommand(io: Io): Command {
  return new Command('verify')
    .description('find any edit, gap or truncation in an audit chain')
    .argument('[workspace]', 'name of the workspace')
    .option('--file <path>', 'verify an export instead of the database')
    .option('--anchor <seq:hash>', 'anchor that an earlier run printed', parseAnchor)
    .option(
      '--from <seq:hash>',
      'verify only what follows an anchor, or "last" for the last one in SALLYPORT_ANCHORS',
      parseFrom,
    )
    .option('--public-key <hex>', 'check signatures of a file with a public key')
    .addHelpText('after', HELP)
    .action((workspace: string | undefined, options: VerifyCommandOptions) =>
      withGateway(async (gateway) => {
        const { file, anchor, from } = options;
        if ((workspace === undefined) === (file === undefined))
          throw new CommandError(
            `expected either a workspace or --file; received ${file === undefined ? 'neither' : 'both'}.`,
            'see sallyport audit verify --help',
            EXIT.misused,
          );
        if (file !== undefined) return verifyFile(io, gateway, file, options);
        const onProgress = (items: number): void => io.stderr(`${items} rows read\n`);
        const config = gateway.readStoreConfig(io.environment);
        const result = await gateway.withOperations(config, (operations) =>
          operations.verifyAudit(workspace ?? '', {
            ...(anchor === undefined ? {} : { anchor }),
            ...(from === undefined || from === LAST ? {} : { from }),
            isFromAnchors: from === LAST,
            onProgress,
          }),
        );
        const { anchors } = result;
        report(io, result, { isSigned: true, options, anchors, anchorFolder: config.anchorFolder });
      }),
    );
}
