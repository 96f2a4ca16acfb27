import type { Outcome } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import { recordAudit } from '../audit/audit.ts';
import type { Database, Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import { spanDigest, storable, VERDICTS, type Verdict } from './findings.ts';
import type { RecordedConversation } from './recorded.ts';

/** A person's verdict on a span that was flagged. */
export interface SpanVerdict {
  readonly server: string;
  readonly tool?: string | undefined;
  readonly tag: string;
  /** `digestText` of the span's text. */
  readonly digest: string;
  readonly likelihood: Exclude<Likelihood, 'none'>;
  readonly verdict: Verdict;
  /** The beginning of the span. @default not kept */
  readonly text?: string | undefined;
}

/** Words that a person reports as an attack, and the spans in them, whether or not a threshold hides these. */
export interface ReportedPassage {
  readonly server: string;
  readonly tool?: string | undefined;
  readonly text: string;
  readonly spans: readonly Omit<SpanVerdict, 'verdict' | 'server' | 'tool'>[];
  /** Keeps the text, and not only its digest. */
  readonly keepsText: boolean;
}

/** A person's verdict on the decision about a call. */
export interface DecisionVerdict extends RecordedConversation {
  /** The id of the call. */
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly rule: string;
  readonly cell?: string | undefined;
  readonly wasMade: boolean;
  readonly verdict: Verdict;
}

/** The tag of passages that a person reported and the classifier had not flagged. */
export const MISSED = 'missed';

const NAME = /^[a-z0-9-]{1,40}$/;
const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 2000;
const WHAT = { 'false-alarm': 'harmless', attack: 'attack' } as const;

function check({ server, tag, digest, likelihood, verdict }: SpanVerdict): void {
  if (!NAME.test(server) || !NAME.test(tag))
    throw new StoreError('invalid', '`server` and `tag` must have 1 to 40 characters of a-z, 0-9 and hyphens.');
  if (LIKELIHOODS.indexOf(likelihood) < 1)
    throw new StoreError('invalid', "`likelihood` must be 'low', 'medium' or 'high'.");
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new StoreError('invalid', '`digest` must be the SHA-256 of the span, as 64 hexadecimal digits.');
  if (!VERDICTS.includes(verdict)) throw new StoreError('invalid', "`verdict` must be 'false-alarm' or 'attack'.");
}

/** The id of a decision among all conversations of a workspace. */
export function decisionDigest({ principal, conversation }: RecordedConversation, call: string): string {
  return digestText(JSON.stringify([principal, conversation ?? null, call]));
}

/** Stores a verdict. A later one of the same person on the same span replaces it. */
async function store(
  sql: Transaction,
  workspace: string,
  said: Omit<SpanVerdict, 'likelihood'> & { readonly likelihood: Likelihood },
  by: string,
): Promise<void> {
  const { server, tag, digest, likelihood, verdict } = said;
  const tool = said.tool === undefined ? null : storable(said.tool, MAX_NAME_LENGTH);
  const text = said.text === undefined ? null : storable(said.text, MAX_TEXT_LENGTH);
  await sql`insert into feedback (workspace_id, server, tool, tag, digest, likelihood, verdict, text, said_by)
    values (${workspace}, ${server}, ${tool}, ${tag}, ${digest}, ${likelihood}, ${verdict}, ${text}, ${by})
    on conflict (workspace_id, server, tag, digest, said_by) do update set verdict = excluded.verdict,
      likelihood = excluded.likelihood, tool = excluded.tool, text = excluded.text, at = now()`;
}

/** People's verdicts on marks and decisions. */
export class Corrections {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async recordVerdict(workspace: string, said: SpanVerdict, by: string): Promise<void> {
    check(said);
    const { server, tag, digest, verdict } = said;
    await this.#database.inWorkspace(workspace, async (sql) => {
      await store(sql, workspace, said, by);
      const event = { type: 'correction', what: WHAT[verdict], of: 'span', server, tag, digest, by } as const;
      await recordAudit(this.#database, sql, workspace, event);
    });
  }

  /** Stores an attack that was missed. The spans in it count as attacks too, so that no threshold is raised above them. */
  async recordPassage(workspace: string, passage: ReportedPassage, by: string): Promise<void> {
    const { server, tool, text, spans, keepsText } = passage;
    const digest = spanDigest(text);
    const attack = { server, tool, verdict: 'attack' } as const;
    const said = spans.map((span) => ({ ...attack, ...span, text: keepsText ? span.text : undefined }));
    for (const each of said) check(each);
    await this.#database.inWorkspace(workspace, async (sql) => {
      const kept = keepsText ? text : undefined;
      await store(sql, workspace, { ...attack, tag: MISSED, likelihood: 'none', digest, text: kept }, by);
      for (const each of said) await store(sql, workspace, each, by);
      const event = { type: 'correction', what: 'attack', of: 'passage', server, digest, by } as const;
      await recordAudit(this.#database, sql, workspace, event);
    });
  }

  async recordDecision(workspace: string, said: DecisionVerdict, by: string): Promise<void> {
    const { principal, call, outcome, wasMade, verdict } = said;
    const digest = decisionDigest(said, call);
    const [server, tool, rule, cell] = [said.server, said.tool, said.rule, said.cell].map((name) =>
      name === undefined ? null : storable(name, MAX_NAME_LENGTH),
    ) as [string, string, string, string | null];
    await this.#database.inWorkspace(workspace, async (sql) => {
      await sql`insert into corrected_decisions
          (workspace_id, digest, principal, server, tool, outcome, rule, cell, was_made, verdict, said_by)
        values (${workspace}, ${digest}, ${principal}, ${server}, ${tool}, ${outcome}, ${rule}, ${cell}, ${wasMade},
          ${verdict}, ${by})
        on conflict (workspace_id, digest, said_by) do update set verdict = excluded.verdict, outcome = excluded.outcome,
          rule = excluded.rule, cell = excluded.cell, at = now()`;
      const event = { type: 'correction', what: WHAT[verdict], of: 'decision', server, digest, by } as const;
      await recordAudit(this.#database, sql, workspace, event);
    });
  }

  /** A person's verdicts on decisions about a principal's calls, by `decisionDigest`. */
  async saidOfDecisions(workspace: string, principal: string, by: string): Promise<ReadonlyMap<string, Verdict>> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<{ digest: string; verdict: Verdict }[]>`select digest, verdict from corrected_decisions
        where workspace_id = ${workspace} and principal = ${principal} and said_by = ${by}`,
    );
    return new Map(rows.map(({ digest, verdict }) => [digest, verdict]));
  }
}
