import { digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';

/** People's verdicts on a mark or a decision. */
export const VERDICTS = ['false-alarm', 'attack'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A span that was flagged in what a server said. */
export interface FoundSpan {
  readonly server: string;
  readonly tool?: string | undefined;
  readonly tag: string;
  readonly likelihood: Exclude<Likelihood, 'none'>;
  readonly text: string;
}

/** A flagged span that people can say something about. Its text is content of others. */
export interface Finding extends FoundSpan {
  readonly id: string;
  readonly principal: string;
  readonly at: Date;
}

/** The subject of a verdict on a finding. */
export interface FindingKey extends FoundSpan {
  /** `digestText` of the whole span. `text` is its beginning. */
  readonly digest: string;
}

/** Findings that are kept of one workspace. */
const MAX_FINDINGS = 10_000;
const MAX_LISTED = 1000;
const MAX_TEXT_LENGTH = 500;
const MAX_NAME_LENGTH = 200;
const TAG = /^[a-z0-9-]{1,40}$/;

/** The beginning of a text, as PostgreSQL takes it. */
export function storable(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}

/** `digestText` of a span, for whatever it is compared by. */
export function spanDigest(text: string): string {
  return digestText(text.toWellFormed());
}

/** The id of a finding: the same words of a server are one finding for each principal that reads them. */
export function findingId(
  principal: string,
  { server, tag, text }: Pick<FoundSpan, 'server' | 'tag' | 'text'>,
): string {
  return digestText(JSON.stringify([principal, server, tag, spanDigest(text)])).slice(0, 32);
}

/** The spans that were flagged, by workspace. */
export class Findings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores spans that a principal has read. A span that is known stays as it is; the oldest ones are removed. */
  async add(workspace: string, principal: string, spans: readonly FoundSpan[]): Promise<void> {
    const known = spans.filter(({ tag }) => TAG.test(tag));
    if (known.length === 0) return;
    await this.#database.inWorkspace(workspace, async (sql) => {
      for (const span of known) {
        const { server, tool, tag, likelihood, text } = span;
        const name = tool === undefined ? null : storable(tool, MAX_NAME_LENGTH);
        await sql`insert into findings (workspace_id, id, principal, server, tool, tag, likelihood, digest, text)
          values (${workspace}, ${findingId(principal, span)}, ${principal}, ${server}, ${name}, ${tag}, ${likelihood},
            ${spanDigest(text)}, ${storable(text, MAX_TEXT_LENGTH)}) on conflict do nothing`;
      }
      await sql`delete from findings where workspace_id = ${workspace} and at < (select at from findings
        where workspace_id = ${workspace} order by at desc offset ${MAX_FINDINGS} limit 1)`;
    });
  }

  /** The newest findings: of one principal, or of all. */
  async list(workspace: string, principal?: string): Promise<readonly Finding[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<(Omit<Finding, 'tool'> & { tool: string | null })[]>`
        select id, principal, server, tool, tag, likelihood, text, at from findings
          where workspace_id = ${workspace} and (${principal ?? null}::text is null or principal = ${principal ?? null})
          order by at desc limit ${MAX_LISTED}`,
    );
    return rows.map(({ tool, ...row }) => ({ ...row, ...(tool === null ? {} : { tool }) }));
  }

  async find(workspace: string, id: string, principal?: string): Promise<FindingKey> {
    const [row] = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<(Omit<FindingKey, 'tool'> & { tool: string | null })[]>`
        select server, tool, tag, likelihood, digest, text from findings where workspace_id = ${workspace}
          and id = ${id} and (${principal ?? null}::text is null or principal = ${principal ?? null})`,
    );
    if (row === undefined)
      throw new StoreError('missing', 'There is no finding of that id: read the list of findings.');
    return { ...row, tool: row.tool ?? undefined };
  }

  /** The findings in what a principal read, with what a person has said of each. */
  async saidOf(workspace: string, principal: string, by: string): Promise<ReadonlyMap<string, Verdict | undefined>> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<{ id: string; verdict: Verdict | null }[]>`
        select one.id, said.verdict from findings one
          left join feedback said on said.workspace_id = one.workspace_id and said.server = one.server
            and said.tag = one.tag and said.digest = one.digest and said.said_by = ${by}
          where one.workspace_id = ${workspace} and one.principal = ${principal}`,
    );
    return new Map(rows.map(({ id, verdict }) => [id, verdict ?? undefined]));
  }
}
