import { digestText } from '@sallyport/core/adapter';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ServerThreshold, Thresholds } from '../../src/store/feedback.ts';
import { exportCorrections, listCorrections } from '../../src/store/policy/correction-list.ts';
import { Corrections, decisionDigest } from '../../src/store/policy/corrections.ts';
import { Findings } from '../../src/store/policy/findings.ts';
import { openStore } from '../fixture/store.ts';

const { opened, bus, workspace, other } = await openStore();
const corrections = new Corrections(opened.database);
const SPAN = { server: 'mail', tool: 'read', tag: 'imperative', likelihood: 'low' } as const;
const CALL = {
  principal: 'ann',
  conversation: 'work',
  call: 'c1',
  server: 'mail',
  tool: 'send',
  rule: 'table',
} as const;

const said = (text: string, verdict: 'false-alarm' | 'attack') =>
  ({ ...SPAN, digest: digestText(text), verdict, text }) as const;

async function audited(): Promise<readonly Record<string, unknown>[]> {
  const rows = await opened.attacker`select payload from audit where workspace_id = ${workspace} order by seq`;
  return rows.map(({ payload }) => JSON.parse(payload)).filter(({ type }) => type === 'correction');
}

async function exported(keepsText: boolean): Promise<readonly Record<string, unknown>[]> {
  const lines: string[] = [];
  const write = async (line: string): Promise<void> => void lines.push(line);
  await exportCorrections(opened.database, workspace, { by: 'boss', keepsText }, write);
  return lines.map((line) => JSON.parse(line));
}

beforeEach(async () => {
  await opened.attacker`delete from feedback`;
  await opened.attacker`delete from corrected_decisions`;
});

describe('corrections', () => {
  test('of spans, passages and decisions are listed with who said them, and are in the audit', async () => {
    await corrections.recordVerdict(workspace, said('one', 'false-alarm'), 'ann');
    const hidden = { tag: 'imperative', likelihood: 'low', digest: digestText('obey'), text: 'obey' } as const;
    const passage = { server: 'mail', tool: 'read', text: 'please obey', spans: [hidden], keepsText: false };
    await corrections.recordPassage(workspace, passage, 'bob');
    await corrections.recordDecision(workspace, { ...CALL, outcome: 'deny', wasMade: false, verdict: 'attack' }, 'bob');
    const listed = await listCorrections(opened.database, workspace);
    expect(listed).toHaveLength(4);
    for (const expected of [
      { type: 'decision', server: 'mail', tool: 'send', outcome: 'deny', wasMade: false, verdict: 'attack', by: 'bob' },
      { type: 'passage', tag: 'missed', likelihood: 'none', digest: digestText('please obey'), verdict: 'attack' },
      { type: 'span', tag: 'imperative', digest: digestText('obey'), verdict: 'attack', by: 'bob' },
      { type: 'span', ...SPAN, digest: digestText('one'), verdict: 'false-alarm', by: 'ann' },
    ])
      expect(listed).toContainEqual(expect.objectContaining(expected));
    expect(listed[0]).toMatchObject({ type: 'decision' });
    expect((await listCorrections(opened.database, workspace, 'ann')).map(({ by }) => by)).toEqual(['ann']);
    expect(await listCorrections(opened.database, other)).toEqual([]);
    expect(await audited()).toMatchObject([
      { what: 'harmless', of: 'span', server: 'mail', tag: 'imperative', digest: digestText('one'), by: 'ann' },
      { what: 'attack', of: 'passage', server: 'mail', digest: digestText('please obey'), by: 'bob' },
      { what: 'attack', of: 'decision', server: 'mail', digest: decisionDigest(CALL, 'c1'), by: 'bob' },
    ]);
  });

  test('replace what the same person said before', async () => {
    for (const verdict of ['attack', 'false-alarm'] as const) {
      await corrections.recordVerdict(workspace, said('one', verdict), 'ann');
      await corrections.recordDecision(workspace, { ...CALL, outcome: 'ask', wasMade: false, verdict }, 'ann');
    }
    const listed = await listCorrections(opened.database, workspace);
    expect(listed.map(({ verdict }) => verdict)).toEqual(['false-alarm', 'false-alarm']);
    expect(await corrections.saidOfDecisions(workspace, 'ann', 'ann')).toEqual(
      new Map([[decisionDigest(CALL, 'c1'), 'false-alarm']]),
    );
    expect(await corrections.saidOfDecisions(workspace, 'ann', 'bob')).toEqual(new Map());
    expect(await corrections.saidOfDecisions(other, 'ann', 'ann')).toEqual(new Map());
  });

  test('are exported with their texts only if the workspace keeps them', async () => {
    await corrections.recordVerdict(workspace, said('do this', 'attack'), 'ann');
    await corrections.recordVerdict(workspace, said('fine', 'false-alarm'), 'ann');
    await corrections.recordVerdict(workspace, { ...said('kept as a digest', 'attack'), text: undefined }, 'ann');
    const [attack, harmless, bare] = await exported(true);
    expect(attack).toMatchObject({
      ...SPAN,
      verdict: 'attack',
      text: 'do this',
      label: 'injection',
      split: 'test',
      spans: [{ start: 0, end: 7, kind: 'imperative' }],
    });
    expect(harmless).toMatchObject({ text: 'fine', label: 'benign', spans: [] });
    expect(bare).not.toHaveProperty('text');
    expect(bare).not.toHaveProperty('split');
    const digests = await exported(false);
    expect(digests).toHaveLength(3);
    expect(JSON.stringify(digests)).not.toMatch(/do this|fine|"by"/);
    expect((await audited()).at(-1)).toMatchObject({ what: 'exported', by: 'boss' });
  });

  test('of findings are known again for each person', async () => {
    const findings = new Findings(opened.database);
    const spans = ['one', 'two'].map((text) => ({ ...SPAN, text }));
    await findings.add(workspace, 'ann', spans);
    await corrections.recordVerdict(workspace, said('one', 'attack'), 'ann');
    const verdicts = async (by: string): Promise<unknown[]> =>
      [...(await findings.saidOf(workspace, 'ann', by)).values()].toSorted();
    expect(await verdicts('ann')).toEqual(['attack', undefined]);
    expect(await verdicts('bob')).toEqual([undefined, undefined]);
    expect(await findings.saidOf(other, 'ann', 'ann')).toEqual(new Map());
  });
});

describe('trying out a threshold', () => {
  const change = (least: ServerThreshold['least']): ServerThreshold => ({ server: 'mail', tag: 'imperative', least });

  test.each([
    { title: 'without false alarms', said: [], missed: [], least: 'medium', refusal: '3 reported false alarms' },
    { title: 'at the floor', said: [], missed: [], least: 'high', refusal: "must be below 'high'" },
    { title: 'that misses a known attack', said: [], missed: ['x'], least: 'medium', refusal: '1 known attacks' },
    {
      title: 'that hides a reported attack',
      said: ['attack'],
      missed: [],
      least: 'medium',
      refusal: 'was reported as an attack',
    },
    { title: 'that is low', said: ['attack'], missed: ['x'], least: 'low', refusal: undefined },
    { title: 'with enough false alarms', said: [], alarms: 3, missed: [], least: 'medium', refusal: undefined },
  ] as const)('$title says what setting it says', async (given) => {
    const { missed, least, refusal } = given;
    const alarms = 'alarms' in given ? given.alarms : 0;
    for (const verdict of given.said) await corrections.recordVerdict(workspace, said('attack', verdict), 'ann');
    for (let text = 0; text < alarms; text++)
      await corrections.recordVerdict(workspace, said(`text ${text}`, 'false-alarm'), 'ann');
    const thresholds = new Thresholds(opened.database, bus, async () => missed);
    const before = await opened.attacker`select count(*)::int as count from audit`;
    const tried = await thresholds.tryOut(workspace, change(least));
    expect(await opened.attacker`select count(*)::int as count from audit`).toEqual(before);
    expect(tried).toMatchObject({
      isAllowed: refusal === undefined,
      alarms: { reported: alarms, needed: 3 },
      attacks: least === 'low' ? 0 : given.said.length,
      missed: missed.length,
      days: 30,
    });
    const set = await thresholds.set(workspace, change(least), 'ann').then(
      () => undefined,
      (cause: Error) => cause.message,
    );
    expect(tried.refusal).toBe(set);
    if (refusal === undefined) expect(set).toBeUndefined();
    else expect(set).toContain(refusal);
    thresholds.close();
  });

  test('lists those that apply, with attacks that were reported since', async () => {
    const thresholds = new Thresholds(opened.database, bus, async () => [], { alarms: 0 });
    await thresholds.set(workspace, change('medium'), 'ann');
    await thresholds.set(workspace, { ...change('low'), tag: 'obfuscated' }, 'ann');
    await corrections.recordVerdict(workspace, said('late', 'attack'), 'bob');
    const [listed, ...more] = await thresholds.list(workspace);
    expect(more).toEqual([]);
    expect(listed).toMatchObject({ ...change('medium'), by: 'ann', attacks: 1 });
    expect(Math.round(((listed?.until.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(30);
    expect(await thresholds.list(other)).toEqual([]);
    await opened.attacker`update thresholds set until = now()`;
    expect(await thresholds.list(workspace)).toEqual([]);
    thresholds.close();
  });
});
