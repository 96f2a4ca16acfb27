import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyWithAnchors } from '../../src/store/audit/anchor-evidence.ts';
import { fileAnchors } from '../../src/store/audit/anchors.ts';
import { verifyAudit } from '../../src/store/audit/verify.ts';
import type { AuditKey, Checkpoint } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { ANCHOR_FORGERIES, anchorPaths } from './anchor-forgeries.ts';
import { openChains } from './chain-rig.ts';
import { FORGERIES } from './forgeries.ts';

const { opened, keys, freshChain, grow, plant } = await openChains();
const [key] = keys as [AuditKey];

/** What a anchor has kept of a chain: its head. */
async function anchorOf(workspace: string): Promise<readonly Checkpoint[]> {
  const report = await verifyAudit(opened.database, workspace, { keys });
  if (!report.isWhole) throw new Error('not whole');
  return [key.sign(workspace, 'head', report.head)];
}

async function apply(statements: readonly string[], workspace: string, other: string): Promise<void> {
  for (const statement of statements)
    await opened.attacker.unsafe(statement.replaceAll('$1', workspace).replaceAll('$2', other));
}

describe('with all rights in the database and without the key, audit verify detects', () => {
  test.each(FORGERIES)('$title', async ({ sql }) => {
    const [workspace, other] = [await freshChain(), await freshChain()];
    const anchors = await anchorOf(workspace);
    expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({ isWhole: true });
    await apply(sql, workspace, other);
    expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({ isWhole: false });
  });
});

describe('with all rights in the database and on the anchors, and without the key, audit verify detects', () => {
  const root = mkdtempSync(join(tmpdir(), 'sallyport-forgeries-'));
  afterAll(() => rmSync(root, { recursive: true }));

  test.each(ANCHOR_FORGERIES)('$title', async ({ forge }) => {
    const workspace = await freshChain();
    const folder = join(root, workspace);
    let now = Date.UTC(2026, 0, 1);
    const store = fileAnchors(folder, keys, { now: () => now });
    for (let turn = 0; turn < 9; turn++) {
      now = Date.UTC(2026, 0, 1 + Math.floor(turn / 3));
      await grow(workspace, 1);
      const report = await verifyAudit(opened.database, workspace, { keys });
      if (report.isWhole) await store.publish(new Map([[workspace, key.sign(workspace, 'head', report.head)]]));
    }
    const verify = (): Promise<unknown> => verifyWithAnchors(opened.database, workspace, { keys, folder });
    expect(await verify()).toMatchObject({ isWhole: true, compared: 9 });
    forge(anchorPaths(folder));
    expect(await verify()).toMatchObject({ isWhole: false });
  });
});

/** Rewrites a chain as an attacker can who has the key of a replica: hashes, MACs and signatures are all right. */
async function rewrite(workspace: string, edit: (payload: string, seq: number) => string | undefined): Promise<void> {
  const rows = await opened.attacker<{ at: Date; payload: string; seq: string }[]>`
    delete from audit where workspace_id = ${workspace} returning at, payload, seq`;
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace}`;
  const edited = rows
    .toSorted((one, next) => Number(one.seq) - Number(next.seq))
    .map(({ at, payload, seq }) => ({ at, payload: edit(payload, Number(seq)) }));
  await plant(
    workspace,
    edited.flatMap(({ at, payload }) => (payload === undefined ? [] : [{ at, payload }])),
  );
}

describe('with the key of a replica too', () => {
  test.each([
    ['a row changed', (payload: string, seq: number) => (seq === 5 ? '{}' : payload)],
    ['a row removed', (payload: string, seq: number) => (seq === 5 ? undefined : payload)],
    ['the last row changed', (payload: string, seq: number) => (seq === 9 ? '{}' : payload)],
    ['the end cut off', (payload: string, seq: number) => (seq > 6 ? undefined : payload)],
    ['all rows replaced', () => '{}'],
  ])('an anchor shows %s', async (_title, edit) => {
    const workspace = await freshChain();
    const anchors = await anchorOf(workspace);
    await rewrite(workspace, edit);
    expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({ isWhole: false });
  });

  test('what remains: rows after the last anchor can be changed', async () => {
    const workspace = await freshChain();
    const anchors = await anchorOf(workspace);
    await grow(workspace, 1);
    await rewrite(workspace, (payload, seq) => (seq === 10 ? '{}' : payload));
    expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({
      isWhole: true,
      rows: 10,
    });
  });

  test('what remains: without an anchor, everything can be changed', async () => {
    const workspace = await freshChain();
    await rewrite(workspace, () => '{}');
    expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, rows: 9 });
  });

  test('what remains: invented rows can be added at the end', async () => {
    const workspace = await freshChain();
    const anchors = await anchorOf(workspace);
    await grow(workspace, 1);
    expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({
      isWhole: true,
      rows: 10,
    });
  });
});

describe('a running replica', () => {
  test.each([
    ['a chain that was set back', "delete from audit where workspace_id = '$1' and seq > 6"],
    ['a last row that was changed', "update audit set hash = sha256('x') where workspace_id = '$1' and seq = 9"],
    [
      'a row that it did not write',
      "insert into audit select workspace_id, 10, at, '{}', sha256('x'), mac from audit where workspace_id = '$1' and seq = 9",
    ],
  ])('does not continue %s', async (_title, statement) => {
    const workspace = await freshChain();
    await apply([statement], workspace, '');
    await expect(grow(workspace, 1)).rejects.toThrow('is damaged');
  });

  test('does not sign a row that no replica has written', async () => {
    const workspace = await createWorkspace(opened.database, 'planted');
    await opened.attacker`insert into audit values (${workspace}, 1, now(), '{}', sha256('x'), sha256('y'))`;
    await expect(opened.database.chains.catchUp(opened.database.system, workspace)).rejects.toThrow('was changed');
    await opened.attacker`delete from audit where workspace_id = ${workspace}`;
  });
});
