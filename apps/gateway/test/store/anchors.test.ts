import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { readEvidence } from '../../src/store/audit/anchor-evidence.ts';
import { type AnchorStore, fileAnchors } from '../../src/store/audit/anchors.ts';
import { Signer } from '../../src/store/audit/checkpoint.ts';
import { verifyAudit } from '../../src/store/audit/verify.ts';
import { openDatabase } from '../../src/store/database.ts';
import { auditKeysOf, type Head } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { eventually } from '../fixture/eventually.ts';
import { openChains } from './chain-rig.ts';

const { opened, keys, freshChain, grow } = await openChains();
const publicKeys = keys.map((key) => key.public);
const folder = mkdtempSync(join(tmpdir(), 'sallyport-anchors-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function anchoredHeads(path: string, workspace: string): Promise<readonly Head[]> {
  const { heads, anchors } = await readEvidence(path, publicKeys, workspace);
  expect(anchors).toMatchObject({ removed: 0, problems: [] });
  return heads;
}

/** The path of the only file in a folder. */
function fileIn(path: string): string {
  const [name = '', ...others] = readdirSync(path);
  expect(others).toEqual([]);
  return join(path, name);
}

/** Signs and publishes the end of a chain to a folder of its own. */
async function publish(workspace: string): Promise<string> {
  const path = join(folder, randomUUID(), 'anchors');
  const signer = new Signer(opened.database, new Writer(opened.database), {
    anchorStore: fileAnchors(path, keys),
  });
  await grow(workspace, 1);
  await signer.stop();
  return path;
}

/** A replica that starts now, with the memory of a folder. */
async function writeAs(path: string | undefined, workspace: string): Promise<void> {
  const kept = path === undefined ? undefined : fileAnchors(path, keys);
  const audit = { keys, anchors: (id: string) => kept?.last(id) };
  const database = openDatabase(opened.url, { max: 1, audit });
  await new Writer(database).write(workspace, { audit: ['{}'] }).finally(() => database.close());
}

test('signed heads are appended to a file, one line for all, and must be in the chain', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  const heads = await anchoredHeads(path, workspace);
  expect(heads).toMatchObject([{ seq: 10 }]);
  expect(readFileSync(fileIn(path), 'utf8').split('\n')).toHaveLength(2);
  expect(await verifyAudit(opened.database, workspace, { keys, anchors: heads })).toMatchObject({ isWhole: true });
  expect(await anchoredHeads(join(folder, 'none'), workspace)).toEqual([]);
});

test('a replica keeps the heads that other replicas have signed, and none that the gateway did not sign', async () => {
  const [signed, forged] = [await freshChain(), await freshChain()];
  await opened.attacker`update audit_checkpoints set signature = sha256('x') where workspace_id = ${forged}`;
  const path = join(folder, randomUUID(), 'anchors');
  const publishAgain = (): Promise<void> =>
    new Signer(opened.database, new Writer(opened.database), { anchorStore: fileAnchors(path, keys) }).publish();
  await publishAgain();
  expect(await anchoredHeads(path, signed)).toMatchObject([{ seq: 9 }]);
  expect(await anchoredHeads(path, forged)).toEqual([]);
  await publishAgain();
  expect(readFileSync(fileIn(path), 'utf8').split('\n')).toHaveLength(2);
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
    workspaces: () => [],
  };
  const signer = new Signer(opened.database, new Writer(opened.database), { anchorStore });
  await expect(signer.publish()).rejects.toThrow('ENOSPC');
  isFull = false;
  await signer.publish();
  await signer.publish();
  expect(kept).toEqual([9]);
});

test('a replica that starts refuses a chain that was set back, if its anchors know a later head', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  await writeAs(path, workspace);
  await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > 6`;
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > 6`;
  await expect(writeAs(path, workspace)).rejects.toThrow('a row that was signed is missing');
  // Without a memory outside of the database, it cannot know.
  await writeAs(undefined, workspace);
  const anchors = await anchoredHeads(path, workspace);
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, rows: 7 });
  expect(await verifyAudit(opened.database, workspace, { keys, anchors })).toMatchObject({ problem: 'truncated' });
});

test('a file with a line that was not signed is refused', async () => {
  const path = await publish(await createWorkspace(opened.database, 'refused'));
  const file = fileIn(path);
  const { size } = statSync(file);
  const signed = readFileSync(file, 'utf8');
  for (const line of ['', '{', signed.trim().replace('"line":1', '"line":2'), signed.trim().replace('[["', '[["0')]) {
    appendFileSync(file, `${line}\n`);
    expect(() => fileAnchors(path, keys)).toThrow('did not sign');
    truncateSync(file, size);
  }
  fileAnchors(path, keys);
});

test('a file of another key is told from a damaged one', async () => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  const others = auditKeysOf(randomBytes(32));
  expect(() => fileAnchors(path, others)).toThrow('SALLYPORT_KEY does not fit');
  expect(fileAnchors(path, [...others, ...keys]).last(workspace)?.seq).toBe(10);
});

test.each([
  { title: 'was set back', payload: 6 },
  { title: 'was set back to its beginning', payload: 0 },
])('a replica that starts reports a chain that $title, before a call meets it', async ({ payload }) => {
  const workspace = await freshChain();
  const path = await publish(workspace);
  await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > ${payload}`;
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > ${payload}`;
  const anchorStore = fileAnchors(path, keys);
  const database = openDatabase(opened.url, { max: 1, audit: { keys, anchors: (id) => anchorStore.last(id) } });
  const causes: unknown[] = [];
  const time = new ManualTime();
  const onError = (cause: unknown): unknown => causes.push(cause);
  const signer = new Signer(database, new Writer(database), { anchorStore, onError, timer: time.timer });
  signer.start();
  await eventually(() => expect(causes).toContainEqual(expect.objectContaining({ code: 'AUDIT_DAMAGED', workspace })));
  expect(String(causes[0])).toContain('move the folder of SALLYPORT_ANCHORS away');
  await signer.stop();
  await database.close();
});

test('a folder that cannot be written is refused with the next step', () => {
  expect(() => fileAnchors('/dev/null/anchors', keys)).toThrow('set SALLYPORT_ANCHORS');
});
