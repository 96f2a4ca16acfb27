import { readdirSync, renameSync, rmSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalScope, CallApproval, Excerpt } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { type Answer, type Approver, callDigest, type Question } from '@sallyport/mcp-proxy';
import { idOfCall } from '../log/entry.ts';
import { fileName, readJsonFile, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';
import { Seal } from './seal.ts';

/** A held call that waits for an answer, or has one. */
export interface PendingApproval {
  readonly id: string;
  readonly question: Question;
  readonly askedAt: number;
  /** When the question expires. Until then an answer also applies to the same call made again. */
  readonly until: number;
  /** Set if a host asks its user in its own dialog, so that no answer is needed here. @default false */
  readonly isAskedByHost?: boolean;
  readonly answer?: 'approved' | 'denied';
  /** The calls that an approval covers. @default 'once' */
  readonly scope?: ApprovalScope;
  /** When the approval expires, in milliseconds since 1970. @default by its scope */
  readonly approvedUntil?: number;
}

/** The calls that an approval covers, and its end. */
type Extent = { readonly scope?: ApprovalScope | undefined; readonly until?: number | undefined };

const LIFETIME_MS = 10 * 60 * 1000;
const POLL_MS = 200;
const BY = 'the user, by sallyport approve';

/** The same call has the same id, so that a late answer applies when the call is made again. */
export function idOf(question: Question): string {
  return idOfCall(callDigest(question));
}

/** Ids are short enough to type, so an attacker can construct two calls with the same id: the calls are compared too. */
function isSame(one: Question, other: Question): boolean {
  const { server, conversation, tool, arguments: values, digest } = other;
  const isShownAlike = one.server === server && one.conversation === conversation && one.tool === tool;
  // The shown arguments may be equal although the secrets differ.
  return isShownAlike && one.arguments === values && one.digest === digest;
}

type Loose<T> = { readonly [Name in keyof T]?: unknown };

function isQuestion(value: unknown): value is Question {
  const question = (value ?? {}) as Loose<Question>;
  const { server, conversation, tool, arguments: values, digest = '', rule, reason, evidence, scopes } = question;
  if (![server, conversation, tool, values, digest, rule, reason].every((each) => typeof each === 'string'))
    return false;
  const isEvidence = (each: unknown): boolean => {
    const { path, source = '', excerpt } = (each ?? {}) as Loose<Question['evidence'][number]>;
    const { before, match, after } = (excerpt ?? {}) as Loose<Excerpt>;
    return [path, source, before, match, after].every((text) => typeof text === 'string');
  };
  const isText = (each: unknown): boolean => typeof each === 'string';
  return Array.isArray(evidence) && evidence.every(isEvidence) && Array.isArray(scopes) && scopes.every(isText);
}

function isPending(value: unknown): value is PendingApproval {
  const {
    question,
    askedAt,
    until,
    answer,
    scope = 'once',
    approvedUntil = 0,
    isAskedByHost = false,
  } = (value ?? {}) as Loose<PendingApproval>;
  const isAnswer = answer === undefined || answer === 'approved' || answer === 'denied';
  const isTimed = [askedAt, until, approvedUntil].every((each) => typeof each === 'number');
  return (
    isQuestion(question) &&
    isTimed &&
    isAnswer &&
    typeof isAskedByHost === 'boolean' &&
    question.scopes.some((each) => each === scope)
  );
}

function answerOf({ answer, scope, approvedUntil: until }: PendingApproval): Answer {
  return answer === 'approved' ? { by: BY, ...(scope && { scope }), ...(until && { until }) } : 'declined';
}

/** A file that is not JSON is neither a question nor an answer. */
function readLoosely(path: string): unknown {
  try {
    return readJsonFile(path);
  } catch (cause) {
    if (cause instanceof CommandError) return undefined;
    throw cause;
  }
}

/** Uses up an answer. False if another process was faster: an answer applies once. */
function takeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}

/** The end of the name of a file that sallyport did not write. */
const IGNORED = '.ignored';

function putAside(path: string): void {
  try {
    renameSync(path, `${path}${IGNORED}`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
}

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ending));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

/** How long after its last sign a call counts as waiting: its process may be busy. */
const SIGN_MS = 3000;

/** The sign that a call waits is the time of its file. The text of the file is left alone: another process may be answering. */
function sign(path: string, time: Date): void {
  try {
    utimesSync(path, time, time);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
}

function isWaiting(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - SIGN_MS;
}

/** Held calls as files: `wrap` writes a question, `approve` in another terminal an answer. */
export class ApprovalFiles {
  readonly #folder: string;
  readonly #overrides: string;
  readonly #answers: Seal;
  readonly #overridden: Seal;
  readonly #clock: () => number;

  constructor(stateFolder: string, clock: () => number = Date.now) {
    this.#answers = new Seal(stateFolder, 'answer');
    this.#overridden = new Seal(stateFolder, 'override');
    this.#folder = join(stateFolder, 'approvals');
    this.#overrides = join(stateFolder, 'overrides');
    this.#clock = clock;
  }

  #path(id: string): string {
    return join(this.#folder, fileName(id));
  }

  /** Reads a file. One that sallyport did not write is put aside, for `sallyport doctor` to report. */
  #open(path: string, seal: Seal): unknown {
    const value = readLoosely(path);
    const entry = seal.open(value);
    if (value !== undefined && entry === undefined) putAside(path);
    return entry;
  }

  /** The number of files that sallyport did not write. */
  get ignored(): number {
    return [this.#folder, this.#overrides].flatMap((folder) => namesIn(folder, IGNORED)).length;
  }

  #read(id: string): PendingApproval | undefined {
    const value = this.#open(this.#path(id), this.#answers);
    const isOwn = isPending(value) && value.id === id && idOf(value.question) === id;
    return isOwn && value.until > this.#clock() ? value : undefined;
  }

  /** All questions without an answer, the newest last. Removes expired ones. */
  #unanswered(): readonly PendingApproval[] {
    const found = namesIn(this.#folder, '.json').flatMap((name) => {
      const approval = this.#read(name.slice(0, -'.json'.length));
      if (approval === undefined) rmSync(join(this.#folder, name), { force: true });
      return approval?.answer === undefined ? (approval ?? []) : [];
    });
    return found.toSorted((one, other) => one.askedAt - other.askedAt);
  }

  /** The questions to answer here: first those whose calls still wait, each group with the newest last. */
  pending(): readonly PendingApproval[] {
    const found = this.#unanswered().filter(({ isAskedByHost }) => isAskedByHost !== true);
    const waits = new Set(found.filter((each) => this.isWaiting(each)));
    return found.toSorted((one, other) => Number(waits.has(other)) - Number(waits.has(one)));
  }

  /** The questions that a host asks in its own dialog, the newest last. */
  askedByHosts(): readonly PendingApproval[] {
    return this.#unanswered().filter(({ isAskedByHost }) => isAskedByHost === true);
  }

  /** Checks that the call of a question still waits. If not, an answer applies when it is made again. */
  isWaiting({ id }: PendingApproval): boolean {
    return isWaiting(this.#path(id));
  }

  /** The question with this id that waits for an answer. */
  waiting(id: string): PendingApproval | undefined {
    const approval = this.#read(id);
    return approval?.answer === undefined ? approval : undefined;
  }

  /** The answer to the question with this id, which the call has not used up yet. */
  givenAnswer(id: string): PendingApproval['answer'] {
    return this.#read(id)?.answer;
  }

  /** Records an answer. False if no question with this id waits for one. */
  answer(id: string, answer: 'approved' | 'denied', { scope = 'once', until }: Extent = {}): boolean {
    const approval = this.waiting(id);
    if (approval === undefined) return false;
    const extent = scope === 'once' ? {} : { scope, ...(until && { approvedUntil: until }) };
    writeJsonFile(this.#path(id), this.#answers.put({ ...approval, answer, ...extent }));
    return true;
  }

  /** Lets a denied call pass when it is made again. `call` is its digest. */
  override(call: string): void {
    const path = join(this.#overrides, fileName(idOfCall(call)));
    writeJsonFile(path, this.#overridden.put({ call, until: this.#clock() + LIFETIME_MS }));
  }

  /** The person's approval of a denied call, once. */
  takeOverride(question: Question): CallApproval | undefined {
    const path = join(this.#overrides, fileName(idOf(question)));
    const { call, until } = fieldsOf(this.#open(path, this.#overridden));
    const isValid = call === callDigest(question) && typeof until === 'number' && until > this.#clock();
    return isValid && takeFile(path) ? { by: BY, acknowledge: true } : undefined;
  }

  /** The stored question; written again if it has expired or its answer was used up. Undefined if the id is another call's. */
  #ask(id: string, question: Question, isAskedByHost = false): PendingApproval | undefined {
    const found = this.#read(id);
    if (found !== undefined && !isSame(found.question, question)) return undefined;
    if (found !== undefined && (found.answer !== undefined || (found.isAskedByHost ?? false) === isAskedByHost))
      return found;
    const now = this.#clock();
    const byHost = isAskedByHost ? { isAskedByHost } : {};
    const pending: PendingApproval = { id, question, askedAt: now, until: now + LIFETIME_MS, ...byHost };
    writeJsonFile(this.#path(id), this.#answers.put(pending));
    return pending;
  }

  /** Writes the question, for a call that does not wait. Uses up its answer if there is one. */
  askNow(question: Question, isAskedByHost = false): Answer {
    const id = idOf(question);
    const asked = this.#ask(id, question, isAskedByHost);
    if (asked?.answer !== undefined && takeFile(this.#path(id))) return answerOf(asked);
    if (asked !== undefined) sign(this.#path(id), new Date(0));
    return undefined;
  }

  /** Removes a question that was answered elsewhere. */
  withdraw(question: Question): void {
    if (this.waiting(idOf(question)) !== undefined) takeFile(this.#path(idOf(question)));
  }

  /** Writes the question and waits for its answer. The question stays until it expires, even if the call no longer waits. */
  approver(onAsked: (id: string, question: Question) => void): Approver {
    return async (question, signal): Promise<Answer> => {
      const id = idOf(question);
      for (let isReported = false; !signal.aborted; await pause(POLL_MS, undefined, { ref: false })) {
        const asked = this.#ask(id, question);
        if (asked?.answer !== undefined && takeFile(this.#path(id))) return answerOf(asked);
        if (asked === undefined) continue;
        sign(this.#path(id), new Date());
        if (isReported) continue;
        onAsked(id, question);
        isReported = true;
      }
      sign(this.#path(id), new Date(0));
      return undefined;
    };
  }
}
