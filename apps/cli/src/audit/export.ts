import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Writes the audit chain of a workspace to standard output, one JSON object per line: the rows, the gateway's signatures, and
a final line that ends the export. With --after, only the rows after a number: the seq in the last line of an earlier export.

Examples:
  sallyport audit export acme > acme.jsonl
  sallyport audit export acme --after 4711 >> feed.jsonl
  sallyport audit verify --file acme.jsonl

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 written, 2 wrong usage, 3 the database is unreachable or disconnected before the end.`;

const PROGRESS_EVERY = 10_000;
const CHUNK = 65_536;

function parseSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a row.');
  return Number(text);
}

export function exportCommand(io: Io): Command {
  return new Command('export')
    .description('write an audit chain as JSONL')
    .argument('<workspace>', 'name of the workspace')
    .option('--after <seq>', 'only rows after this number', parseSeq)
    .addHelpText('after', HELP)
    .action((workspace: string, { after }: { readonly after?: number }) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        let lines = 0;
        let chunk = '';
        const write = (line: string): void => {
          chunk += `${line}\n`;
          if (++lines % PROGRESS_EVERY === 0) io.stderr(`${lines} lines written\n`);
          if (chunk.length < CHUNK) return;
          io.stdout(chunk);
          chunk = '';
        };
        await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.exportAudit(workspace, write, after),
        );
        io.stdout(chunk);
        io.stderr(`${lines} lines written. The export is complete.\n`);
      }),
    );
}
