import { type Id, keyOfId } from '../message/message.ts';
import type { Settings } from '../settings.ts';
import { type Answer, type Approver, answerIn, formOf, type Question } from '../state/question.ts';

type ResolveAnswer = (answer: unknown) => void;

const MAX_WITHDRAWN = 1000;

/** Takes the place of an answer after the timeout. */
const TIMED_OUT = Symbol('timed out');
type TimedOut = typeof TIMED_OUT;

function deferred(): { readonly promise: Promise<TimedOut>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<TimedOut>((settle) => {
    resolve = () => settle(TIMED_OUT);
  });
  return { promise, resolve };
}

function requestText(id: string, question: Question, offersScopes: boolean): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: formOf(question, offersScopes) });
}

function withdrawalOf(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
}

/** Asks the client's user with requests of the proxy, or another person through the approver. */
export class UserQuestions {
  readonly #settings: Settings;
  readonly #open = new Map<string, ResolveAnswer>();
  readonly #withdrawn = new Set<string>();
  // Ends every wait when the connection closes.
  readonly #timeouts = new Set<() => void>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Handles the answer to a question of the proxy. False if it answers a request of the server. */
  settle(id: Id, result: unknown): boolean {
    const key = keyOfId(id);
    const resolveAnswer = this.#open.get(key);
    this.#open.delete(key);
    resolveAnswer?.(result);
    // A late answer to our own question must not reach the server either.
    return resolveAnswer !== undefined || this.#withdrawn.delete(key);
  }

  /** Asks until the timeout. */
  async ask(question: Question, toClient: ((text: string) => void) | undefined): Promise<Answer> {
    const { approver, askTimeout, approvesForms } = this.#settings;
    const waiting = new AbortController();
    const [timeout, stop] = this.#timeout(askTimeout);
    try {
      if (approvesForms && approver !== undefined) {
        const answer = await Promise.race([this.#approve(approver, question, toClient, waiting.signal), timeout]);
        return answer === TIMED_OUT ? undefined : answer;
      }
      const form = toClient === undefined ? undefined : await this.#elicit(question, toClient, timeout);
      if (form !== undefined) return form === TIMED_OUT ? undefined : answerIn(form);
      if (approver === undefined) return undefined;
      const answer = await Promise.race([approver(question, waiting.signal), timeout]);
      return answer === TIMED_OUT ? undefined : answer;
    } finally {
      waiting.abort();
      stop();
    }
  }

  /** Asks an approver that also receives the client's answers to forms, and that chooses the form's id. */
  async #approve(
    approver: Approver,
    question: Question,
    toClient: ((text: string) => void) | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (toClient === undefined) return approver(question, signal);
    const show = (id: string): void => {
      // The approver decides how long an approval lasts.
      toClient(requestText(id, question, false));
      // The question has ended in one way or another, so the form is withdrawn.
      signal.addEventListener('abort', () => toClient(withdrawalOf(id)), { once: true });
    };
    return approver(question, signal, show);
  }

  /** Ends all questions without an answer. */
  close(): void {
    for (const end of this.#timeouts) end();
    this.#open.clear();
  }

  #timeout(milliseconds: number): readonly [Promise<TimedOut>, () => void] {
    const { promise, resolve } = deferred();
    const timer = setTimeout(resolve, milliseconds);
    this.#timeouts.add(resolve);
    const stop = (): void => {
      clearTimeout(timer);
      this.#timeouts.delete(resolve);
    };
    return [promise, stop];
  }

  /**
   * The client's answer, or undefined if the client could not ask. A question that is not answered in time is
   * withdrawn.
   */
  async #elicit(question: Question, toClient: (text: string) => void, timeout: Promise<TimedOut>): Promise<unknown> {
    const id = `sallyport-${this.#settings.randomId()}`;
    const answer = new Promise<unknown>((resolve) => this.#open.set(keyOfId(id), resolve));
    toClient(requestText(id, question, true));
    const form = await Promise.race([answer, timeout]);
    if (form === TIMED_OUT && this.#open.delete(keyOfId(id))) {
      this.#withdraw(keyOfId(id));
      toClient(withdrawalOf(id));
    }
    return form;
  }

  #withdraw(key: string): void {
    this.#withdrawn.add(key);
    const [oldest] = this.#withdrawn;
    if (this.#withdrawn.size > MAX_WITHDRAWN && oldest !== undefined) this.#withdrawn.delete(oldest);
  }
}
