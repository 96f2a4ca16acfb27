import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ChainProblem } from '../../src/store/audit/chain.ts';
import { exportAudit, verifyAudit, verifyExport } from '../../src/store/audit/verify.ts';
import { type AuditKey, auditKeysOf, type Head, PublicAuditKey } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { give, openChains } from './chain-rig.ts';

const { opened, writer, signer, keys, grow, freshChain, plant, linesOf } = await openChains();

test('an untouched chain is whole, in the database and as an export', async () => {
  const workspace = await freshChain();
  const expected = { isWhole: true, start: 0, rows: 9, signed: 9, head: { seq: 9 } };
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject(expected);
  const lines = await linesOf(workspace);
  expect(await verifyExport(give(lines), { keys })).toMatchObject(expected);
  expect(await verifyExport(give(lines))).toMatchObject({ ...expected, signed: 0 });
  expect(await verifyExport(give(lines), { keys: auditKeysOf(randomBytes(32)) })).toEqual({
    isWhole: false,
    problem: 'forged',
    seq: 1,
  });
});

describe('detects', () => {
  test.each<readonly [ChainProblem, number, string]>([
    ['edit', 5, "update audit set payload = '{}' where workspace_id = $1::uuid and seq = 5"],
    ['forged', 5, "update audit set mac = sha256('x') where workspace_id = $1::uuid and seq = 5"],
    ['gap', 5, 'delete from audit where workspace_id = $1::uuid and seq = 5'],
    ['gap', 6, 'delete from audit where workspace_id = $1::uuid and seq = 6'],
    ['truncated', 9, 'delete from audit where workspace_id = $1::uuid and seq = 9'],
    [
      'order',
      0,
      'insert into audit select workspace_id, 0, at, payload, hash, mac from audit where workspace_id = $1::uuid and seq = 1',
    ],
    ['forged', 3, "update audit_checkpoints set signature = '' where workspace_id = $1::uuid and seq = 3"],
  ])('%s at row %i, in the database and in an export', async (problem, seq, statement) => {
    const workspace = await freshChain();
    expect((await opened.attacker.unsafe(statement, [workspace])).count).toBe(1);
    const report = { isWhole: false, problem, seq };
    expect(await verifyAudit(opened.database, workspace, { keys })).toEqual(report);
    expect(await verifyExport(give(await linesOf(workspace)), { keys })).toEqual(report);
  });

  test('truncation of every table, by an anchor that was recorded elsewhere', async () => {
    const workspace = await freshChain();
    const whole = await verifyAudit(opened.database, workspace, { keys });
    if (!whole.isWhole) throw new Error('not whole');
    const anchor = whole.head;
    await grow(workspace, 1);
    expect(await verifyAudit(opened.database, workspace, { keys, anchor })).toMatchObject({ isWhole: true, rows: 10 });
    await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > 6`;
    await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > 6`;
    expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, rows: 6 });
    expect(await verifyAudit(opened.database, workspace, { keys, anchor })).toMatchObject({
      problem: 'truncated',
      seq: 9,
    });
    const forged = { seq: 5, hash: anchor.hash };
    expect(await verifyAudit(opened.database, workspace, { anchor: forged })).toMatchObject({
      problem: 'rewritten',
      seq: 5,
    });
  });
});

test('rows that are old and have lost only their signatures are reported, and rows of the last minute are not', async () => {
  const workspace = await createWorkspace(opened.database, 'unsigned');
  const old = Date.now() - 3_600_000;
  await plant(
    workspace,
    [0, 1, 2, 3, 4, 5].map((each) => ({ at: new Date(old + each), payload: '{}' })),
  );
  await grow(workspace, 1);
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, signed: 6 });
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq = 6`;
  const report = { isWhole: false, problem: 'unsigned', seq: 4 };
  expect(await verifyAudit(opened.database, workspace, { keys })).toEqual(report);
  await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace}`;
  expect(await verifyAudit(opened.database, workspace, { keys })).toEqual({ ...report, seq: 1 });
});

test('a part says that only itself knows where it begins, unless its start is given', async () => {
  const workspace = await freshChain();
  const [, ...lines] = await linesOf(workspace);
  const rows = lines.map((line) => JSON.parse(line) as { type: string; seq: number; hash: string });
  const cut = rows.findIndex(({ type, seq }) => type === 'row' && seq === 5);
  const { seq, hash } = rows[cut] as Head;
  const from = { seq, hash };
  // Made of a whole export by removing its first rows: nothing in the file shows it.
  const begin = JSON.stringify({ type: 'export', format: 'sallyport-audit-2', workspace, from });
  const shortened = [begin, ...lines.slice(cut + 1)];
  const part = { isWhole: true, start: 5, rows: 4 };
  expect(await verifyExport(give(shortened), { keys })).toMatchObject({ ...part, isStartClaimed: true });
  for (const given of [{ from }, { anchor: from }])
    expect(await verifyExport(give(shortened), { keys, ...given })).not.toHaveProperty('isStartClaimed');
  expect(await verifyExport(give(await linesOf(workspace)), { keys })).not.toHaveProperty('isStartClaimed');
});

describe('an export', () => {
  const endAt = (row: string): string => {
    const { seq, hash } = JSON.parse(row) as Head;
    return JSON.stringify({ type: 'head', seq, hash });
  };
  const EDITS: readonly { title: string; edit: (lines: string[]) => string[]; problem: ChainProblem }[] = [
    { title: 'of nothing', edit: () => [], problem: 'malformed' },
    { title: 'without its beginning', edit: (lines) => lines.slice(1), problem: 'malformed' },
    { title: 'with a line that is not JSON', edit: (lines) => lines.with(4, '{'), problem: 'malformed' },
    { title: 'with null', edit: (lines) => lines.with(4, 'null'), problem: 'malformed' },
    { title: 'without its end', edit: (lines) => lines.slice(0, -1), problem: 'truncated' },
    {
      title: 'with two lines exchanged',
      edit: (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''),
      problem: 'gap',
    },
    { title: 'without a row before a signature', edit: (lines) => lines.toSpliced(3, 1), problem: 'gap' },
    { title: 'without rows between signatures', edit: (lines) => lines.toSpliced(5, 3), problem: 'gap' },
    { title: 'without its last rows', edit: (lines) => lines.toSpliced(9, 3), problem: 'truncated' },
    {
      title: 'that ends before its last signature',
      edit: (lines) => [...lines.slice(0, 9), endAt(lines[7] ?? ''), lines.at(-2) ?? ''],
      problem: 'truncated',
    },
    {
      title: 'with a signature before its row',
      edit: (lines) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''),
      problem: 'order',
    },
    { title: 'with a line twice', edit: (lines) => lines.toSpliced(1, 0, lines[1] ?? ''), problem: 'order' },
    { title: 'that continues after its end', edit: (lines) => [...lines, lines[1] ?? ''], problem: 'order' },
    {
      title: 'with a number changed',
      edit: (lines) => lines.with(1, (lines[1] ?? '').replace(':1,', ':2,')),
      problem: 'gap',
    },
  ];

  test.each(EDITS)('$title is not whole', async ({ edit, problem }) => {
    const lines = edit(await linesOf(await freshChain()));
    expect(await verifyExport(give(lines), { keys })).toMatchObject({ isWhole: false, problem });
  });
});

test('a chain longer than a page is verified to its end', async () => {
  const workspace = await createWorkspace(opened.database, 'long');
  for (let part = 0; part < 5; part++) {
    await writer.write(workspace, { audit: Array.from({ length: 500 }, (_, index) => `${part} ${index}`) });
    await signer.sign();
  }
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({
    isWhole: true,
    rows: 2500,
    signed: 2500,
  });
});

test('a checkpoint is valid only for its workspace, position and kind', () => {
  const [key] = keys as [AuditKey];
  const head = { seq: 1, hash: 'ab' };
  const checkpoint = key.sign('a', 'head', head);
  expect(key.public.hasSigned('a', checkpoint)).toBe(true);
  expect(key.public.hasSigned('b', checkpoint)).toBe(false);
  expect(key.public.hasSigned('a', { ...checkpoint, kind: 'start' })).toBe(false);
  expect(key.public.hasSigned('a', { ...checkpoint, seq: 2 })).toBe(false);
  expect(key.public.hasSigned('a', { ...checkpoint, hash: 'cd' })).toBe(false);
});

test('an auditor verifies an export with the public key alone', async () => {
  const lines = await linesOf(await freshChain());
  const publicKeys = [PublicAuditKey.read((keys[0] as AuditKey).public.text) as PublicAuditKey];
  expect(await verifyExport(give(lines), { publicKeys })).toMatchObject({ isWhole: true, rows: 9, signed: 9 });
  const edited = lines.map((line) => line.replace(/("signature":")../, '$100'));
  expect(await verifyExport(give(edited), { publicKeys })).toMatchObject({ isWhole: false, problem: 'forged' });
  expect(PublicAuditKey.read('x')).toBeUndefined();
});

test('a later run verifies only what follows, and an export goes on where another ended', async () => {
  const workspace = await freshChain();
  const first = await verifyAudit(opened.database, workspace, { keys });
  const from = first.isWhole ? first.head : { seq: 0, hash: '' };
  await grow(workspace, 2);
  await signer.sign();
  expect(await verifyAudit(opened.database, workspace, { keys, from })).toMatchObject({
    isWhole: true,
    start: 9,
    rows: 2,
  });
  const lines: string[] = [];
  await exportAudit(opened.database, workspace, (line) => void lines.push(line), 9);
  expect(lines.filter((line) => line.startsWith('{"type":"row"'))).toHaveLength(2);
  expect(await verifyExport(give(lines), { keys })).toMatchObject({ isWhole: true, start: 9, rows: 2, signed: 11 });
  const wrong = { seq: 9, hash: from.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) };
  expect(await verifyAudit(opened.database, workspace, { keys, from: wrong })).toMatchObject({ problem: 'rewritten' });
  await expect(exportAudit(opened.database, workspace, () => undefined, 99)).rejects.toThrow('There is no row 99');
  await opened.attacker`delete from audit where workspace_id = ${workspace} and seq = 10`;
  expect(await verifyAudit(opened.database, workspace, { keys, from })).toMatchObject({ problem: 'gap', seq: 10 });
});
