import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Answer, Approver, Question } from '@sallyport/mcp-proxy';
import type { Bus } from '../cache/bus.ts';
import { note } from './audit/audit.ts';
import { ask, type Database } from './database.ts';
import { StoreError } from './errors.ts';

/** Whose call is held. */
export interface Asker {
  readonly workspace: string;
  readonly principal: string;
  /** Names what the call is judged by: an answer counts as long as that is the same. @default '' */
  readonly revision?: string;
}

/** A held call that waits for an answer. */
export interface PendingApproval {
  readonly id: string;
  readonly question: Question;
  readonly principal: string;
  readonly askedAt: Date;
  /** Until then an answer counts, also for the same call made again. */
  readonly until: Date;
}

interface Asked {
  readonly id: string;
  readonly answer: 'approved' | 'denied' | null;
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

const TERM_SECONDS = 10 * 60;
const MAX_LISTED = 1000;
/** Of one principal. What is held beyond that is refused at once: people could not answer it all. */
const MAX_WAITING = 50;
/** Before an approval's id, in the id of the form that asks for it. */
const FORM = 'sallyport-';

/** What an answer is bound to. The arguments are compared as text: two numbers that JavaScript takes for one stay two. */
function digestOf(
  { principal, revision = '' }: Asker,
  { server, tool, arguments: given, conversation }: Question,
): string {
  return digestText(canonicalJson([server, tool, given, principal, conversation, revision]));
}

function answerOf({ answer, answered_by: by }: Asked): Answer {
  return answer === 'approved' && by !== null ? { by } : 'declined';
}

/** Lets somebody wait for the next notice without missing one that comes before he waits. */
class Bell {
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

  /** From now on. */
  reset(): void {
    this.#rung = this.#arm();
  }

  heard(): Promise<void> {
    return this.#rung;
  }
}

/** Held calls of all workspaces, and what people have said to them. */
export class Approvals {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #termSeconds: number;

  constructor(database: Database, bus: Bus, termSeconds: number = TERM_SECONDS) {
    this.#database = database;
    this.#bus = bus;
    this.#termSeconds = termSeconds;
  }

  /** Takes the answer where there is one, which uses it up; asks where nobody has asked. */
  async #ask(asker: Asker, question: Question): Promise<Asked> {
    const { workspace, principal } = asker;
    const [row] = await ask(
      () => this.#database.system<Asked[]>`select id, answer, answered_by, is_new from ask_approval(${workspace}::uuid,
        ${digestOf(asker, question)}, ${JSON.stringify(question)}, ${principal}, ${JSON.stringify(question.conversation)}, ${this.#termSeconds}, ${MAX_WAITING})`,
    );
    if (row?.is_new === true) await this.#bus.tell('approval', workspace, row.id);
    return row as Asked;
  }

  /** Asks people, and waits for one of them. A question stays until its term ends, also when nobody waits any more. */
  approver(asker: Asker, onAsked: (id: string, question: Question) => void = () => undefined): Approver {
    return async (question, signal, show): Promise<Answer> => {
      const bell = new Bell();
      const ring = (): void => bell.ring();
      let told = '';
      const stop = this.#bus.on('approval', (notice) => {
        // Which one is waited for, nobody knows before it is asked.
        if (notice === undefined || told === '' || notice.id === told) ring();
      });
      signal.addEventListener('abort', ring);
      try {
        for (; !signal.aborted; await bell.heard()) {
          bell.reset();
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

  /** A person's answer. It counts once, for the call that was asked about, as long as its term lasts. */
  answer(workspace: string, id: string, answer: 'approved' | 'denied', by: string): Promise<void> {
    return this.#answer(workspace, id, answer, by, null);
  }

  /** The same, said in a form of the client whose call is held: it counts for his own calls alone. */
  answerOwn({ workspace, principal }: Asker, id: string, answer: 'approved' | 'denied'): Promise<void> {
    return this.#answer(workspace, id, answer, `${principal}, asked by the client`, principal);
  }

  async #answer(
    workspace: string,
    id: string,
    answer: 'approved' | 'denied',
    by: string,
    principal: string | null,
  ): Promise<void> {
    await this.#database.within(workspace, async (sql) => {
      const [row] = await sql<{ digest: string }[]>`
        update approvals set answer = ${answer}, answered_by = ${by}, answered_at = clock_timestamp()
          where workspace_id = ${workspace} and id::text = ${id} and answer is null and until > clock_timestamp()
            and principal = coalesce(${principal}, principal)
          returning digest`;
      if (row === undefined)
        throw new StoreError('missing', 'Nothing of that id waits: it was answered, or its time is over.');
      await note(sql, workspace, { type: 'approval', what: answer, id, digest: row.digest, by });
    });
    await this.#bus.tell('approval', workspace, id);
  }

  /** What waits now, the oldest first. */
  async pending(workspace: string): Promise<readonly PendingApproval[]> {
    const rows = await this.#database.within(
      workspace,
      (sql) => sql<PendingRow[]>`select id, question, principal, asked_at, until from approvals
        where workspace_id = ${workspace} and answer is null and until > clock_timestamp()
        order by asked_at, id limit ${MAX_LISTED}`,
    );
    return rows.map(({ id, question, principal, asked_at: askedAt, until }) => ({
      id,
      question: JSON.parse(question) as Question,
      principal,
      askedAt,
      until,
    }));
  }
}
