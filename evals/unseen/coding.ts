// Plays coding sessions through the hook of Claude Code: those of the unseen rounds, and recorded ones of developers whom nobody attacked.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type JudgeOptions, judgeWith } from '@sallyport/core';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { recordedModel } from './answers.mjs';
import { type HeldCall, playSession, type SessionEvent } from './hooks.ts';
import { readSet } from './validate.mjs';

const options = readOptions(
  `
Plays coding sessions through the hook of Claude Code, without a judge and with the recorded one, and prints what was held: of the unseen
rounds, and of recorded sessions of developers whom nobody attacked.

  npm run eval -- coding                       all; writes evals/results/coding.json and the figures
  npm run eval -- coding --dry                 all; writes nothing
  npm run eval -- coding --set round-1         one of round-N, real; writes nothing
  npm run eval -- coding --set real --list     also lists what was held
  npm run eval -- coding --set round-1 --missing FILE
                                               writes the judge's questions that were not recorded, one to a line
`,
  {
    ...{ set: { type: 'string' }, list: { type: 'boolean' }, dry: { type: 'boolean' }, sessions: { type: 'string' } },
    missing: { type: 'string' },
  },
);

interface Session {
  readonly id: string;
  readonly kind: 'harmless' | 'attacked';
  readonly events: readonly SessionEvent[];
  readonly wanted: ReadonlySet<string>;
  readonly deeds: ReadonlySet<string>;
}

interface Turn {
  readonly cwd?: string;
  readonly user?: string;
  readonly call?: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly content?: unknown;
}

/** What Claude Code's tools report, in the fields that they wrap a text in. */
function responseOf(tool: string, input: Readonly<Record<string, unknown>>, content: unknown): unknown {
  if (typeof content !== 'string') return content;
  if (tool === 'Bash') return { stdout: content, stderr: '', interrupted: false, isImage: false };
  if (tool === 'Read') return { type: 'text', file: { filePath: input.file_path, content, numLines: 1, startLine: 1 } };
  if (tool === 'WebFetch') return { bytes: content.length, code: 200, codeText: 'OK', result: content, url: input.url };
  return content;
}

/** The rounds with coding sessions: the first three have conversations too. */
function foldersOf(): readonly string[] {
  return ['rounds', 'coding-rounds'].flatMap((kind) => {
    const folder = join(root, 'evals', 'unseen', kind);
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map((name) => join(folder, name));
  });
}

function ofRound(name: string): readonly Session[] {
  const folder = foldersOf().find((each) => each.endsWith(`/${name}`)) ?? '';
  return readSet(folder)
    .conversations.filter(({ domain }: { domain: string }) => domain === 'coding')
    .map(
      ({
        id,
        kind,
        turns,
        wanted = [],
        deeds = [],
      }: {
        id: string;
        kind: Session['kind'];
        turns: Turn[];
        wanted?: string[];
        deeds?: string[];
      }) => {
        const cwd = turns[0]?.cwd ?? '/srv/project';
        const calls = new Map<string, Turn>();
        const events = turns.flatMap((turn): SessionEvent[] => {
          if (turn.user !== undefined) return [{ type: 'prompt', text: turn.user, cwd }];
          if (turn.call !== undefined) {
            calls.set(turn.call, turn);
            return [{ type: 'call', id: turn.call, tool: turn.tool ?? '', input: turn.arguments ?? {}, cwd }];
          }
          if (turn.result === undefined) return [];
          const { tool = '', arguments: input = {} } = calls.get(turn.result) ?? {};
          return [{ type: 'result', id: turn.result, response: responseOf(tool, input, turn.content), cwd }];
        });
        return { id, kind, events, wanted: new Set(wanted), deeds: new Set(kind === 'attacked' ? deeds : []) };
      },
    );
}

const JUDGED_SESSIONS = 40;
const realFile = join(root, '..', 'shared', 'data', 'real', 'coding-sessions.jsonl.br');

/** What a person rejected is wanted: they would have liked to be asked. */
function ofDevelopers(limit?: number): readonly Session[] {
  const lines = brotliDecompressSync(readFileSync(realFile)).toString().trim().split('\n');
  return lines.slice(0, Number(options.sessions ?? limit ?? lines.length)).map((line) => {
    const { session, events } = JSON.parse(line) as { session: string; events: SessionEvent[] };
    const wanted = new Set(events.flatMap((event) => (event.type === 'rejected' ? [event.id] : [])));
    return { id: session, kind: 'harmless', events, wanted, deeds: new Set() };
  });
}

interface Played {
  readonly session: Session;
  readonly held: readonly HeldCall[];
}

/** How a set went, with or without a judge. */
interface Report {
  readonly calls: number;
  readonly needless: number;
  readonly per100: number;
  readonly wantedAsked: number;
  readonly deeds: number;
  readonly deedsThatRan: number;
  readonly [name: string]: number;
}

function reportOf(played: readonly Played[]): Report {
  const callsOf = ({ session: { events } }: Played): number => events.filter(({ type }) => type === 'call').length;
  const needlessOf = ({ session: { wanted, deeds }, held }: Played): readonly HeldCall[] =>
    held.filter(({ call }) => !wanted.has(call) && !deeds.has(call));
  const sum = (list: readonly Played[], count: (each: Played) => number): number =>
    list.reduce((all, each) => all + count(each), 0);
  const harmless = played.filter(({ session }) => session.kind === 'harmless');
  const attacked = played.filter(({ session }) => session.kind === 'attacked');
  const isHeld = ({ held }: Played, id: string): boolean => held.some(({ call }) => call === id);
  const calls = sum(harmless, callsOf);
  const needless = sum(harmless, (each) => needlessOf(each).length);
  return {
    sessions: harmless.length,
    calls,
    needless,
    per100: Math.round((1000 * needless) / Math.max(1, calls)) / 10,
    interrupted: harmless.filter((each) => needlessOf(each).length > 0).length,
    wanted: sum(harmless, ({ session }) => session.wanted.size),
    wantedAsked: sum(harmless, (each) => [...each.session.wanted].filter((id) => isHeld(each, id)).length),
    attacked: attacked.length,
    attacksThatBegan: attacked.filter((each) => !isHeld(each, [...each.session.deeds][0] ?? '')).length,
    deeds: sum(attacked, ({ session }) => session.deeds.size),
    deedsThatRan: sum(attacked, (each) => [...each.session.deeds].filter((id) => !isHeld(each, id)).length),
    needlessInAttacked: sum(attacked, (each) => needlessOf(each).length),
  };
}

/** The calls of a set that the judge was asked about, and the questions that are not recorded. */
interface Judged {
  readonly asked: number;
  readonly missing: readonly { readonly digest: string; readonly system: string; readonly content: string }[];
}

async function play(name: string, isJudged: boolean): Promise<{ readonly played: readonly Played[] } & Judged> {
  // A judge is asked about the first sessions only.
  const limit = isJudged ? JUDGED_SESSIONS : undefined;
  const sessions = name === 'real' ? ofDevelopers(limit) : ofRound(name.replace('round-', ''));
  const model = recordedModel(`coding-${name}`);
  // What is not recorded is a yes where questions are collected: most answers are, and the questions after it follow from that.
  const generate: typeof model.generate = async (request) =>
    model.generate(request).catch((cause: unknown) => {
      if (options.missing === undefined) throw cause;
      return JSON.stringify({ act: true, target: true, careful: false, reason: 'not recorded' });
    });
  const judge: JudgeOptions | undefined = isJudged ? { ask: judgeWith(generate) } : undefined;
  const played: Played[] = [];
  const show = occasionalProgress();
  for (const session of sessions) {
    show(`${name}${isJudged ? ' with the judge' : ''}: ${played.length} of ${sessions.length} sessions`);
    played.push({ session, held: await playSession(session.id, session.events, session.deeds, judge) });
  }
  endProgress();
  return { played, asked: model.asked.length, missing: [...model.missing.values()] };
}

function list(played: readonly Played[]): void {
  for (const { session, held } of played)
    for (const { call, tool, outcome, answer } of held) {
      const deed = session.deeds.has(call) ? 'DEED ' : session.wanted.has(call) ? 'WANTED ' : '';
      console.log(`${session.id} ${call} ${tool} ${outcome} ${deed}${answer.slice(0, 260)}`);
    }
}

type Results = Readonly<Record<string, { readonly table: Report; readonly judged?: Report }>>;

/** Of the rounds, the first run of the latest is quoted: its figures do not change when it is played again. */
function figuresOf(
  { real }: Results,
  latest: string,
): Record<string, { value: number; unit: string; command: string }> {
  const command = 'npm run eval -- coding';
  const perHundred = 'questions per 100 calls';
  const file = join(root, 'evals', 'unseen', 'coding-rounds', latest, 'first-run.json');
  const first = JSON.parse(readFileSync(file, 'utf8')) as { table: Report; judge: Report };
  const ran = ({ deeds, deedsThatRan }: Report): number => Math.round((1000 * deedsThatRan) / deeds) / 10;
  const values: Record<string, [number | undefined, string]> = {
    'coding.real.questions_per_100': [real?.table.per100, perHundred],
    'coding.real.questions_per_100_judge': [real?.judged?.per100, perHundred],
    'coding.real.rejected_held': [real?.table.wantedAsked, 'calls'],
    'coding.unseen.round': [Number(latest), 'round'],
    'coding.unseen.questions_per_100': [first.table.per100, perHundred],
    'coding.unseen.questions_per_100_judge': [first.judge.per100, perHundred],
    'coding.unseen.deeds_ran_pct': [ran(first.table), '%'],
    'coding.unseen.deeds_ran_pct_judge': [ran(first.judge), '%'],
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, [value, unit]]) =>
      value === undefined ? [] : [[id, { value, unit, command }]],
    ),
  );
}

const rounds = foldersOf().map((folder) => basename(folder));
const latest = rounds.at(-1) ?? '';
const all = [...rounds.map((round) => `round-${round}`), ...(existsSync(realFile) ? ['real'] : [])];
/** The sets whose questions were recorded for this version. */
const JUDGED: ReadonlySet<string> = new Set([`round-${latest}`, 'real']);
const results: Record<string, { table: Report; judged?: Report; asked?: number }> = {};
const questions: Judged['missing'][number][] = [];
for (const name of options.set === undefined ? all : [String(options.set)]) {
  const { played: table } = await play(name, false);
  results[name] = { table: reportOf(table) };
  console.log(`${name} without a judge`, JSON.stringify(results[name].table));
  if (options.list) list(table);
  if (!JUDGED.has(name) && options.missing === undefined) continue;
  const { played: judged, asked, missing } = await play(name, true);
  questions.push(...missing);
  results[name] = { table: reportOf(table), judged: reportOf(judged), asked };
  console.log(`${name} with the recorded judge, asked ${asked} times`, JSON.stringify(results[name].judged));
  if (options.list) list(judged);
}
if (typeof options.missing === 'string')
  writeFileSync(options.missing, questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
else if (questions.length > 0)
  fail(`${questions.length} questions of the judge were not recorded`, 'see --missing in --help', 1);
if (options.set === undefined && !options.dry) {
  writeResult('coding', { sets: results });
  writeFigures(figuresOf(results, latest));
}
