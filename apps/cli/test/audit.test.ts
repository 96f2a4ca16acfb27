import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readKeys } from '../../gateway/src/operate/config.ts';
import { type AuditKey, auditKeysOf, genesisOf, hashOf } from '../../gateway/src/store/links.ts';
import { migrate } from '../../gateway/src/store/migrate.ts';
import { auditCommand } from '../src/audit/audit.ts';
import { gatewayCommand } from '../src/gateway/gateway.ts';
import { runCommand, type Said, type SayOptions, TestFolder } from './fixtures/rig.ts';
import { KEY, type Store, storeIfAny } from './fixtures/store.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const store = await storeIfAny();
afterAll(() => store?.drop());

describe.skipIf(store === undefined)('the audit of a workspace', () => {
  const { url, ownerUrl, attacker } = (store ?? {}) as Store;
  const environment = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, SALLYPORT_ANCHORS: 'off', SALLYPORT_KEY: KEY };
  let count = 0;
  beforeAll(() => migrate(ownerUrl));

  function run(words: readonly string[], options: SayOptions = {}): Promise<Said> {
    return runCommand(auditCommand, testFolder, words, { env: environment, ...options });
  }

  /** A workspace whose chain has this number of rows. */
  async function chain(rows: number): Promise<string> {
    const name = `audit-${count++}`;
    const words = [['workspace', name]];
    while (words.length < rows) words.push(['key', name, '--principal', 'ada', '--scopes', 'mcp']);
    for (const each of words)
      expect(await runCommand(gatewayCommand, testFolder, each, { env: environment })).toMatchObject({ code: 0 });
    return name;
  }

  const ofName = (name: string) => attacker`select workspace_id as id from workspaces where name = ${name}`;

  /** Writes a chain anew, with the key, so that its first rows are of a month long past. */
  async function age(id: string, count: number): Promise<void> {
    const [key] = auditKeysOf(readKeys({ SALLYPORT_KEY: KEY }).keysFor('audit')) as [AuditKey];
    const rows = await attacker`delete from audit where workspace_id = ${id} returning seq::int, at, payload`;
    await attacker`delete from audit_checkpoints where workspace_id = ${id}`;
    let head = genesisOf(id);
    for (const { seq, at, payload } of rows.toSorted((one, next) => one.seq - next.seq)) {
      const moment: Date = seq <= count ? new Date('2020-01-05Z') : at;
      head = { seq, hash: hashOf(head.hash, { seq, at: moment.getTime(), payload }) };
      const [hash, mac] = [head.hash, key.macOf(id, head.hash)].map((hex) => Buffer.from(hex, 'hex'));
      await attacker`insert into audit values (${id}, ${seq}, ${moment}, ${payload}, ${hash ?? ''}, ${mac ?? ''})`;
    }
  }

  /** The anchor that `verify` prints. */
  async function anchorOf(name: string): Promise<string> {
    const { out } = await run(['verify', name]);
    return /^Anchor: (\S+)$/m.exec(out)?.[1] ?? '';
  }

  test('is intact, and prints an anchor that a later run can check', async () => {
    const name = await chain(2);
    const said = await run(['verify', name]);
    expect(said).toMatchObject({ code: 0, error: '' });
    expect(said.out).toMatch(
      /^Intact: 2 rows; signed up to row 2\.\nCompared anchors: none \(.*\n(?:Anchor: 2:[0-9a-f]{64}\n)$/,
    );
    const anchor = await anchorOf(name);
    await runCommand(gatewayCommand, testFolder, ['key', name, '--principal', 'b', '--scopes', 'mcp'], {
      env: environment,
    });
    expect(await run(['verify', name, '--anchor', anchor])).toMatchObject({ code: 0 });
    const other = `${anchor.slice(0, -1)}${anchor.endsWith('0') ? '1' : '0'}`;
    expect(await run(['verify', name, '--anchor', other])).toMatchObject({
      code: 1,
      out: expect.stringContaining('TAMPERED at row 2: the rows differ from those'),
    });
  });

  test('says which anchors were compared, that a file of them is missing, and that a key does not fit', async () => {
    const folder = testFolder.path('anchors');
    const env = { ...environment, SALLYPORT_ANCHORS: folder };
    const name = await chain(1);
    expect((await run(['verify', name], { env })).out).toContain(`none (0 files of ${folder}: none of this workspace`);
    const words = ['key', name, '--principal', 'b', '--scopes', 'mcp'];
    for (let turn = 0; turn < 2; turn++) await runCommand(gatewayCommand, testFolder, words, { env });
    expect((await run(['verify', name], { env })).out).toMatch(
      new RegExp(`^Compared anchors: 2 heads in 2 files of ${folder}, [-0-9]+ to [-0-9]+\\.$`, 'm'),
    );
    const last = (await run(['verify', name, '--from', 'last'], { env })).out;
    expect(last).toContain('Compared anchors: 1 head in 2 files');
    const given = await run(['verify', name, '--anchor', await anchorOf(name)]);
    expect(given.out).toContain('Compared anchors: the one of --anchor.\n');
    const otherKey = await run(['verify', name], { env: { ...env, SALLYPORT_KEY: '0'.repeat(64) } });
    expect(otherKey).toMatchObject({ code: 2, error: expect.stringContaining('SALLYPORT_KEY is not the key') });
    const [gone = ''] = readdirSync(folder).filter((each) => readFileSync(join(folder, each)).includes('"follows":{}'));
    rmSync(join(folder, gone));
    const missing = await run(['verify', name], { env });
    expect(missing).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^TAMPERED: .*\(anchors\)\.\nAnchors: .*missing/),
    });
  });

  test.each([
    [
      'an edit',
      (id: string) => attacker`update audit set payload = '{}' where workspace_id = ${id} and seq = 2`,
      'edit',
    ],
    ['a gap', (id: string) => attacker`delete from audit where workspace_id = ${id} and seq = 2`, 'gap'],
    ['a truncation', (id: string) => attacker`delete from audit where workspace_id = ${id} and seq = 3`, 'truncated'],
  ])('%s is detected', async (_, tamper, problem) => {
    const name = await chain(3);
    const [row] = await ofName(name);
    await tamper(row?.id as string);
    const said = await run(['verify', name]);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(new RegExp(`^TAMPERED at row [23]: .*\\(${problem}\\)\\.\\n$`));
  });

  test('a part of a chain says that rows before it were not checked, unless its start is given', async () => {
    const name = await chain(3);
    const first = await run(['export', name]);
    const row = first.out.split('\n').find((line) => line.includes('"type":"row"') && line.includes('"seq":1')) ?? '{}';
    const { hash } = JSON.parse(row) as { hash?: string };
    const file = testFolder.write('part.jsonl', (await run(['export', name, '--after', '1'])).out);
    const said = await run(['verify', '--file', file]);
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('Rows before it were not checked') });
    const given = await run(['verify', '--file', file, '--from', `1:${hash}`]);
    expect(given).toMatchObject({ code: 0, out: expect.not.stringContaining('not checked') });
  });

  test('a run after the last row says that nothing is left to check', async () => {
    const name = await chain(2);
    expect(await run(['verify', name, '--from', await anchorOf(name)])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact: 0 rows after row 2, .*; nothing to check\.\n/),
    });
  });

  test('an export is verified without a database, with and without the key', async () => {
    const name = await chain(2);
    const exported = await run(['export', name]);
    expect(exported.code).toBe(0);
    expect(exported.error).toContain('The export is complete.');
    const file = testFolder.write('acme.jsonl', exported.out);
    const keyOnly = { env: { SALLYPORT_KEY: KEY } };
    expect(await run(['verify', '--file', file], keyOnly)).toMatchObject({
      code: 0,
      out: expect.stringContaining('signed up to row 2'),
    });
    expect(await run(['verify', '--file', file, '--anchor', await anchorOf(name)], { env: {} })).toMatchObject({
      code: 0,
      out: expect.stringContaining('signatures were not checked'),
    });
    const otherKey = { env: { SALLYPORT_KEY: '0'.repeat(64) } };
    expect(await run(['verify', '--file', file], otherKey)).toMatchObject({
      code: 1,
      out: expect.stringContaining('(forged)'),
    });
    const edited = testFolder.write('edited.jsonl', readFileSync(file, 'utf8').replace('operator', 'intruder'));
    expect(await run(['verify', '--file', edited], { env: {} })).toMatchObject({
      code: 1,
      out: expect.stringContaining('(edit)'),
    });
    const cut = testFolder.write('cut.jsonl', exported.out.split('\n').slice(0, -2).join('\n'));
    expect(await run(['verify', '--file', cut], { env: {} })).toMatchObject({ code: 1 });
    expect(await run(['verify', '--file', testFolder.write('empty', '')], { env: {} })).toMatchObject({ code: 2 });
    expect(await run(['verify', '--file', testFolder.write('note.md', '# A note')], { env: {} })).toMatchObject({
      code: 2,
      error: expect.stringContaining('not an audit export'),
    });
  });

  test('signatures of an old key are valid as long as the key is listed in SALLYPORT_KEY', async () => {
    const name = await chain(2);
    const added = '1'.repeat(64);
    const both = { env: { ...environment, SALLYPORT_KEY: `${added},${KEY}` } };
    const alone = { env: { ...environment, SALLYPORT_KEY: added } };
    await runCommand(gatewayCommand, testFolder, ['key', name, '--principal', 'b', '--scopes', 'mcp'], both);
    expect(await run(['verify', name], both)).toMatchObject({
      code: 0,
      out: expect.stringContaining('signed up to row 3'),
    });
    for (const each of [{}, alone])
      expect(await run(['verify', name], each)).toMatchObject({ code: 1, out: expect.stringContaining('(forged)') });
  });

  test('old months are removed after a confirmation, and the chain starts after them', async () => {
    const name = await chain(3);
    const [row] = await ofName(name);
    const [owner] = await attacker`select tableowner from pg_tables where tablename = 'audit'`;
    await attacker.unsafe(`create table audit_2020_01 partition of audit
      for values from ('2020-01-01Z') to ('2020-02-01Z'); alter table audit_2020_01 owner to ${owner?.tableowner}`);
    await age(String(row?.id), 2);
    const words = ['remove', '--before', '2020-02-01'];
    expect(await run(words, { answer: false })).toMatchObject({
      code: 1,
      error: expect.stringContaining('nothing was'),
    });
    expect(await run(words)).toMatchObject({ code: 1, error: expect.stringContaining('add --yes') });
    const before = ['remove', '--before', '2020-01-31', '--yes'];
    expect(await run(before)).toMatchObject({ code: 0, out: 'Nothing to remove.\n' });
    expect(await run(words, { answer: true })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Removed: audit_2020_01\n'),
    });
    expect(await run(['verify', name])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Intact: 1 rows after row 2, which'),
    });
  });

  test.each([
    [['verify']],
    [['verify', 'acme', '--file', 'x']],
    [['verify', '--file', 'not-there']],
    [['verify', 'nowhere']],
    [['verify', 'acme', '--anchor', '7']],
    [['export']],
    [['export', 'nowhere']],
    [['remove']],
    [['remove', '--before', '2020-02-31']],
    [['remove', '--before', '2999-01-01']],
  ])('wrong usage: %j', async (words) => {
    expect(await run(words)).toMatchObject({ code: 2, out: '' });
  });

  test('an unreachable database is reported with exit code 3', async () => {
    const env = { ...environment, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    for (const words of [
      ['verify', 'acme'],
      ['export', 'acme'],
      ['remove', '--before', '2020-01-01', '--yes'],
    ])
      expect(await run(words, { env })).toMatchObject({ code: 3, out: '' });
  });
});
