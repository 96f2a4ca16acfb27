import { exportAudit, verifyAudit } from '../../store/audit/verify.ts';
import type { Database } from '../../store/database.ts';
import type { AuditKey, Head } from '../../store/links.ts';
import { LineStream } from '../route/lines.ts';
import { BusyError } from '../route/problem.ts';
import { objectOf, type Route, route, type Schema, TEXT } from '../route/route.ts';

export interface ChainRouteOptions {
  readonly database: Database;
  /** The keys that rows and checkpoints may be made with. */
  readonly auditKeys: readonly AuditKey[];
  /** Registers work that the replica waits for before it stops. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  readonly onError: (cause: unknown) => void;
}

const SEQ: Schema = { type: 'integer', minimum: 0 };
const HASH: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const PROBLEMS = ['edit', 'gap', 'order', 'truncated', 'head', 'forged', 'rewritten', 'unsigned', 'malformed'];

const REPORT: Schema = {
  oneOf: [
    objectOf({
      isWhole: { const: true },
      start: SEQ,
      rows: SEQ,
      head: objectOf({ seq: SEQ, hash: HASH }),
      signed: SEQ,
      compared: { ...SEQ, description: 'How many heads that were kept elsewhere are in the chain.' },
    }),
    objectOf({ isWhole: { const: false }, problem: { enum: PROBLEMS }, seq: { type: 'integer' } }),
  ],
};

/** Each reader occupies a connection to the database until it ends. */
const MAX_AT_ONCE = 3;

/** Allows one reader for each workspace, and three in total. */
class ReadLimit {
  readonly #inside = new Set<string>();

  enter(workspace: string): () => void {
    if (this.#inside.has(workspace) || this.#inside.size >= MAX_AT_ONCE)
      throw new BusyError('The audit is being exported or verified already.');
    this.#inside.add(workspace);
    return () => void this.#inside.delete(workspace);
  }
}

function headIn(name: 'anchor' | 'from', text: string | undefined): { readonly [Name in typeof name]?: Head } {
  const [seq, hash] = text?.split(':') ?? [];
  return seq === undefined || hash === undefined ? {} : { [name]: { seq: Number(seq), hash } };
}

/** The audit chain of the workspace. */
export function chainRoutes({ database, auditKeys, track, onError }: ChainRouteOptions): readonly Route[] {
  const readers = new ReadLimit();
  return [
    route({
      method: 'get',
      path: '/audit/export',
      name: 'exportAudit',
      summary:
        'Exports the chain, or the rows after a number. It can be verified without the gateway. An export without the last line, `head`, is incomplete',
      scope: 'audit',
      query: {
        after: {
          type: 'string',
          pattern: '^[0-9]{1,15}$',
          description: 'The `seq` in the last line of an earlier export: only what follows is exported.',
        },
      },
      answer: {
        status: 200,
        description: 'One JSON object per line',
        type: 'application/jsonl',
        schema: { type: 'object', required: ['type'], properties: { type: TEXT } },
      },
      async handle({ caller: { workspace }, query }) {
        const leave = readers.enter(workspace);
        const lines = new LineStream();
        const after = query.after === undefined ? undefined : Number(query.after);
        const written = exportAudit(database, workspace, (line) => lines.write(line), after)
          .then(() => lines.end())
          .catch((cause: unknown) => {
            onError(cause);
            lines.fail();
          });
        void track(written.finally(leave));
        return new Response(lines.body, {
          headers: { 'content-type': 'application/jsonl', 'content-disposition': 'attachment; filename="audit.jsonl"' },
        });
      },
    }),
    route({
      method: 'get',
      path: '/audit/verify',
      name: 'verifyAudit',
      summary: 'Verifies that the chain has not been edited, rewritten or truncated',
      scope: 'audit',
      query: {
        anchor: {
          type: 'string',
          pattern: '^[0-9]{1,15}:[0-9a-f]{64}$',
          description: 'A head that was recorded elsewhere, as seq:hash, and must be in the chain.',
        },
        from: {
          type: 'string',
          pattern: '^[0-9]{1,15}:[0-9a-f]{64}$',
          description: 'The head of an earlier run, as seq:hash. Only the rows after it are verified.',
        },
      },
      answer: { status: 200, description: 'The result', schema: REPORT },
      async handle({ caller: { workspace }, query }) {
        const leave = readers.enter(workspace);
        return verifyAudit(database, workspace, {
          keys: auditKeys,
          ...headIn('anchor', query.anchor),
          ...headIn('from', query.from),
        }).finally(leave);
      },
    }),
  ];
}
