import type { GuardPolicy } from '../../store/policy/body.ts';
import { type GuardThread, nextNumber, type ServiceTable } from './guard-thread.ts';
import type { PrincipalSettings } from './messages.ts';
import { type ConnectOptions, RemoteProxy } from './remote-proxy.ts';

/** The names of the state in which the calls of one server are checked. */
export interface GuardNames {
  /** Another one after each change of the policy, the pins or the server's location. */
  readonly revision: string;
  /** The terms of lasting approvals of a tool's calls. */
  readonly terms: (tool: string) => string;
}

/** The guard of one server for one principal. */
export interface RemoteGuard extends GuardNames {
  connect(options: ConnectOptions): RemoteProxy;
}

interface Entry {
  readonly revision: string;
  readonly guard: Promise<RemoteGuard>;
}

/** One principal in one thread. */
export class RemotePrincipal {
  readonly thread: GuardThread;
  readonly number: number = nextNumber();
  readonly workspace: string;
  /** Characters that the principal's conversations remember. */
  characters = 0;
  readonly #guards = new Map<string, Entry>();
  #prepared: { readonly version: string; readonly done: Promise<void> } | undefined;

  constructor(thread: GuardThread, settings: PrincipalSettings, services: ServiceTable) {
    this.thread = thread;
    this.workspace = settings.workspace;
    thread.addPrincipal(this.number, services);
    thread.post({ type: 'open', principal: this.number, settings });
  }

  /** Does the work once for each version of the policy. */
  prepare(version: string, work: () => Promise<void>): Promise<void> {
    if (this.#prepared?.version === version) return this.#prepared.done;
    const prepared = { version, done: work() };
    this.#prepared = prepared;
    // The caller gets the error; the next one tries again.
    prepared.done.catch(() => {
      if (this.#prepared === prepared) this.#prepared = undefined;
    });
    return prepared.done;
  }

  /** The guard of a server. It is replaced when its revision changes; what was read stays. */
  guardFor(server: string, names: GuardNames, policy: GuardPolicy): Promise<RemoteGuard> {
    const { revision } = names;
    const current = this.#guards.get(server);
    if (current?.revision === revision) return current.guard;
    // Stored before it has loaded, so that concurrent requests get the same guard and wait for it too.
    const entry = { revision, guard: this.#create(server, names, policy) };
    this.#guards.set(server, entry);
    entry.guard.catch(() => {
      if (this.#guards.get(server) === entry) this.#guards.delete(server);
    });
    return entry.guard;
  }

  async #create(server: string, names: GuardNames, policy: GuardPolicy): Promise<RemoteGuard> {
    const { thread, number: principal } = this;
    const { revision, terms } = names;
    await thread.run({ type: 'guard', principal, id: nextNumber(), server, revision, policy });
    return { ...names, connect: (options) => new RemoteProxy(thread, principal, server, { ...options, terms }) };
  }

  /** Frees what the thread remembers of the principal. Open connections continue. */
  drop(): void {
    this.thread.dropPrincipal(this.number);
  }
}
