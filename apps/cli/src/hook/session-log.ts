import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalScope } from '@sallyport/core';
import { digestText, fieldsOf } from '@sallyport/core/adapter';
import { Seal } from '../approve/seal.ts';
import { redactJson } from '../secrets/redact.ts';
import type { HookEvent, Host } from './event.ts';

/** An event as it is kept. */
export interface KeptEvent {
  readonly event: HookEvent;
  /** Set if a person was asked about the call, or it was denied. */
  readonly isHeld?: boolean;
  /** The scope in which a person let the call pass, and until when. */
  readonly approved?: { readonly scope: ApprovalScope; readonly until?: number };
  /** When the event arrived, in milliseconds since 1970. */
  readonly at: number;
}

/** The stored part of a session. */
export interface KeptSession {
  readonly events: readonly KeptEvent[];
  /** The classifier's verdict on each text. */
  readonly verdicts: ReadonlyMap<string, unknown>;
  /** Set if a part could not be read or was not kept. */
  readonly isIncomplete: boolean;
}

const DAY_MS = 86_400_000;
/** Hosts keep their own transcripts about as long. */
const MAX_AGE_MS = 30 * DAY_MS;
/** Beyond it, nothing more of a session is kept, and it counts as incomplete. */
const MAX_BYTES = 64_000_000;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // A process may have ended while it wrote the line.
    return undefined;
  }
}

/** The sessions as files: what was said, called and returned, in order. Only the user can read them. No decision is kept that a later process would believe. */
export class SessionLog {
  readonly #folder: string;
  /** The host and the session, in each line: a line of another file does not count. */
  readonly #of: string;
  readonly #path: string;
  readonly #seal: Seal;
  // The size of the file after the last write of this process.
  #size = 0;

  constructor(stateFolder: string, host: Host, session: string) {
    this.#folder = join(stateFolder, 'sessions');
    this.#seal = new Seal(stateFolder, 'session');
    this.#of = JSON.stringify([host, session]);
    this.#path = join(this.#folder, `${digestText(this.#of).slice(0, 32)}.jsonl`);
  }

  /** Set once another process has written to the file. */
  get isOutdated(): boolean {
    return sizeOf(this.#path) !== this.#size;
  }

  /** The size of the file as this process knows it. */
  get size(): number {
    return this.#size;
  }

  /** Reads the file. If it was larger before, a part of the session is lost. */
  read(sizeBefore = 0): KeptSession {
    this.#size = sizeOf(this.#path);
    if (this.#size < sizeBefore) this.keepLoss();
    const text = this.#size === 0 ? '' : readFileSync(this.#path, 'utf8');
    const events: KeptEvent[] = [];
    const verdicts = new Map<string, unknown>();
    let isIncomplete = this.#size > MAX_BYTES;
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const { of, event, verdict, ...rest } = this.#seal.open(parsed(line)) ?? {};
      // Another program wrote the line, or copied it from the file of another session.
      if (of !== this.#of) isIncomplete = true;
      else if (Array.isArray(verdict)) verdicts.set(String(verdict[0]), verdict[1]);
      else if (typeof event === 'object') events.push({ event: event as HookEvent, at: 0, ...rest });
      else isIncomplete = true;
    }
    return { events, verdicts, isIncomplete };
  }

  #append(value: object): void {
    if (this.#size === 0) this.#prepare();
    if (this.#size > MAX_BYTES) return;
    const line = `${JSON.stringify(this.#seal.put({ of: this.#of, ...value }))}\n`;
    appendFileSync(this.#path, line, { mode: 0o600 });
    this.#size += Buffer.byteLength(line);
  }

  /** Secrets are not kept, so neither is what a person answered about a call with one. What the user types is kept as it is. */
  keep(kept: Omit<KeptEvent, 'at'>): void {
    const json = JSON.stringify(kept.event);
    const clean = kept.event.type === 'prompt' ? json : redactJson(json);
    const { approved: _, ...rest } = kept;
    this.#append({ ...(clean === json ? kept : { ...rest, event: JSON.parse(clean) as unknown }), at: Date.now() });
  }

  /** Keeps that something was read which could not be taken in: the session is incomplete from now on. */
  keepLoss(): void {
    this.#append({ lost: true });
  }

  keepVerdict(key: string, verdict: unknown): void {
    this.#append({ verdict: [key, verdict] });
  }

  /** Creates the folder, and removes sessions that were not continued for long. */
  #prepare(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const oldest = Date.now() - MAX_AGE_MS;
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) rmSync(path, { force: true });
    }
  }
}
