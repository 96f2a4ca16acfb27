import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { fieldsOf } from '@sallyport/core/adapter';
import { checkPrivate, fileName, readJsonFile, writeJsonFile } from '../../state.ts';
import { CommandError } from '../../terminal-text.ts';

/** A stored login: the tokens, and where and as whom to renew them. */
export interface Login {
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  readonly discovery: OAuthDiscoveryState;
  readonly redirectUrl: string;
}

const LOCK_PAUSE = 100;
const LOCK_STALE = 60_000;
const LOCK_TRIES = 300;

/** The user's logins, one file for each server that only the user can read. */
export class LoginFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #path(name: string): string {
    return join(this.#folder, fileName(name));
  }

  read(name: string): Login | undefined {
    const path = this.#path(name);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    checkPrivate(path, 'Then log in again.');
    const login = readJsonFile(path);
    const { tokens, client, discovery } = fieldsOf(login);
    const isWhole =
      typeof fieldsOf(tokens).access_token === 'string' && client !== undefined && discovery !== undefined;
    return isWhole ? (login as Login) : undefined;
  }

  write(name: string, login: Login): void {
    writeJsonFile(this.#path(name), login);
  }

  /** Returns whether there was a login. */
  remove(name: string): boolean {
    const path = this.#path(name);
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    rmSync(path, { force: true });
    return isThere;
  }

  /** Runs `work` while no other process does: a refresh token that is used twice becomes invalid. */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#locked(`${this.#path(name)}.lock`, LOCK_STALE, LOCK_TRIES);
    if (release === undefined)
      throw new CommandError('another process is renewing this login.', 'wait a moment and try again.');
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Claims the one browser window for a login. Undefined if another process has it, else releases it when called. */
  async claimBrowser(name: string, milliseconds: number): Promise<(() => void) | undefined> {
    return this.#locked(`${this.#path(name)}.browser`, milliseconds, 1);
  }

  async #locked(path: string, stale: number, tries: number): Promise<(() => void) | undefined> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let count = 0; count < tries; count++) {
      const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > stale) rmSync(path, { recursive: true, force: true });
      try {
        mkdirSync(path);
        return () => rmSync(path, { recursive: true, force: true });
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      }
      if (count + 1 < tries) await delay(LOCK_PAUSE);
    }
    return undefined;
  }
}
