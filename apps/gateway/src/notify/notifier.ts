import { randomUUID } from 'node:crypto';
import { backgroundTimer, fieldsOf } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import { repeat } from '../timer.ts';
import { bodyOf, type Message, signedHeaders } from './message.ts';
import type { Notice, Webhooks, WebhookTarget } from './webhooks.ts';

export interface NotifierOptions {
  readonly webhooks: Webhooks;
  /** Reaches what a workspace may. */
  readonly fetchFor: (workspace: string) => Promise<GuardedFetch>;
  readonly nameOfWorkspace: (id: string) => Promise<string>;
  /** Where people reach the gateway. */
  readonly publicUrl: string;
  readonly onError: (cause: unknown) => void;
  /** @default the platform's */
  readonly timer?: Timer;
}

const EVERY_MILLISECONDS = 1000;
const MAX_AT_ONCE = 50;
const TIMEOUT = 5000;
/** Longer than a message may take: otherwise two replicas would send it. */
const LEASE_SECONDS = 30;
const MAX_PAUSE_SECONDS = 60;

/** Why a message was not delivered, in words that hold nothing of what the receiver said. */
async function deliver(
  fetch: GuardedFetch,
  { url, secret }: WebhookTarget,
  id: string,
  body: string,
): Promise<string | undefined> {
  try {
    const { status, discard } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, body, new Date()) },
      body,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    discard();
    return status >= 200 && status <= 299 ? undefined : `The receiver answered with status ${status}.`;
  } catch (cause) {
    return UpstreamError.isInstance(cause) ? cause.message : 'The receiver did not answer in time.';
  }
}

/** Tells people, by webhooks, that calls wait for them. A message may arrive twice: its id is then the same. */
export class Notifier {
  readonly #options: NotifierOptions;
  #end: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#end ??= repeat(this.#options.timer ?? backgroundTimer, EVERY_MILLISECONDS, () => this.#tick());
  }

  #tick(): void {
    this.#running ??= this.send()
      .catch((cause: unknown) => this.#options.onError(cause))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Sends what is due. */
  async send(): Promise<void> {
    const notices = await this.#options.webhooks.claim(LEASE_SECONDS, MAX_AT_ONCE);
    await Promise.all(
      notices.map((notice) => this.#deliver(notice).catch((cause: unknown) => this.#options.onError(cause))),
    );
  }

  /** Sends a message that says only that messages arrive. Returns why it did not. */
  async test(workspace: string, name: string, principal: string): Promise<string | undefined> {
    const { webhooks, fetchFor, nameOfWorkspace } = this.#options;
    const { format, ...target } = await webhooks.target(workspace, name);
    const at = new Date();
    const message = {
      type: 'test',
      at,
      workspace: await nameOfWorkspace(workspace),
      principal,
      tool: '',
      reason: '',
      needsSecondPerson: false,
      until: at,
      url: this.#linkTo(''),
    } as const;
    return deliver(await fetchFor(workspace), target, `test_${randomUUID()}`, bodyOf(format, message));
  }

  async #deliver(notice: Notice): Promise<void> {
    const { webhooks, fetchFor } = this.#options;
    const { workspace, webhook, approval, target, format, attempts } = notice;
    const body = bodyOf(format, await this.#messageOf(notice));
    const failure = await deliver(await fetchFor(workspace), target, `${approval}_${webhook}`, body);
    if (failure === undefined) await webhooks.settle(notice);
    else await webhooks.postpone(notice, Math.min(2 ** attempts, MAX_PAUSE_SECONDS), failure);
  }

  async #messageOf({
    workspace,
    question,
    approval,
    principal,
    needsSecondPerson,
    askedAt,
    until,
  }: Notice): Promise<Message> {
    const { server, tool, reason } = fieldsOf(JSON.parse(question));
    return {
      type: 'approval.asked',
      at: askedAt,
      workspace: await this.#options.nameOfWorkspace(workspace),
      principal,
      tool: `${String(server)}.${String(tool)}`,
      reason: String(reason),
      needsSecondPerson,
      until,
      url: this.#linkTo(approval),
    };
  }

  #linkTo(approval: string): string {
    return `${this.#options.publicUrl.replace(/\/$/, '')}/console/approvals/${approval}`;
  }

  /** Stops. What was not sent yet is sent by another replica, or after the next start. */
  async stop(): Promise<void> {
    this.#end?.();
    await this.#running;
  }
}
