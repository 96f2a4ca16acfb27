import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Answer, ApprovalKeys, Approver, Question } from '@sallyport/mcp-proxy';
import type { Bus } from '../cache/bus.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';
import { type GrantInput, grantOf, type LastingScope } from './lasting/grant.ts';
import { addLasting } from './lasting/lasting-approvals.ts';
import { type PersonsRow, personsOf, whyRefused } from './lasting/second-person.ts';

/** The principal whose call is held. */
export interface Asker {
  readonly workspace: string;
  readonly principal: string;
  /** Names the policy, pins and location that the call was checked with. An answer applies only to the same revision. @default '' */
  readonly revision?: string;
  /** The terms that a lasting approval of the call is bound to. @default none: it can only be approved once */
  readonly terms?: string | undefined;
}

/** A held call that waits for an answer. */
export interface PendingApproval {
  readonly id: string;
  readonly question: Question;
  readonly principal: string;
  readonly askedAt: Date;
  /** Until then an answer is accepted. It also applies if the same call is made again. */
  readonly until: Date;
  /** Why the person who asks for the list may not answer it. Absent if they may. */
  readonly refused?: string;
}

export type ApprovalAnswer = 'approved' | 'denied';

/** A held call with the answer of a person. */
export interface AnsweredApproval extends PendingApproval {
  readonly answer: ApprovalAnswer;
  /** The principal who answered. */
  readonly answeredBy: string;
  readonly answeredAt: Date;
  /** The person's own words. */
  readonly note?: string;
  /** The scope of a lasting approval, and its end. Absent if the answer applied once. */
  readonly scope?: LastingScope;
  readonly lastsUntil?: Date;
}

export interface AnswerOptions extends GrantInput {
  /** The only principal whose calls the person may answer. @default null: all */
  readonly of?: string | null;
  /** Why, in their own words. @default null: none */
  readonly note?: string | null;
  /** The person of the key that it is given with. @default not known */
  readonly person?: string | undefined;
  /** Added to the name of the person in the record. @default '' */
  readonly via?: string;
}

interface AskedRow {
  readonly id: string;
  readonly answer: ApprovalAnswer | null;
  readonly answered_by: string | null;
  readonly is_new: boolean;
}

interface PendingRow {
  readonly id: string;
  readonly question: string;
  readonly principal: string;
  readonly asked_at: Date;
  readonly until: Date;
}

interface WaitingRow extends PendingRow, PersonsRow {}

interface AnsweredRow extends PendingRow {
  readonly answer: ApprovalAnswer;
  readonly answered_by: string;
  readonly answered_at: Date;
  readonly note: string | null;
  readonly scope: LastingScope | null;
  readonly lasts_until: Date | null;
}

interface QuestionRow extends PersonsRow {
  readonly digest: string;
  readonly question: string;
  readonly principal: string;
  readonly keys: string | null;
  readonly terms: string | null;
}

const TERM_SECONDS = 10 * 60;
const MAX_LISTED = 1000;
/** Maximum number of pending approvals of one principal. Further calls are refused at once. */
const MAX_WAITING = 50;
/** Prefix of the id of an approval form. */
const FORM = 'sallyport-';

/** The call that an answer is bound to. Arguments are compared as text, because JavaScript rounds different numbers to one. */
function digestOf(
  { principal, revision = '' }: Asker,
  { server, tool, arguments: given, conversation }: Question,
): string {
  return digestText(canonicalJson([server, tool, given, principal, conversation, revision]));
}

function pendingOf({ id, question, principal, asked_at: askedAt, until }: PendingRow): PendingApproval {
  return { id, question: parseJson(question) as Question, principal, askedAt, until };
}

function answerOf({ answer, answered_by: by }: AskedRow): Answer {
  return answer === 'approved' && by !== null ? { by } : 'declined';
}

/** Waits for the next notice without missing one that arrives before the wait begins. */
class Wakeup {
  #ring: () => void = () => undefined;
  #rung: Promise<void> = this.#arm();

  #arm(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve;
    });
  }

  ring(): void {
    this.#ring();
  }

  /** Forgets earlier notices. */
  reset(): void {
    this.#rung = this.#arm();
  }

  next(): Promise<void> {
    return this.#rung;
  }
}

/** The held calls of all workspaces, and the answers to them. */
export class Approvals {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #termSeconds: number;

  constructor(database: Database, bus: Bus, termSeconds: number = TERM_SECONDS) {
    this.#database = database;
    this.#bus = bus;
    this.#termSeconds = termSeconds;
  }

  /** Consumes the answer if there is one; otherwise stores the question if it is new. Its keys are not shown to anyone. */
  async #ask(asker: Asker, { keys, ...question }: Question): Promise<AskedRow> {
    const { workspace, principal, terms } = asker;
    const lasting = keys === undefined || terms === undefined ? { keys: null, terms: null } : { keys, terms };
    const [row] = await runQuery(
      () => this.#database.system<
        AskedRow[]
      >`select id, answer, answered_by, is_new from sallyport.ask_approval(${workspace}::uuid,
        ${digestOf(asker, question)}, ${JSON.stringify(question)}, ${principal}, ${JSON.stringify(question.conversation)},
        ${question.secondPerson === true}, ${lasting.keys && JSON.stringify(lasting.keys)}::text::jsonb, ${lasting.terms},
        ${this.#termSeconds}, ${MAX_WAITING})`,
    );
    if (row?.is_new === true) await this.#bus.publish('approval', workspace, row.id);
    return row as AskedRow;
  }

  /** Stores the question and waits for an answer. The question stays until its term ends, even if the caller disconnects. */
  approver(asker: Asker, onAsked: (id: string, question: Question) => void = () => undefined): Approver {
    return async (question, signal, show): Promise<Answer> => {
      const wakeup = new Wakeup();
      const ring = (): void => wakeup.ring();
      let told = '';
      const stop = this.#bus.subscribe('approval', (notice) => {
        // The id is unknown until the question is stored.
        if (notice === undefined || told === '' || notice.id === told) ring();
      });
      signal.addEventListener('abort', ring);
      try {
        for (; !signal.aborted; await wakeup.next()) {
          wakeup.reset();
          const asked = await this.#ask(asker, question);
          if (asked.answer !== null) return answerOf(asked);
          if (told === asked.id) continue;
          told = asked.id;
          onAsked(told, question);
          show?.(`${FORM}${told}`);
        }
        return undefined;
      } finally {
        stop();
        signal.removeEventListener('abort', ring);
      }
    };
  }

  /**
   * Stores a person's answer. It applies once, to this call, until the term ends; an approval with a `scope` also to
   * later calls. A call that needs a second person is answered only by another person who may answer for all.
   */
  async answer(
    workspace: string,
    id: string,
    answer: ApprovalAnswer,
    by: string,
    { of = null, note = null, person, via = '', scope, until }: AnswerOptions = {},
  ): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<QuestionRow[]>`
        select digest, question, principal, keys::text, terms, ${personsOf(sql, by)} from approvals
          where workspace_id = ${workspace} and id::text = ${id} and answer is null and until > clock_timestamp()
            and principal = coalesce(${of}, principal) for update`;
      if (row === undefined)
        throw new StoreError(
          'missing',
          'There is no pending approval of that id: it was answered already, or has expired.',
        );
      const refused = whyRefused(row, of);
      if (refused !== undefined) throw new StoreError('forbidden', refused);
      const { digest, principal, terms } = row;
      const question = parseJson(row.question) as Question;
      const keys = row.keys === null ? null : (parseJson(row.keys) as ApprovalKeys);
      const granted = grantOf({ scope, until }, answer, { question, keys, terms }, Date.now());
      const { scope: lasting = null, until: end = null } = granted ?? {};
      await sql`update approvals set answer = ${answer}, answered_by = ${`${by}${via}`}, answered_at = clock_timestamp(), note = ${note},
          scope = ${lasting}, lasts_until = ${end}, until = least(until, ${end})
        where workspace_id = ${workspace} and id::text = ${id}`;
      if (granted !== undefined)
        await addLasting(sql, { ...granted, workspace, principal, id, by: `${by}${via}`, digest, question });
      await recordAudit(this.#database, sql, workspace, {
        type: 'approval',
        what: answer,
        id,
        digest,
        by: `${by}${via}`,
        ...{ principal, server: question.server, tool: question.tool },
        ...(person === undefined ? {} : { person }),
        ...(note === null ? {} : { note }),
        ...(granted === undefined ? {} : { scope: granted.scope, until: granted.until.toISOString() }),
      });
    });
    await this.#bus.publish('approval', workspace, id);
  }

  /** The same for an answer in the client's form: it applies only to calls of the same principal. */
  answerOwn(
    { workspace, principal, person }: Asker & Pick<AnswerOptions, 'person'>,
    id: string,
    answer: ApprovalAnswer,
  ): Promise<void> {
    return this.answer(workspace, id, answer, principal, { of: principal, person, via: ', asked by the client' });
  }

  /** The pending approvals of a principal, oldest first; with `by`, also why that person may not answer. @default of all principals */
  async pending(workspace: string, of?: string, by?: string): Promise<readonly PendingApproval[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<WaitingRow[]>`
        select id, question, principal, asked_at, until, ${personsOf(sql, by ?? null)} from approvals
          where workspace_id = ${workspace} and answer is null and until > clock_timestamp()
            and principal = coalesce(${of ?? null}, principal)
          order by asked_at, id limit ${MAX_LISTED}`,
    );
    return rows.map((row) => {
      const refused = by === undefined ? undefined : whyRefused(row, of ?? null);
      return { ...pendingOf(row), ...(refused === undefined ? {} : { refused }) };
    });
  }

  /** The answered approvals of a principal, the last answer first. @default of all principals */
  async answered(workspace: string, of?: string): Promise<readonly AnsweredApproval[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<AnsweredRow[]>`
        select id, question, principal, asked_at, until, answer, answered_by, answered_at, note, scope, lasts_until from approvals
          where workspace_id = ${workspace} and answer is not null and principal = coalesce(${of ?? null}, principal)
          order by answered_at desc, id limit ${MAX_LISTED}`,
    );
    return rows.map((row) => ({
      ...pendingOf(row),
      answer: row.answer,
      answeredBy: row.answered_by,
      answeredAt: row.answered_at,
      ...(row.note === null ? {} : { note: row.note }),
      ...(row.scope === null ? {} : { scope: row.scope }),
      ...(row.lasts_until === null ? {} : { lastsUntil: row.lasts_until }),
    }));
  }
}
