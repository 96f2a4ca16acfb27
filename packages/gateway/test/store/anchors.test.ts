import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualTime } from '../../../core/test/fixture/time.ts';
import { type AnchorStore, anchoredHeads, fileAnchors } from '../../src/store/audit/anchors.ts';
import { Signer } from '../../src/store/audit/checkpoint.ts';
import { verifyAudit } from '../../src/store/audit/verify.ts';
import { openDatabase } from '../../src/store/database.ts';
import { auditKeysOf } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { eventually } from '../fixture/eventually.ts';
import { openChains } from './chain-rig.ts';

const { opened, keys, freshChain, grow } = await openChains();
const publicKeys = keys.map((key) => key.public);
const folder = mkdtempSync(join(tmpdir(), 'sallyport-anchors-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Signs and publishes the end of a chain to a file of its own. */
async function publish(workspace: string): Promise<string> {
  const path = join(folder, randomUUID(), 'heads.jsonl');
  const signer = new Signer(opened.database, new Writer(opened.database), {
    anchorStore: fileAnchors(path, publicKeys),
  });
  await grow(workspace, 1);
  await signer.stop();
  return path;
}

/** A replica that starts now, with the memory of a file. */
async function writeAs(path: string | undefined, workspace: string): Promise<void> {
  const kept = path === undefined ? undefined : fileAnchors(path, publicKeys);
  const audit = { keys, anchors: (id: string) => kept?.last(id) };
  const database = openDatabase(opened.url, { max: 1, audit });
  await new Writer(database).write(workspace, { audit: ['{}'] }).finally(() => database.close());
}

test('a signed head is appended to a file, one line for each, and must be in the chain', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  const heads = anchoredHeads(path, publicKeys, workspace);
  expect(heads).toMatchObject([{ seq: 10, kind: 'head' }]);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
  expect(await verifyAudit(opened.database, workspace, { keys, anchors: heads })).toMatchObject({ isWhole: true });
  expect(anchoredHeads(undefined, publicKeys, workspace)).toEqual([]);
  expect(anchoredHeads(join(folder, 'none'), publicKeys, workspace)).toEqual([]);
});

test('a replica keeps the heads that other replicas have signed, and none that the gateway did not sign', async () => {
  const [signed, forged] = [await freshChain(), await freshChain()];
  await opened.attacker`update audit_checkpoints set signature = sha256('x') where workspace_id = ${forged}`;
  const path = join(folder, randomUUID(), 'heads.jsonl');
  const publishAgain = (): Promise<void> =>
    new Signer(opened.database, new Writer(opened.database), { anchorStore: fileAnchors(path, publicKeys) }).publish();
  await publishAgain();
  expect(anchoredHeads(path, publicKeys, signed)).toMatchObject([{ seq: 9 }]);
  expect(anchoredHeads(path, publicKeys, forged)).toEqual([]);
  await publishAgain();
  expect(anchoredHeads(path, publicKeys, signed)).toHaveLength(1);
});

test('a head that could not be kept is kept the next time', async () => {
  const workspace = await freshChain();
  const kept: number[] = [];
  let isFull = true;
  const anchorStore: AnchorStore = {
    async publish(heads) {
      if (isFull) throw new Error('ENOSPC');
      kept.push(...[...heads].flatMap(([id, { seq }]) => (id === workspace ? [seq] : [])));
    },
    last: () => undefined,
  };
  const signer = new Signer(opened.database, new Writer(opened.database), { anchorStore });
  await expect(signer.publish()).rejects.toThrow('ENOSPC');
  isFull = false;
  await signer.publish();
  await signer.publish();
  expect(kept).toEqual([9]);
});

test('a replica that starts refuses a chain that was set back, if its file knows a later head', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  await writeAs(path, workspace);
  await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > 6`;
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > 6`;
  await expect(writeAs(path, workspace)).rejects.toThrow('a row that was signed is missing');
  // Without a memory outside of the database, it cannot know.
  await writeAs(undefined, workspace);
  const anchors = anchoredHeads(path, publicKeys, workspace);
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, rows: 7 });
  expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({ problem: 'truncated' });
});

test('a file with a line that was not signed is refused', async () => {
  const workspace = await createWorkspace(opened.database, 'refused');
  const path = await publish(workspace);
  for (const line of ['{', JSON.stringify({ workspace, seq: 1, hash: 'ab', kind: 'head', signature: '00' })]) {
    appendFileSync(path, `${line}\n`);
    expect(() => fileAnchors(path, publicKeys)).toThrow('did not sign');
  }
});

test('a file of another key is told from a damaged one', async () => {
  const path = await publish(await freshChain());
  const others = auditKeysOf(randomBytes(32)).map((key) => key.public);
  expect(() => fileAnchors(path, others)).toThrow('SALLYPORT_KEY does not fit');
  expect(fileAnchors(path, [...others, ...publicKeys])).toBeDefined();
});

test('a replica that starts reports a chain that was set back, before a call meets it', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > 6`;
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > 6`;
  const anchorStore = fileAnchors(path, publicKeys);
  const database = openDatabase(opened.url, { max: 1, audit: { keys, anchors: (id) => anchorStore.last(id) } });
  const causes: unknown[] = [];
  const time = new ManualTime();
  const onError = (cause: unknown): unknown => causes.push(cause);
  const signer = new Signer(database, new Writer(database), { anchorStore, onError, timer: time.timer });
  signer.start();
  await eventually(() => expect(causes).toContainEqual(expect.objectContaining({ code: 'AUDIT_DAMAGED', workspace })));
  expect(String(causes[0])).toContain('move the file of SALLYPORT_ANCHORS away');
  await signer.stop();
  await database.close();
});

test('a file that cannot be written is refused with the next step', () => {
  expect(() => fileAnchors('/dev/null/heads.jsonl', publicKeys)).toThrow('set SALLYPORT_ANCHORS');
});
