import { type Id, keyOfId } from '../message/message.ts';
import type { Settings } from '../settings.ts';
import { type Answer, type Approver, answerIn, formOf, type Question } from '../state/question.ts';

type Settle = (answer: unknown) => void;

const MAX_WITHDRAWN = 1000;

/** What comes in place of an answer when the time is over. */
const LATE = Symbol('late');
type Late = typeof LATE;

function deferred(): { readonly promise: Promise<Late>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<Late>((settle) => {
    resolve = () => settle(LATE);
  });
  return { promise, resolve };
}

function requestText(id: string, question: Question): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: formOf(question) });
}

function withdrawalOf(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
}

/** Questions to the person before the client, by requests of our own, and to whoever can be asked beside it. */
export class Asking {
  readonly #settings: Settings;
  readonly #open = new Map<string, Settle>();
  readonly #withdrawn = new Set<string>();
  // Everybody who waits, to be told that nobody will answer.
  readonly #waiting = new Set<() => void>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Takes the answer to a request of ours; false where it answers a request of the server. */
  settle(id: Id, result: unknown): boolean {
    const key = keyOfId(id);
    const settle = this.#open.get(key);
    this.#open.delete(key);
    settle?.(result);
    // An answer that comes too late is still none for the server.
    return settle !== undefined || this.#withdrawn.delete(key);
  }

  /** Asks, as long as there is time. */
  async ask(question: Question, toClient: ((text: string) => void) | undefined): Promise<Answer> {
    const { approver, askTimeout, approvesForms } = this.#settings;
    const waiting = new AbortController();
    const [late, stop] = this.#timeout(askTimeout);
    try {
      if (approvesForms && approver !== undefined) {
        const answer = await Promise.race([this.#approve(approver, question, toClient, waiting.signal), late]);
        return answer === LATE ? undefined : answer;
      }
      const form = toClient === undefined ? undefined : await this.#elicit(question, toClient, late);
      if (form !== undefined) return form === LATE ? undefined : answerIn(form);
      if (approver === undefined) return undefined;
      const answer = await Promise.race([approver(question, waiting.signal), late]);
      return answer === LATE ? undefined : answer;
    } finally {
      waiting.abort();
      stop();
    }
  }

  /** Asks somebody who also takes what the client answers to a form, and says under which id it is shown. */
  async #approve(
    approver: Approver,
    question: Question,
    toClient: ((text: string) => void) | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (toClient === undefined) return approver(question, signal);
    const show = (id: string): void => {
      toClient(requestText(id, question));
      // Answered here or elsewhere, or not at all: nobody needs the form any more.
      signal.addEventListener('abort', () => toClient(withdrawalOf(id)), { once: true });
    };
    return approver(question, signal, show);
  }

  /** Nobody answers any more. */
  close(): void {
    for (const giveUp of this.#waiting) giveUp();
    this.#open.clear();
  }

  #timeout(milliseconds: number): readonly [Promise<Late>, () => void] {
    const { promise, resolve } = deferred();
    const timer = setTimeout(resolve, milliseconds);
    this.#waiting.add(resolve);
    const stop = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    };
    return [promise, stop];
  }

  /** What the client answers; undefined where it cannot ask after all. A question that nobody answered in time is withdrawn. */
  async #elicit(question: Question, toClient: (text: string) => void, late: Promise<Late>): Promise<unknown> {
    const id = `sallyport-${this.#settings.randomId()}`;
    const answer = new Promise<unknown>((resolve) => this.#open.set(keyOfId(id), resolve));
    toClient(requestText(id, question));
    const form = await Promise.race([answer, late]);
    if (form === LATE && this.#open.delete(keyOfId(id))) {
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
