import { join } from 'node:path';
import type { ApprovalStore, StoredApproval } from '@sallyport/core';
import { fieldsOf, takeApproval } from '@sallyport/core/adapter';
import { memoryApprovalStore } from '@sallyport/core/stages';
import { readJsonFile, withLock, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';

const VERSION = 1;

function isLasting(value: unknown): value is LastingApproval {
  const { id, key, scope, conversation, owner, tool, values, rule, by, created, until = 0, uses = 1 } = fieldsOf(value);
  const { command = '' } = fieldsOf(value);
  const isValue = (each: unknown): boolean =>
    typeof fieldsOf(each).path === 'string' && typeof fieldsOf(each).value === 'string';
  return (
    scope === 'always' &&
    [id, key, conversation, owner, tool, rule, by, command].every((each) => typeof each === 'string') &&
    [created, until, uses].every((each) => typeof each === 'number') &&
    Array.isArray(values) &&
    values.every(isValue)
  );
}

function read(path: string): readonly LastingApproval[] {
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

/** The digest of the command that starts the server of a tool. Undefined if the server is not connected. */
type CommandOf = (tool: string) => string | undefined;

/** An approval with the server that it is for: another command may get the same name. */
interface LastingApproval extends StoredApproval {
  readonly command?: string;
}

/**
 * The calls that a user has approved for always, in one file for all wrapped servers. Approvals of other scopes end with the process: a conversation
 * has the same name in every process.
 */
export class LastingApprovals implements ApprovalStore {
  readonly #path: string;
  readonly #commandOf: CommandOf;
  readonly #memory = memoryApprovalStore();

  constructor(stateFolder: string, commandOf: CommandOf = () => undefined) {
    this.#path = join(stateFolder, 'lasting-approvals.json');
    this.#commandOf = commandOf;
  }

  /** All of them, for all servers. */
  all(): readonly LastingApproval[] {
    return read(this.#path);
  }

  #change<Result>(
    edit: (approvals: readonly LastingApproval[]) => readonly [left: readonly LastingApproval[], result: Result],
  ): Result {
    return withLock(this.#path, () => {
      const approvals = this.all();
      const [left, result] = edit(approvals);
      if (JSON.stringify(left) !== JSON.stringify(approvals))
        writeJsonFile(this.#path, { version: VERSION, approvals: left });
      return result;
    });
  }

  #isOfServer({ tool, command }: LastingApproval): boolean {
    return command === this.#commandOf(tool);
  }

  take(keys: readonly string[], now: number): StoredApproval | undefined {
    const inMemory = this.#memory.take(keys, now) as StoredApproval | undefined;
    if (inMemory !== undefined || this.all().length === 0) return inMemory;
    return this.#change((approvals) => {
      const others = approvals.filter((each) => !this.#isOfServer(each));
      const { taken, left } = takeApproval(
        approvals.filter((each) => this.#isOfServer(each)),
        keys,
        now,
      );
      return [[...others, ...left], taken];
    });
  }

  add(approval: StoredApproval): void {
    const command = this.#commandOf(approval.tool);
    const lasting = { ...approval, ...(command !== undefined && { command }) };
    if (approval.scope === 'always') this.#change((approvals) => [[...approvals, lasting], undefined]);
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
