import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { auditLine } from '../../src/store/audit/audit.ts';
import { Signer } from '../../src/store/audit/checkpoint.ts';
import { exportAudit } from '../../src/store/audit/verify.ts';
import { type AuditKey, auditKeysOf, genesisOf, hashOf } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

export interface Chains {
  readonly opened: TestDatabase;
  readonly writer: Writer;
  readonly signer: Signer;
  readonly keys: readonly AuditKey[];
  /** Adds rows to the chain of a workspace. */
  grow(workspace: string, count: number): Promise<void>;
  /** A workspace with nine rows, signed at 3, 6 and 9. */
  freshChain(): Promise<string>;
  /** Writes rows with the key but past the gateway, with a signature after each third one and after the last. */
  plant(workspace: string, rows: readonly { readonly at: Date; readonly payload: string }[]): Promise<void>;
  /** The export of a chain. */
  linesOf(workspace: string): Promise<string[]>;
}

export async function* give(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** A database for audit chains of one test file. It is dropped after the last test. */
export async function openChains(): Promise<Chains> {
  const bytes = randomBytes(32);
  const keys = auditKeysOf(bytes);
  const opened = await freshDatabase(bytes);
  afterAll(() => opened.drop());
  const writer = new Writer(opened.database);
  const signer = new Signer(opened.database, writer);

  async function grow(workspace: string, count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      // No two rows say the same: to exchange two that do would change nothing.
      const event = { type: 'server', what: 'changed', server: randomUUID(), by: 'p' } as const;
      await writer.write(workspace, { audit: [auditLine(workspace, event)] });
    }
  }

  async function freshChain(): Promise<string> {
    const workspace = await createWorkspace(opened.database, `w-${randomUUID().slice(0, 8)}`);
    for (let part = 0; part < 3; part++) {
      await grow(workspace, 3);
      await signer.sign();
    }
    return workspace;
  }

  async function plant(workspace: string, rows: Parameters<Chains['plant']>[1]): Promise<void> {
    const [key] = keys as [AuditKey];
    let head = genesisOf(workspace);
    for (const { at, payload } of rows) {
      const seq = head.seq + 1;
      head = { seq, hash: hashOf(head.hash, { seq, at: at.getTime(), payload }) };
      const [hash, mac] = [head.hash, key.macOf(workspace, head.hash)].map((hex) => Buffer.from(hex, 'hex'));
      await opened.attacker`insert into audit values (${workspace}, ${seq}, ${at}, ${payload}, ${hash ?? ''}, ${mac ?? ''})`;
      if (seq % 3 !== 0 && seq < rows.length) continue;
      const signature = Buffer.from(key.sign(workspace, 'head', head).signature, 'hex');
      await opened.attacker`insert into audit_checkpoints (workspace_id, seq, kind, hash, signature)
        values (${workspace}, ${seq}, 'head', ${hash ?? ''}, ${signature})`;
    }
  }

  async function linesOf(workspace: string): Promise<string[]> {
    const lines: string[] = [];
    await exportAudit(opened.database, workspace, (line) => void lines.push(line));
    return lines;
  }

  return { opened, writer, signer, keys, grow, freshChain, plant, linesOf };
}
