import { readdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { digestText } from '@sallyport/core/adapter';
import type { Answer, Approver, Question } from '@sallyport/mcp-proxy';
import { fileName, readJsonFile, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';

/** A held call that waits for an answer, or has one. */
export interface PendingApproval {
  readonly id: string;
  readonly question: Question;
  readonly askedAt: number;
  /** Until then an answer counts, also for the same call made again. */
  readonly until: number;
  readonly answer?: 'approved' | 'denied';
}

const TERM = 10 * 60 * 1000;
const LOOK = 200;
const ANSWERS = { approved: { by: 'the user, by sallyport approve' }, denied: 'declined' } as const;

/** The same call has the same id, so that an answer that came late counts when it is made again. */
function idOf({ server, conversation, tool, arguments: given }: Question): string {
  return digestText(JSON.stringify([server, conversation, tool, given])).slice(0, 12);
}

/** An id is short, for people: two calls that somebody made to share one are told apart by this. */
function isSame(one: Question, other: Question): boolean {
  const { server, conversation, tool, arguments: given } = other;
  return one.server === server && one.conversation === conversation && one.tool === tool && one.arguments === given;
}

type Loose<T> = { readonly [Name in keyof T]?: unknown };

function isQuestion(value: unknown): value is Question {
  const question = (value ?? {}) as Loose<Question>;
  const { server, conversation, tool, arguments: given, rule, reason, evidence } = question;
  if (![server, conversation, tool, given, rule, reason].every((each) => typeof each === 'string')) return false;
  const isFound = (each: unknown): boolean => {
    const { path, excerpt } = (each ?? {}) as Loose<Question['evidence'][number]>;
    return typeof path === 'string' && typeof excerpt === 'string';
  };
  return Array.isArray(evidence) && evidence.every(isFound);
}

function isPending(value: unknown): value is PendingApproval {
  const { question, askedAt, until, answer } = (value ?? {}) as Loose<PendingApproval>;
  const isAnswer = answer === undefined || answer === 'approved' || answer === 'denied';
  return isQuestion(question) && typeof askedAt === 'number' && typeof until === 'number' && isAnswer;
}

/** What is no JSON asks nothing, and answers nothing. */
function readLoosely(path: string): unknown {
  try {
    return readJsonFile(path);
  } catch (cause) {
    if (cause instanceof CommandError) return undefined;
    throw cause;
  }
}

/** Held calls as files: `wrap` writes a question, `approve` in another terminal an answer. */
export class ApprovalFiles {
  readonly #folder: string;
  readonly #clock: () => number;

  constructor(stateFolder: string, clock: () => number = Date.now) {
    this.#folder = join(stateFolder, 'approvals');
    this.#clock = clock;
  }

  #path(id: string): string {
    return join(this.#folder, fileName(id));
  }

  #read(id: string): PendingApproval | undefined {
    const value = readLoosely(this.#path(id));
    const isOwn = isPending(value) && value.id === id && idOf(value.question) === id;
    return isOwn && value.until > this.#clock() ? value : undefined;
  }

  /** What waits now, the oldest first. What nobody answered in time is removed. */
  pending(): readonly PendingApproval[] {
    let names: readonly string[] = [];
    try {
      names = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    }
    const found = names.flatMap((name) => {
      const approval = this.#read(name.slice(0, -'.json'.length));
      if (approval === undefined) rmSync(join(this.#folder, name), { force: true });
      return approval?.answer === undefined ? (approval ?? []) : [];
    });
    return found.toSorted((one, other) => one.askedAt - other.askedAt);
  }

  /** False where nothing of that id waits. */
  answer(id: string, answer: 'approved' | 'denied'): boolean {
    const approval = this.#read(id);
    if (approval === undefined || approval.answer !== undefined) return false;
    writeJsonFile(this.#path(id), { ...approval, answer });
    return true;
  }

  /** An answer is used up by the first who takes it: false for whoever comes second. */
  #take(id: string): boolean {
    try {
      unlinkSync(this.#path(id));
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw cause;
    }
  }

  /** The question as it stands, asked anew where its term has ended or somebody else has taken the answer. */
  #asked(id: string, question: Question): PendingApproval | undefined {
    const found = this.#read(id);
    if (found !== undefined) return isSame(found.question, question) ? found : undefined;
    const now = this.#clock();
    const pending: PendingApproval = { id, question, askedAt: now, until: now + TERM };
    writeJsonFile(this.#path(id), pending);
    return pending;
  }

  /** Writes the question and waits for its answer. The question stays until its term ends, also when nobody waits any more. */
  approver(onAsked: (id: string, question: Question) => void): Approver {
    return async (question, signal): Promise<Answer> => {
      const id = idOf(question);
      for (let isTold = false; !signal.aborted; await pause(LOOK, undefined, { ref: false })) {
        const asked = this.#asked(id, question);
        if (asked?.answer !== undefined && this.#take(id)) return ANSWERS[asked.answer];
        if (asked === undefined || isTold) continue;
        onAsked(id, question);
        isTold = true;
      }
      return undefined;
    };
  }
}
