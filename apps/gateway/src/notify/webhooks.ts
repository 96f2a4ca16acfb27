import { randomBytes } from 'node:crypto';
import { recordAudit } from '../store/audit/audit.ts';
import { type Database, runQuery } from '../store/database.ts';
import { StoreError } from '../store/errors.ts';
import type { Vault } from '../store/secrets/vault.ts';

export const FORMATS = ['json', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof FORMATS)[number];

/** A webhook, without its secrets. */
export interface Webhook {
  readonly name: string;
  readonly format: WebhookFormat;
  /** The host of its address. The rest of the address is a secret. */
  readonly host: string;
  readonly madeBy: string;
  readonly madeAt: Date;
  /** When a message was last delivered. */
  readonly sentAt?: Date;
  /** Why the last message was not delivered. */
  readonly failure?: string;
}

/** Where messages go, and what they are signed with. */
export interface WebhookTarget {
  readonly url: string;
  /** As Standard Webhooks writes it: `whsec_` and 32 bytes in base64. */
  readonly secret: string;
}

/** A message that is due: a call that waits for a person. */
export interface Notice {
  readonly workspace: string;
  readonly webhook: string;
  readonly format: WebhookFormat;
  readonly target: WebhookTarget;
  readonly approval: string;
  /** JSON of the question. */
  readonly question: string;
  readonly principal: string;
  readonly needsSecondPerson: boolean;
  readonly askedAt: Date;
  readonly until: Date;
  /** This one included. */
  readonly attempts: number;
}

interface WebhookRow {
  readonly name: string;
  readonly format: WebhookFormat;
  readonly host: string;
  readonly made_by: string;
  readonly made_at: Date;
  readonly sent_at: Date | null;
  readonly failure: string | null;
}

interface ClaimedRow {
  readonly ws: string;
  readonly webhook: string;
  readonly approval: string;
  readonly attempts: number;
}

interface NoticeRow {
  readonly format: WebhookFormat;
  readonly sealed: string;
  readonly question: string;
  readonly principal: string;
  readonly second_person: boolean;
  readonly asked_at: Date;
  readonly until: Date;
}

const MAX_WEBHOOKS = 10;
const MISSING = 'There is no webhook of that name: read the list of webhooks.';

/** The webhooks of all workspaces, and the messages that they have not received yet. */
export class Webhooks {
  readonly #database: Database;
  readonly #vault: Vault;

  constructor(database: Database, vault: Vault) {
    this.#database = database;
    this.#vault = vault;
  }

  async list(workspace: string): Promise<readonly Webhook[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<WebhookRow[]>`select name, format, host, made_by, made_at, sent_at, failure from webhooks
        where workspace_id = ${workspace} order by name`,
    );
    return rows.map(({ name, format, host, made_by, made_at, sent_at, failure }) => ({
      name,
      format,
      host,
      madeBy: made_by,
      madeAt: made_at,
      ...(sent_at === null ? {} : { sentAt: sent_at }),
      ...(failure === null ? {} : { failure }),
    }));
  }

  /** Adds or replaces a webhook. Returns the new secret of its signatures, which is not shown again. */
  async set(workspace: string, name: string, url: string, format: WebhookFormat, by: string): Promise<string> {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const sealed = this.#vault.seal(
      JSON.stringify({ url, secret } satisfies WebhookTarget),
      bindingOf(workspace, name),
    );
    const { host } = new URL(url);
    await this.#database.inWorkspace(workspace, async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${workspace}`}, 0))`;
      await sql`insert into webhooks (workspace_id, name, format, host, sealed, made_by)
        values (${workspace}, ${name}, ${format}, ${host}, ${sealed}, ${by})
        on conflict (workspace_id, name) do update set format = excluded.format, host = excluded.host, sealed = excluded.sealed,
          made_by = excluded.made_by, made_at = now(), sent_at = null, failure = null`;
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int as count from webhooks
        where workspace_id = ${workspace}`;
      if (count > MAX_WEBHOOKS)
        throw new StoreError('invalid', `A workspace has at most ${MAX_WEBHOOKS} webhooks: remove one first.`);
      await recordAudit(this.#database, sql, workspace, { type: 'webhook', what: 'changed', webhook: name, host, by });
    });
    return secret;
  }

  async remove(workspace: string, name: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<{ host: string }[]>`delete from webhooks
        where workspace_id = ${workspace} and name = ${name} returning host`;
      if (row === undefined) throw new StoreError('missing', MISSING);
      const { host } = row;
      await recordAudit(this.#database, sql, workspace, { type: 'webhook', what: 'removed', webhook: name, host, by });
    });
  }

  /** Where the messages of a webhook go. */
  async target(workspace: string, name: string): Promise<{ readonly format: WebhookFormat } & WebhookTarget> {
    const [row] = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<{ format: WebhookFormat; sealed: string }[]>`select format, sealed from webhooks
        where workspace_id = ${workspace} and name = ${name}`,
    );
    if (row === undefined) throw new StoreError('missing', MISSING);
    return { format: row.format, ...this.#open(row.sealed, workspace, name) };
  }

  /** Messages that are due, one of each webhook. Unless they are settled, they are due again after `seconds`. */
  async claim(seconds: number, most: number): Promise<readonly Notice[]> {
    const claimed = await runQuery(
      () => this.#database.system<ClaimedRow[]>`select * from sallyport.claim_notices(${seconds}, ${most})`,
    );
    return (await Promise.all(claimed.map((each) => this.#noticeOf(each)))).flat();
  }

  /** None if a person has answered the call, or its time is over. */
  async #noticeOf({ ws: workspace, webhook, approval, attempts }: ClaimedRow): Promise<readonly Notice[]> {
    return this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<NoticeRow[]>`
        select format, sealed, question, principal, second_person, asked_at, until from webhooks hook join approvals one
          on one.workspace_id = hook.workspace_id and one.id = ${approval} and one.answer is null and one.until > clock_timestamp()
          where hook.workspace_id = ${workspace} and hook.name = ${webhook}`;
      if (row === undefined) {
        await sql`delete from notices where workspace_id = ${workspace} and webhook = ${webhook} and approval = ${approval}`;
        return [];
      }
      const { sealed, second_person, asked_at, ...rest } = row;
      const target = this.#open(sealed, workspace, webhook);
      const told = { workspace, webhook, approval, attempts, needsSecondPerson: second_person, askedAt: asked_at };
      return [{ ...rest, ...told, target }];
    });
  }

  /** Notes that a message was delivered. */
  async settle({ workspace, webhook, approval }: Notice): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      await sql`delete from notices where workspace_id = ${workspace} and webhook = ${webhook} and approval = ${approval}`;
      await sql`update webhooks set sent_at = now(), failure = null where workspace_id = ${workspace} and name = ${webhook}`;
    });
  }

  /** Notes why a message was not delivered. It is due again after `seconds`. */
  async postpone({ workspace, webhook, approval }: Notice, seconds: number, failure: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      await sql`update notices set next_at = clock_timestamp() + make_interval(secs => ${seconds})
        where workspace_id = ${workspace} and webhook = ${webhook} and approval = ${approval}`;
      await sql`update webhooks set failure = ${failure} where workspace_id = ${workspace} and name = ${webhook}`;
    });
  }

  #open(sealed: string, workspace: string, name: string): WebhookTarget {
    return JSON.parse(this.#vault.open(sealed, bindingOf(workspace, name))) as WebhookTarget;
  }
}

function bindingOf(workspace: string, name: string): readonly string[] {
  return ['webhook', workspace, name];
}
