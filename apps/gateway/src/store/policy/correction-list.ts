import type { Outcome } from '@sallyport/core';
import type { Likelihood } from '@sallyport/core/stages';
import { recordAudit } from '../audit/audit.ts';
import type { Database, Transaction } from '../database.ts';
import { MISSED } from './corrections.ts';
import type { Verdict } from './findings.ts';

/** Something that a person has said, as it is listed. */
export interface Correction {
  readonly type: 'span' | 'passage' | 'decision';
  readonly digest: string;
  readonly server: string;
  readonly tool?: string;
  readonly tag?: string;
  readonly likelihood?: Likelihood;
  readonly outcome?: Outcome;
  readonly rule?: string;
  readonly cell?: string;
  readonly wasMade?: boolean;
  readonly verdict: Verdict;
  readonly by: string;
  readonly at: Date;
}

type Row = { readonly [Name in keyof Correction]: Correction[Name] | null } & { readonly text: string | null };

const MAX_LISTED = 1000;
const PORTION = 500;

function correctionOf(row: Row): Correction & { readonly text?: string } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never;
}

function rowsOf(sql: Transaction, workspace: string, by: string | undefined) {
  return sql`select case when tag = ${MISSED} then 'passage' else 'span' end as type, digest, server, tool, tag, likelihood,
      null as outcome, null as rule, null as cell, null::boolean as "wasMade", verdict, said_by as by, at, text
      from feedback where workspace_id = ${workspace} and (${by ?? null}::text is null or said_by = ${by ?? null})
    union all select 'decision', digest, server, tool, null, null, outcome, rule, cell, was_made, verdict, said_by, at, null
      from corrected_decisions where workspace_id = ${workspace} and (${by ?? null}::text is null or said_by = ${by ?? null})`;
}

/** The corrections of one person or of all, the last first. */
export async function listCorrections(
  database: Database,
  workspace: string,
  by?: string,
): Promise<readonly Correction[]> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<Row[]>`select * from (${rowsOf(sql, workspace, by)}) one order by at desc limit ${MAX_LISTED}`,
  );
  return rows.map((row) => correctionOf({ ...row, text: null }));
}

/**
 * A correction as a line of a data set. With its text it is a record as `evals/spans` reads them: of the split `test`, so that
 * nothing is trained on it by mistake.
 */
function lineOf({ text, by: _, ...correction }: Correction & { readonly text?: string }): string {
  const { type, digest, verdict, tag } = correction;
  const line = { id: `${type} ${digest}${tag === undefined ? '' : ` ${tag}`}`, ...correction };
  if (text === undefined) return JSON.stringify(line);
  const isAttack = verdict === 'attack';
  return JSON.stringify({
    ...line,
    text,
    source: 'corrections',
    split: 'test',
    label: isAttack ? 'injection' : 'benign',
    spans: isAttack ? [{ start: 0, end: text.length, kind: tag }] : [],
    lang: 'und',
    channel: 'tool',
  });
}

/** Writes all corrections as JSON lines, with their texts only if the workspace keeps them. */
export async function exportCorrections(
  database: Database,
  workspace: string,
  { by, keepsText }: { readonly by: string; readonly keepsText: boolean },
  write: (line: string) => Promise<void>,
): Promise<void> {
  await database.inWorkspace(workspace, (sql) =>
    recordAudit(database, sql, workspace, { type: 'correction', what: 'exported', by }),
  );
  await database.inWorkspace(workspace, async (sql) => {
    const rows = sql<Row[]>`select * from (${rowsOf(sql, workspace, undefined)}) one order by at`;
    for await (const portion of rows.cursor(PORTION))
      for (const row of portion) await write(lineOf(correctionOf(keepsText ? row : { ...row, text: null })));
  });
}
