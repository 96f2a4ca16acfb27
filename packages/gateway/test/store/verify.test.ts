import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ChainProblem } from '../../src/store/audit/chain.ts';
import { macOf } from '../../src/store/audit/checkpoint.ts';
import { verifyAudit, verifyExport } from '../../src/store/audit/verify.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { give, openChains } from './chain-rig.ts';

const { opened, writer, signer, key, grow, freshChain, linesOf } = await openChains();

test('an untouched chain is whole, in the database and as an export', async () => {
  const workspace = await freshChain();
  const expected = { isWhole: true, start: 0, rows: 9, signed: 9, head: { seq: 9 } };
  expect(await verifyAudit(opened.database, workspace, { key })).toMatchObject(expected);
  const lines = await linesOf(workspace);
  expect(await verifyExport(give(lines), { key })).toMatchObject(expected);
  expect(await verifyExport(give(lines))).toMatchObject({ ...expected, signed: 0 });
  expect(await verifyExport(give(lines), { key: randomBytes(32) })).toEqual({
    isWhole: false,
    problem: 'forged',
    seq: 3,
  });
});

const OF = 'where workspace_id = $1::uuid';

/** Changes a row and all later hashes, as an attacker would who knows the hash function. */
const REHASH = `do $do$
declare line record; before bytea; begin
  update audit set payload = '{}' where workspace_id = '$1' and seq = $2;
  select sha256(uuid_send('$1')) into before;
  for line in select seq, payload from audit where workspace_id = '$1' order by seq loop
    before := sha256(before || int8send(line.seq) || convert_to(line.payload, 'UTF8'));
    update audit set hash = before where workspace_id = '$1' and seq = line.seq;
  end loop;
  update audit_heads set hash = before where workspace_id = '$1';
end $do$`;

const TAMPERS: readonly { title: string; tamper: readonly string[]; problem: ChainProblem; seq: number }[] = [
  { title: 'a payload', tamper: [`update audit set payload = '{}' ${OF} and seq = 5`], problem: 'edit', seq: 5 },
  {
    title: 'one space',
    tamper: [`update audit set payload = payload || ' ' ${OF} and seq = 1`],
    problem: 'edit',
    seq: 1,
  },
  { title: 'a hash', tamper: [`update audit set hash = sha256('x') ${OF} and seq = 9`], problem: 'edit', seq: 9 },
  {
    title: 'where a row is kept',
    tamper: [`update audit set at = at - interval '1 hour' ${OF} and seq = 5`],
    problem: 'edit',
    seq: 5,
  },
  { title: 'the first row removed', tamper: [`delete from audit ${OF} and seq = 1`], problem: 'gap', seq: 1 },
  { title: 'a row removed', tamper: [`delete from audit ${OF} and seq = 5`], problem: 'gap', seq: 5 },
  {
    title: 'rows up to a checkpoint removed',
    tamper: [`delete from audit ${OF} and seq <= 6`],
    problem: 'gap',
    seq: 1,
  },
  {
    title: 'a row removed and the others moved up',
    tamper: [`delete from audit ${OF} and seq = 5`, `update audit set seq = seq - 1 ${OF} and seq > 5`],
    problem: 'edit',
    seq: 5,
  },
  {
    title: 'two rows exchanged',
    tamper: [
      `update audit set seq = -4 ${OF} and seq = 4`,
      `update audit set seq = 4 ${OF} and seq = 5`,
      `update audit set seq = 5 ${OF} and seq = -4`,
    ],
    problem: 'edit',
    seq: 4,
  },
  {
    title: 'a row twice',
    tamper: [
      `insert into audit select workspace_id, seq, at + interval '1 us', payload, hash from audit ${OF} and seq = 5`,
    ],
    problem: 'order',
    seq: 5,
  },
  {
    title: 'a row before the first',
    tamper: [`insert into audit select workspace_id, 0, at, payload, hash from audit ${OF} and seq = 1`],
    problem: 'order',
    seq: 0,
  },
  {
    title: 'a row added behind the last',
    tamper: [
      `insert into audit select workspace_id, 10, at, '{}', sha256(hash || int8send(10) || '{}') from audit ${OF} and seq = 9`,
    ],
    problem: 'head',
    seq: 9,
  },
  { title: 'the last row removed', tamper: [`delete from audit ${OF} and seq = 9`], problem: 'truncated', seq: 9 },
  { title: 'all rows removed', tamper: [`delete from audit ${OF}`], problem: 'truncated', seq: 1 },
  {
    title: 'the last rows removed and the head set back',
    tamper: [
      `delete from audit ${OF} and seq > 7`,
      `update audit_heads set seq = 7, hash = (select hash from audit ${OF} and seq = 7) ${OF}`,
    ],
    problem: 'truncated',
    seq: 8,
  },
  {
    title: 'the hash of the head',
    tamper: [`update audit_heads set hash = sha256('x') ${OF}`],
    problem: 'head',
    seq: 9,
  },
  { title: 'the head set forth', tamper: [`update audit_heads set seq = 12 ${OF}`], problem: 'truncated', seq: 10 },
  {
    title: 'a row changed and all hashes made anew',
    tamper: [REHASH.replace('$2', '2')],
    problem: 'rewritten',
    seq: 3,
  },
  {
    title: 'the last row changed and all hashes made anew',
    tamper: [REHASH.replace('$2', '9')],
    problem: 'rewritten',
    seq: 9,
  },
  {
    title: 'the same, and its checkpoint changed too',
    tamper: [
      REHASH.replace('$2', '9'),
      `update audit_checkpoints set hash = (select hash from audit_heads ${OF}) ${OF} and seq = 9`,
    ],
    problem: 'forged',
    seq: 9,
  },
  {
    title: 'the signature',
    tamper: [`update audit_checkpoints set mac = sha256('x') ${OF} and seq = 3`],
    problem: 'forged',
    seq: 3,
  },
  {
    title: 'no signature',
    tamper: [`update audit_checkpoints set mac = '' ${OF} and seq = 3`],
    problem: 'forged',
    seq: 3,
  },
  {
    title: 'a start made of a checkpoint, to hide what was removed',
    tamper: [`update audit_checkpoints set kind = 'start' ${OF} and seq = 6`, `delete from audit ${OF} and seq <= 6`],
    problem: 'forged',
    seq: 6,
  },
  {
    title: 'all checkpoints removed, long after',
    tamper: [`delete from audit_checkpoints ${OF}`, `update audit set at = at - interval '1 hour' ${OF}`],
    problem: 'unsigned',
    seq: 1,
  },
];

describe('detects', () => {
  test.each(TAMPERS)('$title', async ({ tamper, problem, seq }) => {
    const workspace = await freshChain();
    for (const statement of tamper) {
      if (statement.startsWith('do')) await opened.attacker.unsafe(statement.replaceAll('$1', workspace));
      else expect((await opened.attacker.unsafe(statement, [workspace])).count).toBeGreaterThan(0);
    }
    const report = { isWhole: false, problem, seq };
    expect(await verifyAudit(opened.database, workspace, { key })).toEqual(report);
    // An export does not contain the time of a row.
    if (problem !== 'unsigned' && !tamper.some((statement) => statement.startsWith('update audit set at')))
      expect(await verifyExport(give(await linesOf(workspace)), { key })).toEqual(report);
  });

  test('the chain of another workspace', async () => {
    const [one, other] = [await freshChain(), await freshChain()];
    await opened.attacker`delete from audit where workspace_id = ${one}`;
    await opened.attacker`update audit set workspace_id = ${one} where workspace_id = ${other}`;
    expect(await verifyAudit(opened.database, one)).toEqual({ isWhole: false, problem: 'edit', seq: 1 });
  });

  test('truncation of every table, by an anchor that was recorded elsewhere', async () => {
    const workspace = await freshChain();
    const whole = await verifyAudit(opened.database, workspace, { key });
    if (!whole.isWhole) throw new Error('not whole');
    const anchor = whole.head;
    await grow(workspace, 1);
    expect(await verifyAudit(opened.database, workspace, { key, anchor })).toMatchObject({ isWhole: true, rows: 10 });
    await opened.attacker`delete from audit where workspace_id = ${workspace} and seq > 6`;
    await opened.attacker`delete from audit_checkpoints where workspace_id = ${workspace} and seq > 6`;
    await opened.attacker`update audit_heads set seq = 6, hash = (select hash from audit_checkpoints
      where workspace_id = ${workspace} and seq = 6) where workspace_id = ${workspace}`;
    expect(await verifyAudit(opened.database, workspace, { key })).toMatchObject({ isWhole: true, rows: 6 });
    expect(await verifyAudit(opened.database, workspace, { key, anchor })).toMatchObject({
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

describe('an export', () => {
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
    expect(await verifyExport(give(lines), { key })).toMatchObject({ isWhole: false, problem });
  });
});

test('a chain longer than a page is verified to its end', async () => {
  const workspace = await createWorkspace(opened.database, 'long');
  for (let part = 0; part < 5; part++) {
    await writer.write(workspace, { audit: Array.from({ length: 500 }, (_, index) => `${part} ${index}`) });
    await signer.sign();
  }
  expect(await verifyAudit(opened.database, workspace, { key })).toMatchObject({
    isWhole: true,
    rows: 2500,
    signed: 2500,
  });
});

test('a checkpoint is valid only for its workspace, position and kind', () => {
  const head = { seq: 1, hash: 'ab' };
  const macs = [macOf(key, 'a', 'head', head), macOf(key, 'b', 'head', head), macOf(key, 'a', 'start', head)];
  expect(new Set([...macs, macOf(key, 'a', 'head', { ...head, seq: 2 })]).size).toBe(4);
});
