import type { ErrorText } from '../thread/messages.ts';
import { errorOf } from '../thread/messages.ts';
import type { AskMain } from '../thread/services.ts';

/** The main thread's answer to a question. */
export interface MainAnswer {
  readonly type: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly error?: ErrorText;
}

/** A question to the main thread. */
export interface MainQuestion {
  readonly type: 'ask';
  readonly id: number;
  readonly service: string;
  readonly given: readonly unknown[];
}

/** Questions of a worker that the main thread has not answered yet. */
export class Asking {
  readonly #post: (question: MainQuestion) => void;
  readonly #asked = new Map<number, { resolve: (value: unknown) => void; reject: (cause: Error) => void }>();
  #count = 0;

  constructor(post: (question: MainQuestion) => void) {
    this.#post = post;
  }

  readonly ask: AskMain = (service, given) => {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#post({ type: 'ask', id, service, given });
    });
  };

  answer({ id, value, error }: MainAnswer): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(errorOf(error));
  }
}
