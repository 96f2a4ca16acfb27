import type { Timer } from '../base/timer.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { Report } from '../event.ts';
import type { Framed } from '../frame/frame.ts';
import { wordsOfUser } from '../provenance/ledger-entry.ts';
import type { Transcript } from '../provenance/transcript.ts';
import { type Authorize, outlineOf } from '../task/authorize.ts';
import { saidIn } from '../task/own-words.ts';
import { askInTime } from './ask-in-time.ts';

export interface AuthorizationSettings {
  readonly tools: ToolRegistry;
  readonly onEvent: Report;
  readonly authorize: Authorize | undefined;
  /** Milliseconds for one message. */
  readonly authorizeTimeout: number;
  readonly timer: Timer;
}

/** Asks `authorize` about each message of the user, once, before the message is shown to a model. */
export class Authorizations {
  readonly #settings: AuthorizationSettings;
  readonly #transcript: Transcript;
  #authorize: Authorize | undefined;
  // The digests of messages that were asked about.
  readonly #known = new Set<string>();

  constructor(settings: AuthorizationSettings, transcript: Transcript) {
    this.#settings = settings;
    this.#transcript = transcript;
    this.#authorize = settings.authorize;
  }

  /** Asks this function from now on. */
  use(authorize: Authorize): void {
    this.#authorize = authorize;
  }

  async prepare(rendered: readonly Framed[]): Promise<void> {
    const authorize = this.#authorize;
    if (authorize === undefined || this.#transcript.task.isGiven) return;
    await Promise.all(rendered.map((framed) => this.#ask(authorize, framed)));
  }

  async #ask(authorize: Authorize, framed: Framed): Promise<void> {
    const { id, digest } = framed.quoted.classified.limited.recorded;
    const said = saidIn(wordsOfUser(framed));
    if (said === '' || this.#known.has(digest)) return;
    this.#known.add(digest);
    const { tools, timer, authorizeTimeout: timeout, onEvent } = this.#settings;
    const outlines = Array.from(tools.values?.() ?? [], outlineOf);
    await askInTime({
      ask: (signal) => authorize(said, outlines, { signal }),
      read: (answer) => this.#transcript.authorize(digest, answer),
      timer,
      timeout,
      onFailed: (cause) => onEvent({ type: 'authorize-failed', recordId: id, cause }),
    });
  }
}
