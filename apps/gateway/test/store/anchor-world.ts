import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { type ComparedAnchors, readEvidence } from '../../src/store/audit/anchor-evidence.ts';
import { type AnchorStore, fileAnchors } from '../../src/store/audit/anchors.ts';
import { type AuditKey, auditKeysOf, type Checkpoint } from '../../src/store/links.ts';

const keys = auditKeysOf(randomBytes(32));
export const [key] = keys as [AuditKey];
const publicKeys = keys.map((each) => each.public);

export const DAY = 86_400_000;
export const BEGIN = Date.UTC(2026, 0, 1, 23, 59);
export const WORKSPACE = randomUUID();

/** A folder of anchors for each test, and a clock that only the test moves. */
export class AnchorWorld {
  readonly root = fs.mkdtempSync(join(tmpdir(), 'sallyport-anchor-files-'));
  folder = '';
  now = BEGIN;

  constructor() {
    beforeEach(() => {
      this.folder = join(this.root, randomUUID());
      this.now = BEGIN;
    });
    afterAll(() => fs.rmSync(this.root, { recursive: true }));
  }

  readonly open = (): AnchorStore => fileAnchors(this.folder, keys, { now: () => this.now });

  readonly headOf = (seq: number, workspace: string = WORKSPACE): Checkpoint =>
    key.sign(workspace, 'head', { seq, hash: seq.toString(16).padStart(64, '0') });

  readonly keep = (store: AnchorStore, seq: number, workspace: string = WORKSPACE): Promise<void> =>
    store.publish(new Map([[workspace, this.headOf(seq, workspace)]]));

  readonly names = (): string[] => fs.readdirSync(this.folder).sort();

  readonly evidence = async (): Promise<ComparedAnchors & { readonly seqs: readonly number[] }> => {
    const { heads, anchors } = await readEvidence(this.folder, publicKeys, WORKSPACE);
    // Names of files are random, and so is their order.
    return { ...anchors, seqs: heads.map(({ seq }) => seq).sort((one, other) => one - other) };
  };

  /** Three files: of three days, with three lines each. */
  readonly threeDays = async (): Promise<string[]> => {
    const store = this.open();
    for (let turn = 0; turn < 9; turn++) {
      this.now = BEGIN + Math.floor(turn / 3) * DAY;
      await this.keep(store, turn + 1);
    }
    return this.names();
  };
}
