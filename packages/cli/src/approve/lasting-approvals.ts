import { join } from 'node:path';
import type { ApprovalStore, StoredApproval } from '@sallyport/core';
import { fieldsOf, takeApproval } from '@sallyport/core/adapter';
import { memoryApprovalStore } from '@sallyport/core/stages';
import { readJsonFile, withLock, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';

const VERSION = 1;

function isLasting(value: unknown): value is StoredApproval {
  const { id, key, scope, conversation, owner, tool, values, rule, by, created, until = 0, uses = 1 } = fieldsOf(value);
  const isValue = (each: unknown): boolean =>
    typeof fieldsOf(each).path === 'string' && typeof fieldsOf(each).value === 'string';
  return (
    scope === 'always' &&
    [id, key, conversation, owner, tool, rule, by].every((each) => typeof each === 'string') &&
    [created, until, uses].every((each) => typeof each === 'number') &&
    Array.isArray(values) &&
    values.every(isValue)
  );
}

function read(path: string): readonly StoredApproval[] {
  const value = readJsonFile(path);
  if (value === undefined) return [];
  const { version, approvals } = fieldsOf(value);
  if (version !== VERSION)
    throw new CommandError(
      `${path} has version ${JSON.stringify(version)}; this sallyport reads version ${VERSION}.`,
      'use the version of sallyport that wrote the file, or a later one.',
    );
  if (!Array.isArray(approvals) || !approvals.every(isLasting))
    throw new CommandError(
      `${path} is not a file of approvals.`,
      'move it to another place; you are then asked again.',
    );
  return approvals;
}

/**
 * What a user approved always, in one file for all wrapped servers. Approvals of other scopes end with the process: a conversation
 * has the same name in every process.
 */
export class LastingApprovals implements ApprovalStore {
  readonly #path: string;
  readonly #memory = memoryApprovalStore();

  constructor(stateFolder: string) {
    this.#path = join(stateFolder, 'lasting-approvals.json');
  }

  /** All of them, for all servers. */
  all(): readonly StoredApproval[] {
    return read(this.#path);
  }

  #change<Result>(
    edit: (approvals: readonly StoredApproval[]) => readonly [left: readonly StoredApproval[], result: Result],
  ): Result {
    return withLock(this.#path, () => {
      const approvals = this.all();
      const [left, result] = edit(approvals);
      if (JSON.stringify(left) !== JSON.stringify(approvals))
        writeJsonFile(this.#path, { version: VERSION, approvals: left });
      return result;
    });
  }

  take(keys: readonly string[], now: number): StoredApproval | undefined {
    const inMemory = this.#memory.take(keys, now) as StoredApproval | undefined;
    if (inMemory !== undefined || this.all().length === 0) return inMemory;
    return this.#change((approvals) => {
      const { taken, left } = takeApproval(approvals, keys, now);
      return [left, taken];
    });
  }

  add(approval: StoredApproval): void {
    if (approval.scope === 'always') this.#change((approvals) => [[...approvals, approval], undefined]);
    else void this.#memory.add(approval);
  }

  list(place: Parameters<ApprovalStore['list']>[0]): readonly StoredApproval[] {
    const inMemory = this.#memory.list(place) as readonly StoredApproval[];
    return [...inMemory, ...this.all().filter(({ owner }) => owner === place.owner)];
  }

  revoke(id: string): boolean {
    const isRevoked = this.#memory.revoke(id) as boolean;
    return this.#change((approvals) => {
      const left = approvals.filter((each) => each.id !== id);
      return [left, isRevoked || left.length < approvals.length];
    });
  }
}
