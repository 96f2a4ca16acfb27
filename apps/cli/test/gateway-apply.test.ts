import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dryRunLines } from '../src/gateway/dry-run.ts';
import { gatewayCommand } from '../src/gateway/gateway.ts';
import { painter } from '../src/terminal-text.ts';
import { runCommand, type Said, TestFolder } from './fixtures/rig.ts';
import { KEY, storeIfAny } from './fixtures/store.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const store = await storeIfAny();
afterAll(() => store?.drop());

test('a dry run says how the decisions differ, and which', () => {
  const call = { principal: 'ann', server: 'mail', tool: 'send', at: Date.UTC(2026, 0, 2, 3, 4, 5) };
  const changed = [
    { ...call, before: 'allow', after: 'ask', rule: 'content', cell: 'send, content' } as const,
    { ...call, before: 'ask', after: 'deny', rule: 'hidden' } as const,
  ];
  const [asked, denied, marked] = [
    { more: 1, fewer: 1 },
    { more: 1, fewer: 0 },
    { more: 1, fewer: 4 },
  ];
  const counts = { calls: 40, asked, denied, marked, unread: 0 };
  const ignored = ['conversations', 'secondPerson'] as const;
  const lines = dryRunLines({ ...counts, changed, ignored, stoppedBy: 'time' }, '7d', painter(false));
  expect(lines).toEqual([
    'Of 40 recorded calls of the last 7d, this policy would have asked 1 more times and 1 fewer; denied 1 more.',
    '  2026-01-02 03:04:05  mail.send  ann  allow -> ask  (cell send, content)',
    '  2026-01-02 03:04:05  mail.send  ann  ask -> deny  (hidden)',
    'In what was read, 1 more and 4 fewer spans would be marked.',
    'Not all calls were judged: the time ran out. Choose a shorter time with --last.',
    expect.stringContaining('`conversations` changes, but was not tried out'),
    expect.stringContaining('`secondPerson` changes, but was not tried out'),
  ]);
});

describe.skipIf(store === undefined)('a policy as a file', () => {
  const environment = {
    DATABASE_URL: store?.url,
    DATABASE_OWNER_URL: store?.ownerUrl,
    SALLYPORT_ANCHORS: 'off',
    SALLYPORT_KEY: KEY,
  };

  function run(...words: readonly string[]): Promise<Said> {
    return runCommand(gatewayCommand, testFolder, words, { env: environment });
  }

  /** Applies a file with this content. */
  function apply(text: string, ...options: readonly string[]): Promise<Said> {
    return run('apply', '-f', testFolder.write('policy.yaml', text), '--workspace', 'acme', ...options);
  }

  beforeAll(async () => {
    testFolder = new TestFolder();
    await run('migrate');
    await run('workspace', 'acme');
    for (const name of ['mail', 'bank'])
      await store?.attacker.unsafe(`insert into servers (workspace_id, name, kind, command)
        select workspace_id, '${name}', 'stdio', 'x' from workspaces where name = 'acme'`);
    testFolder.remove();
  });

  const YAML = `preset: strict
table:
  send: { content: ask }
servers:
  mail: { trusted: true, tools: { send_mail: { effect: send } } }
`;

  test('is tried out, applied, and then there is nothing to do', async () => {
    const tried = await apply(YAML, '--dry-run');
    const lines = [
      '+ preset: "strict"',
      '+ servers.mail.tools.send_mail.effect: "send"',
      '+ servers.mail.trusted: true',
      '+ table.send.content: "ask"',
    ];
    expect(tried).toMatchObject({ code: 0, out: `${lines.join('\n')}\n`, error: expect.stringContaining('version 0') });
    expect(await apply(YAML)).toMatchObject({
      code: 0,
      out: tried.out,
      error: expect.stringContaining('version 1 now'),
    });
    // Its row in the audit is signed at once, even if no replica runs.
    const rows = await store?.attacker.unsafe(`select max(audit.seq) = max(point.seq) as is_signed
      from audit join audit_checkpoints point using (workspace_id)`);
    expect(rows).toEqual([{ is_signed: true }]);
    expect(await apply(YAML)).toMatchObject({ code: 0, out: '', error: expect.stringContaining('Nothing to do') });
    // The same policy in another order and as JSON is the same.
    const json = JSON.stringify({
      servers: { mail: { tools: { send_mail: { effect: 'send' } }, trusted: true } },
      table: { send: { content: 'ask' } },
      preset: 'strict',
    });
    expect(await apply(json)).toMatchObject({ code: 0, out: '', error: expect.stringContaining('Nothing to do') });
  });

  test('is printed in the form that can be applied again, and differences are shown by value', async () => {
    await apply(YAML);
    const printed = await run('policy', 'acme');
    expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^# Policy of acme, version 1\n/) });
    expect(await apply(printed.out)).toMatchObject({ code: 0, out: '' });
    const changed = await apply(YAML.replace('strict', 'balanced').replace(' trusted: true,', ''));
    expect(changed.out).toBe('~ preset: "strict" -> "balanced"\n- servers.mail.trusted: true\n');
  });

  test.each([
    ['presett: strict', 'did you mean `preset`?'],
    ['servers: { mial: {} }', 'unknown server mial, did you mean mail?'],
    ['servers: { mial: {} }', '--allow-unknown'],
    ['thresholds: { imperative: high }', "below 'high'"],
    ['table: { send: { instructed: allow } }', 'must be one of ask, deny'],
    ['servers: { mail: { preset: strict } }', 'set it at the top'],
    ['a: [', 'is not valid YAML or JSON'],
  ])('like %j is refused with exit code 1 and the reason', async (text, reason) => {
    const before = await run('policy', 'acme');
    for (const options of [[], ['--dry-run']]) {
      const said = await apply(text, ...options);
      expect(said).toMatchObject({ code: 1, out: '' });
      expect(said.error).toContain(reason);
    }
    expect(await run('policy', 'acme')).toEqual(before);
  });

  test('is refused with everything that is wrong with it', async () => {
    const { error } = await apply('presett: strict\nlimit: 0\nservers: { mail: { trustd: true } }');
    expect(error).toBe(
      [
        'error: the policy is refused: `presett` is not known in the policy.',
        ' next: did you mean `preset`?',
        'error: `limit` is not valid.',
        ' next: it must be >= 1.',
        'error: `trustd` is not known in servers.mail.',
        ' next: did you mean `trusted`?',
        '',
      ].join('\n'),
    );
  });

  test('of the documentation can be applied', async () => {
    const document = readFileSync(new URL('../../../docs/gateway-policy.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(document) ?? [];
    expect(example).toContain('groups:');
    const said = await apply(example);
    expect(said).toMatchObject({ code: 0, error: expect.stringContaining('Applied') });
    expect(said.out).toContain('+ groups.finance.servers.bank.allow: ["*"]\n');
  });

  test('may name a server that comes later', async () => {
    const said = await apply('servers: { later: { trusted: true } }', '--allow-unknown');
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('+ servers.later.trusted: true\n') });
  });

  test('is tried out on the recorded calls of a time', async () => {
    const said = await apply('preset: strict', '--dry-run', '--last', '7d');
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('Of 0 recorded calls of the last 7d') });
    expect(await apply('preset: strict', '--last', '7d')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--dry-run'),
    });
    expect(await apply('preset: strict', '--dry-run', '--last', 'soon')).toMatchObject({ code: 2 });
  });

  test('that does not exist, or a workspace that does not, is wrong usage', async () => {
    expect(await run('apply', '-f', 'nowhere.yaml', '--workspace', 'acme')).toMatchObject({ code: 2 });
    expect(await run('policy', 'nowhere')).toMatchObject({ code: 2, error: expect.stringContaining('workspace') });
  });
});
