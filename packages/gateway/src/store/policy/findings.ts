import { digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';

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

/** A flagged span without its text. */
export interface FindingKey extends Pick<FoundSpan, 'server' | 'tag' | 'likelihood'> {
  /** `digestText` of the whole span. */
  readonly digest: string;
}

/** Findings that are kept of one workspace. */
const MAX_FINDINGS = 10_000;
const MAX_LISTED = 1000;
const MAX_TEXT_LENGTH = 500;
const MAX_NAME_LENGTH = 200;
const TAG = /^[a-z0-9-]{1,40}$/;

const storable = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');

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
      for (const { server, tool, tag, likelihood, text } of known) {
        const digest = digestText(text.toWellFormed());
        const id = digestText(JSON.stringify([principal, server, tag, digest])).slice(0, 32);
        const name = tool === undefined ? null : storable(tool, MAX_NAME_LENGTH);
        await sql`insert into findings (workspace_id, id, principal, server, tool, tag, likelihood, digest, text)
          values (${workspace}, ${id}, ${principal}, ${server}, ${name}, ${tag}, ${likelihood}, ${digest},
            ${storable(text, MAX_TEXT_LENGTH)}) on conflict do nothing`;
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

  /** What a verdict on a finding is about. */
  async find(workspace: string, id: string, principal?: string): Promise<FindingKey> {
    const [row] = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<FindingKey[]>`select server, tag, likelihood, digest from findings where workspace_id = ${workspace}
        and id = ${id} and (${principal ?? null}::text is null or principal = ${principal ?? null})`,
    );
    if (row === undefined)
      throw new StoreError('missing', 'There is no finding of that id: read the list of findings.');
    return { ...row };
  }
}
