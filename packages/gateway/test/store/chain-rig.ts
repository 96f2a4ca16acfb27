import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { auditLine } from '../../src/store/audit/audit.ts';
import { Signer } from '../../src/store/audit/checkpoint.ts';
import { exportAudit } from '../../src/store/audit/verify.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

export interface Chains {
  readonly opened: TestDatabase;
  readonly writer: Writer;
  readonly signer: Signer;
  readonly key: Uint8Array;
  /** Adds rows to the chain of a workspace. */
  grow(workspace: string, count: number): Promise<void>;
  /** A workspace with nine rows, signed at 3, 6 and 9. */
  freshChain(): Promise<string>;
  /** The export of a chain. */
  linesOf(workspace: string): Promise<string[]>;
}

export async function* give(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** A database for audit chains of one test file. It is dropped after the last test. */
export async function openChains(): Promise<Chains> {
  const key = randomBytes(32);
  const opened = await freshDatabase();
  afterAll(() => opened.drop());
  const writer = new Writer(opened.database);
  const signer = new Signer(opened.database, writer, key);

  async function grow(workspace: string, count: number): Promise<void> {
    const event = { type: 'server', what: 'changed', server: 's', by: 'p' } as const;
    for (let each = 0; each < count; each++) await writer.write(workspace, { audit: [auditLine(workspace, event)] });
  }

  async function freshChain(): Promise<string> {
    const workspace = await createWorkspace(opened.database, `w-${randomUUID().slice(0, 8)}`);
    for (let part = 0; part < 3; part++) {
      await grow(workspace, 3);
      await signer.sign();
    }
    return workspace;
  }

  async function linesOf(workspace: string): Promise<string[]> {
    const lines: string[] = [];
    await exportAudit(opened.database, workspace, (line) => void lines.push(line));
    return lines;
  }

  return { opened, writer, signer, key, grow, freshChain, linesOf };
}
