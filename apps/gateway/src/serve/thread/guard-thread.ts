import { Worker } from 'node:worker_threads';
import { withoutOrigin } from '../../request-origin.ts';
import { type ConnectionState, errorOf, errorText, type Order, type Report, type WorkerSettings } from './messages.ts';
import { TURN_BYTES, TurnWatch } from './turns.ts';

/** A thread was ended because it worked on one message for too long, or has failed. What its conversations have read is in the log. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code: 'overrun' | 'neighbour' | 'crashed';

  constructor(code: 'overrun' | 'neighbour' | 'crashed') {
    super(MESSAGES[code]);
    this.code = code;
  }
}

const MESSAGES = {
  overrun:
    'The gateway stopped checking this message because it took too long. This is a limit, and says nothing about the content: send less at once, or begin a new conversation.',
  neighbour: 'The gateway stopped checking this message because of another one. Send it again.',
  crashed: 'The gateway failed while it checked this message. Send it again.',
};

/** How a service can follow up: it may be cancelled, and may show a form. */
interface ServiceContext {
  readonly signal: AbortSignal;
  readonly show: (form: string) => void;
  /** The connection that the question belongs to, if it is for a single one. */
  readonly connection: Connection | undefined;
}

/** Requests that a thread may make to the main thread for a principal, by name. */
export type ServiceTable = Readonly<
  Record<string, (context: ServiceContext, ...given: never[]) => PromiseLike<unknown> | unknown>
>;

/** The main thread's end of a connection. */
export interface Connection {
  /** Runs work in the context of the request, for traces. */
  readonly inContext: <T>(work: () => T) => T;
  readonly isCurrent: () => Promise<boolean>;
  /** The terms of lasting approvals of a tool's calls: as they were when the connection began. */
  readonly terms: (tool: string) => string;
  onSent(id: number, to: 'client' | 'server', text: string, state: ConnectionState): void;
  onState(state: ConnectionState): void;
  onLost(cause: ThreadError): void;
}

export interface ThreadEvents {
  /** The thread has ended: by itself, or because of a principal. */
  onLost(thread: GuardThread, principal: number | undefined): void;
  onUsed(thread: GuardThread, principal: number, milliseconds: number, characters: number): void;
}

export interface ThreadOptions {
  /** The id of a classifier that runs on the main thread. */
  readonly classifier: string | undefined;
  /** Milliseconds that a thread may work without a pause. */
  readonly turnLimit: number;
  /** The niceness of the thread, from 0 to 19: how far it yields when there are too few cores. */
  readonly niceness: number;
  readonly events: ThreadEvents;
}

interface Waiting {
  readonly principal: number;
  readonly length: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

// The build: a thread cannot load the sources that tests run.
const ENTRY = new URL('../../../dist/serve/thread/guard-worker.js', import.meta.url);
const LOOK_EVERY = 100;

let numbers = 0;

/** A number that no other principal, connection or order of the process has. */
export function nextNumber(): number {
  // An Int32 holds a principal's number.
  numbers = numbers === 2 ** 31 - 1 ? 1 : numbers + 1;
  return numbers;
}

/** A thread that checks messages, so that the main thread can always answer. */
export class GuardThread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #watch: TurnWatch;
  readonly #looking: NodeJS.Timeout;
  readonly #waiting = new Map<number, Waiting>();
  readonly #questions = new Map<number, AbortController>();
  readonly #principals = new Map<number, ServiceTable>();
  readonly #dropped = new Set<number>();
  readonly #connections = new Map<number, { readonly principal: number; readonly connection: Connection }>();
  #lost: ThreadError | undefined;
  #bytes = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const turn = new SharedArrayBuffer(TURN_BYTES);
    const workerData: WorkerSettings = { classifier: options.classifier, niceness: options.niceness, turn };
    this.#watch = new TurnWatch(turn);
    this.#worker = new Worker(ENTRY, { workerData, name: 'sallyport-guard', argv: [], execArgv: [], env: {} });
    this.#worker.on('message', (report: Report) => this.#receive(report));
    this.#worker.on('error', () => this.#lose(undefined));
    this.#worker.on('exit', () => this.#lose(undefined));
    this.#worker.unref();
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY);
    this.#looking.unref();
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Characters of the messages that it has not finished checking. */
  get bytes(): number {
    return this.#bytes;
  }

  post(order: Order): void {
    if (this.#lost === undefined) this.#worker.postMessage(order);
  }

  /** Posts an order, and resolves when the thread has carried it out. */
  run(order: Extract<Order, { id: number }>): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const length = order.type === 'message' ? order.text.length : 0;
    this.#bytes += length;
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.id, { principal: order.principal, length, resolve, reject });
      this.#worker.postMessage(order);
    });
  }

  addPrincipal(principal: number, services: ServiceTable): void {
    this.#principals.set(principal, services);
  }

  addConnection(number: number, principal: number, connection: Connection): void {
    if (this.#lost !== undefined) connection.onLost(this.#lost);
    else this.#connections.set(number, { principal, connection });
  }

  removeConnection(number: number): void {
    const principal = this.#connections.get(number)?.principal;
    this.#connections.delete(number);
    if (principal !== undefined && this.#dropped.has(principal)) this.dropPrincipal(principal);
  }

  /** Forgets a principal. Its open connections continue, with the services that they need. */
  dropPrincipal(principal: number): void {
    if (!this.#dropped.has(principal)) this.post({ type: 'drop', principal });
    this.#dropped.add(principal);
    for (const connection of this.#connections.values()) if (connection.principal === principal) return;
    this.#dropped.delete(principal);
    this.#principals.delete(principal);
  }

  async close(): Promise<void> {
    this.#lose(undefined);
    await this.#worker.terminate();
  }

  #look(): void {
    const turn = this.#watch.look(performance.now());
    if (turn !== undefined && turn.milliseconds > this.#options.turnLimit) this.#lose(turn.principal);
  }

  /** Ends the thread, and everything that waits for it. */
  #lose(culprit: number | undefined): void {
    if (this.#lost !== undefined) return;
    this.#lost = new ThreadError(culprit === undefined ? 'crashed' : 'neighbour');
    clearInterval(this.#looking);
    void this.#worker.terminate();
    const causeFor = (principal: number): ThreadError =>
      culprit !== undefined && principal === culprit ? new ThreadError('overrun') : (this.#lost as ThreadError);
    for (const controller of this.#questions.values()) controller.abort();
    for (const { principal, reject } of this.#waiting.values()) reject(causeFor(principal));
    for (const { principal, connection } of this.#connections.values()) connection.onLost(causeFor(principal));
    this.#waiting.clear();
    this.#connections.clear();
    this.#bytes = 0;
    this.#options.events.onLost(this, culprit);
  }

  #receive(report: Report): void {
    if (this.#lost !== undefined) return;
    switch (report.type) {
      case 'sent':
        this.#connections.get(report.connection)?.connection.onSent(report.id, report.to, report.text, report.state);
        break;
      case 'done':
        this.#finish(report);
        break;
      case 'ask':
        void this.#answer(report);
        break;
      case 'cancel':
        this.#questions.get(report.id)?.abort();
        break;
      case 'used':
        this.#options.events.onUsed(this, report.principal, report.milliseconds, report.characters);
    }
  }

  #finish({ id, value, error, connection, state }: Extract<Report, { type: 'done' }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#bytes -= waiting?.length ?? 0;
    if (connection !== undefined && state !== undefined) this.#connections.get(connection)?.connection.onState(state);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(errorOf(error));
  }

  async #answer({ id, principal, connection, service, given }: Extract<Report, { type: 'ask' }>): Promise<void> {
    const controller = new AbortController();
    this.#questions.set(id, controller);
    const own = connection === undefined ? undefined : this.#connections.get(connection)?.connection;
    const context: ServiceContext = {
      signal: controller.signal,
      show: (form) => this.post({ type: 'show', principal, id, form }),
      connection: own,
    };
    const work = async (): Promise<unknown> => {
      const serve = this.#principals.get(principal)?.[service];
      if (serve === undefined) throw new Error(`There is no service ${service}.`);
      return serve(context, ...(given as never[]));
    };
    // Without a connection this would be the context of the request that the thread was started for.
    const end = await (own === undefined ? withoutOrigin(work) : own.inContext(work)).then(
      (value) => ({ value }),
      (cause: unknown) => ({ error: errorText(cause) }),
    );
    this.#questions.delete(id);
    this.post({ type: 'answer', principal, id, ...end });
  }
}
