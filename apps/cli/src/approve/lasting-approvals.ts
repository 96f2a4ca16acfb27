import { join } from 'node:path';
import type { ApprovalStore, StoredApproval } from '@sallyport/core';
import { fieldsOf, takeApproval } from '@sallyport/core/adapter';
import { memoryApprovalStore } from '@sallyport/core/stages';
import { Seal } from './seal.ts';
import { SealedFile } from './sealed-file.ts';

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
  readonly #file: SealedFile<LastingApproval>;
  readonly #commandOf: CommandOf;
  readonly #memory = memoryApprovalStore();

  constructor(stateFolder: string, commandOf: CommandOf = () => undefined) {
    const path = join(stateFolder, 'lasting-approvals.json');
    this.#file = new SealedFile(path, new Seal(stateFolder, 'always'), isLasting);
    this.#commandOf = commandOf;
  }

  /** All of them, for all servers. */
  all(): readonly LastingApproval[] {
    return this.#file.all();
  }

  /** The number of entries that sallyport did not write. */
  get ignored(): number {
    return this.#file.ignored;
  }

  #isOfServer({ tool, command }: LastingApproval): boolean {
    return command === this.#commandOf(tool);
  }

  take(keys: readonly string[], now: number): StoredApproval | undefined {
    const inMemory = this.#memory.take(keys, now) as StoredApproval | undefined;
    if (inMemory !== undefined || this.all().length === 0) return inMemory;
    return this.#file.change((approvals) => {
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
    if (approval.scope === 'always') this.#file.change((approvals) => [[...approvals, lasting], undefined]);
    else void this.#memory.add(approval);
  }

  list(place: Parameters<ApprovalStore['list']>[0]): readonly StoredApproval[] {
    const inMemory = this.#memory.list(place) as readonly StoredApproval[];
    return [...inMemory, ...this.all().filter(({ owner }) => owner === place.owner)];
  }

  revoke(id: string): boolean {
    const isRevoked = this.#memory.revoke(id) as boolean;
    return this.#file.change((approvals) => {
      const left = approvals.filter((each) => each.id !== id);
      return [left, isRevoked || left.length < approvals.length];
    });
  }
}
