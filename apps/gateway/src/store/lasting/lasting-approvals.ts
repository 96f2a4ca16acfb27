import type { StoredApproval } from '@sallyport/core';
import { parseJson } from '@sallyport/core/json';
import type { Question } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, runQuery, type Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { LastingGrant, LastingScope } from './grant.ts';

/** The call that a person has approved, without what was read before it. */
type ApprovedCall = Pick<
  Question,
  'server' | 'conversation' | 'tool' | 'arguments' | 'rule' | 'effect' | 'cell' | 'fixed'
>;

/** An approval that applies until it expires or is revoked. */
export interface LastingApproval {
  /** The id of the held call. */
  readonly id: string;
  /** The principal whose calls it covers. */
  readonly principal: string;
  readonly call: ApprovedCall;
  readonly scope: LastingScope;
  /** The principal who approved. */
  readonly givenBy: string;
  readonly givenAt: Date;
  readonly until: Date;
  readonly uses: number;
  readonly usedAt?: Date;
}

/** The call that an approval may cover. */
export interface Covered {
  readonly workspace: string;
  readonly principal: string;
  /**
   * Names the server's location, the definition of the tool and the policy for the server. An approval covers a call only under
   * the terms that it was given under: a person has judged this tool, at this place, with the questions that this policy asks.
   */
  readonly terms: string;
}

/** An answered question, and what it grants. */
export interface AnsweredQuestion extends Covered, LastingGrant {
  readonly id: string;
  readonly question: Question;
  readonly digest: string;
  readonly by: string;
}

export interface RevokeOptions {
  /** The only principal whose approvals the person may revoke. @default those of all principals */
  readonly of?: string | undefined;
  /** The person of the key that it is revoked with. @default not known */
  readonly person?: string | undefined;
}

interface TakenRow {
  readonly id: string;
  readonly key: string;
  readonly scope: LastingScope;
  readonly call: string;
  readonly given_by: string;
  readonly given_at: Date;
  readonly until: Date;
}

interface LastingRow extends Omit<TakenRow, 'key'> {
  readonly principal: string;
  readonly uses: number;
  readonly used_at: Date | null;
}

const MAX_LISTED = 1000;
/** Maximum number of lasting approvals of one principal: each held call is compared with those of its tool. */
const MAX_KEPT = 1000;

function callOf({ evidence, reason, scopes, digest, keys, ...call }: Question): ApprovedCall {
  return call;
}

function lastingOf(row: LastingRow): LastingApproval {
  const { id, principal, call, scope, given_by: givenBy, given_at: givenAt, until, uses, used_at: usedAt } = row;
  return {
    ...{ id, principal, call: parseJson(call) as ApprovedCall, scope, givenBy, givenAt, until, uses },
    ...(usedAt === null ? {} : { usedAt }),
  };
}

/** Keeps an approval, in the transaction of the answer. */
export async function addLasting(sql: Transaction, answered: AnsweredQuestion): Promise<void> {
  const { workspace, id, principal, terms, keys, digest, scope, until, by, question } = answered;
  const [kept] = await sql<{ count: number }[]>`select count(*)::int as count from lasting_approvals
    where workspace_id = ${workspace} and principal = ${principal} and until > clock_timestamp()`;
  if ((kept?.count ?? 0) >= MAX_KEPT)
    throw new StoreError(
      'conflict',
      `${MAX_KEPT} lasting approvals apply to this principal already: revoke some, or approve once.`,
    );
  await sql`insert into lasting_approvals
    (workspace_id, id, principal, call, digest, scope, keys, terms, given_by, until)
    values (${workspace}, ${id}, ${principal}, ${JSON.stringify(callOf(question))}, ${digest}, ${scope}, ${[...keys]}::text[],
      ${terms}, ${by}, ${until})`;
}

/** The approvals of all workspaces that last, for all replicas. */
export class LastingApprovals {
  readonly #database: Database;
  readonly #bus: Bus;

  constructor(database: Database, bus: Bus) {
    this.#database = database;
    this.#bus = bus;
  }

  /** The approval with one of these keys that covers a call, of which one use is counted. */
  async take({ workspace, principal, terms }: Covered, keys: readonly string[]): Promise<StoredApproval | undefined> {
    const [row] = await runQuery(
      () => this.#database.system<TakenRow[]>`
        select * from sallyport.take_lasting_approval(${workspace}::uuid, ${principal}, ${terms}, ${[...keys]}::text[])`,
    );
    if (row === undefined) return undefined;
    const { id, key, scope, given_by: by, given_at: created, until } = row;
    const { conversation, tool, rule } = parseJson(row.call) as ApprovedCall;
    const owner = scope === 'always' ? { owner: principal } : {};
    const times = { created: created.getTime(), until: until.getTime() };
    return { id, key, scope, conversation, ...owner, tool, values: [], rule, by, ...times };
  }

  /** The approvals that apply to a principal's calls now, the latest first. @default to those of all principals */
  async list(workspace: string, of?: string): Promise<readonly LastingApproval[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<LastingRow[]>`select * from lasting_approvals
        where workspace_id = ${workspace} and until > clock_timestamp() and principal = coalesce(${of ?? null}, principal)
        order by given_at desc, id limit ${MAX_LISTED}`,
    );
    return rows.map(lastingOf);
  }

  /** Ends an approval at once. */
  async revoke(workspace: string, id: string, by: string, { of, person }: RevokeOptions = {}): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<{ digest: string; principal: string; call: string }[]>`delete from lasting_approvals
        where workspace_id = ${workspace} and id::text = ${id} and principal = coalesce(${of ?? null}, principal)
          and until > clock_timestamp() returning digest, principal, call`;
      if (row === undefined)
        throw new StoreError('missing', 'There is no lasting approval of that id: it was revoked, or has expired.');
      // The answer itself must not let one more call pass, if the call that it was given for has not come back for it.
      await sql`update approvals set used_at = clock_timestamp()
        where workspace_id = ${workspace} and id::text = ${id} and used_at is null`;
      const { digest, principal } = row;
      const { server, tool } = parseJson(row.call) as ApprovedCall;
      await recordAudit(this.#database, sql, workspace, {
        ...{ type: 'approval', what: 'revoked', id, digest, by, principal, server, tool },
        ...(person === undefined ? {} : { person }),
      });
    });
    await this.#bus.publish('approval', workspace, id);
  }
}
