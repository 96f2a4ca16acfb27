import type { AdmitInput } from './admit.ts';
import type { NativeToolUse, ProposedCall } from './call.ts';
import { canonicalJson } from './canonical.ts';
import { digestText } from './digest.ts';
import { isRefusal } from './gate.ts';
import { type Content, readContent } from './part.ts';
import type { Recorded } from './record.ts';
import { source, UNKNOWN_SOURCE } from './source.ts';
import { type CallTurn, idOfContent, isSameTurn, type ResultTurn, type Turn } from './turn.ts';

/** What a history asks of its conversation. */
export interface HistoryHost {
  admit(input: AdmitInput): Recorded;
  /** Shows records to a model, so that the calls behind them are judged by what they say. */
  show(records: readonly Recorded[]): Promise<void>;
  propose(use: NativeToolUse): ProposedCall;
  /** What a model wrote from what it had read is read with suspicion. */
  suspect(recorded: Recorded): void;
  /** The records of others that a text repeats at length. */
  repeatedIn(content: Content): readonly Recorded[];
  /** How much a model has been shown so far. */
  shownCount(): number;
}

interface Taken {
  readonly turn: Turn;
  /** What the turn brought in; undefined for the developer's words and the model's. */
  readonly recorded: Recorded | undefined;
}

interface Noted {
  readonly key: string;
  readonly tool: string;
  readonly call: ProposedCall;
  readonly shownCount: number;
}

const USER = source('user');

function keyOf({ id, tool, arguments: given }: NativeToolUse): string {
  return canonicalJson([id, tool, given]);
}

// A model chooses the id of its call: one at any length must not end the conversation.
const LONGEST_ID = 400;

function shortId(id: string): string {
  return id.length > LONGEST_ID ? digestText(id) : id;
}

/** What a framework's history has brought into a conversation, turn by turn. */
export class History {
  readonly #host: HistoryHost;
  #taken: readonly Taken[] = [];
  // By the id of the call, in the order they were proposed: some models use an id twice.
  readonly #noted = new Map<string, Noted[]>();

  constructor(host: HistoryHost) {
    this.#host = host;
  }

  /** A new call, remembered: the history that brings it later brings nothing new. */
  note(use: NativeToolUse): ProposedCall {
    const isLong = typeof use?.id === 'string' && use.id.length > LONGEST_ID;
    const call = this.#host.propose(isLong ? { ...use, id: shortId(use.id) } : use);
    const shownCount = this.#host.shownCount();
    const known = this.#noted.get(use.id) ?? [];
    this.#noted.set(use.id, [...known, { key: keyOf(use), tool: use.tool, call, shownCount }]);
    return call;
  }

  /** The call as it was proposed, as long as nothing more was read since; otherwise a new one. */
  propose(use: NativeToolUse): ProposedCall {
    const last = this.#noted.get(use?.id)?.at(-1);
    const isCurrent = last?.shownCount === this.#host.shownCount() && last.key === keyOf(use);
    return isCurrent ? last.call : this.note(use);
  }

  /** Takes in what is new of a history, in its order: a call is judged by what stood before it. */
  async take(turns: readonly Turn[]): Promise<readonly (Recorded | undefined)[]> {
    const differs = turns.findIndex((turn, index) => !isSameTurn(this.#taken[index]?.turn, turn));
    const taken: Taken[] = this.#taken.slice(0, differs < 0 ? turns.length : differs);
    let fresh: Recorded[] = [];
    for (const turn of turns.slice(taken.length)) {
      if (turn.type !== 'call') {
        // What stands before a message of the user has been read: he may repeat it.
        if (turn.type === 'user') fresh = await this.#shown(fresh);
        const recorded = this.#takeContent(turn);
        if (recorded !== undefined) fresh.push(recorded);
        taken.push({ turn, recorded });
        continue;
      }
      taken.push({ turn, recorded: undefined });
      if (this.#isNoted(turn, taken)) continue;
      await this.#host.show(fresh);
      fresh = [];
      this.note({ id: turn.id, tool: turn.tool, arguments: turn.arguments });
    }
    await this.#host.show(fresh);
    this.#taken = taken;
    return taken.map(({ recorded }) => recorded);
  }

  async #shown(records: readonly Recorded[]): Promise<Recorded[]> {
    if (records.length > 0) await this.#host.show(records);
    return [];
  }

  /** Whether the call was proposed already, as often as it stands in the history up to here. */
  #isNoted({ id, ...use }: CallTurn, taken: readonly Taken[]): boolean {
    const noted = this.#noted.get(id);
    if (noted === undefined) return false;
    const key = keyOf({ id, ...use });
    const isSame = ({ turn }: Taken): boolean => turn.type === 'call' && turn.id === id && keyOf(turn) === key;
    return noted.filter((each) => each.key === key).length >= taken.filter(isSame).length;
  }

  #takeContent(turn: Exclude<Turn, CallTurn>): Recorded | undefined {
    switch (turn.type) {
      case 'policy':
        return undefined;
      case 'user': {
        const { content } = turn;
        // A history flattened into one message, to be summed up, is not what the user said.
        const derivedFrom = this.#host.repeatedIn(content);
        return this.#host.admit({ id: idOfContent('user', content), source: USER, content, derivedFrom });
      }
      case 'content': {
        const { source: from, content } = turn;
        return this.#host.admit({ id: idOfContent('content', content), source: from, content });
      }
      case 'summary': {
        const id = idOfContent('summary', turn.content);
        const recorded = this.#host.admit({ id, source: UNKNOWN_SOURCE, content: turn.content });
        this.#host.suspect(recorded);
        return recorded;
      }
      case 'result':
        return this.#takeResult(turn);
    }
  }

  /** The tool that answered. Where one turn called several tools under one id, nobody knows. */
  #toolOf({ id, tool }: ResultTurn): string | undefined {
    const noted = this.#noted.get(id) ?? [];
    const latest = noted.filter(({ shownCount }) => shownCount === noted.at(-1)?.shownCount);
    const named = new Set(latest.map((each) => each.tool));
    if (tool !== undefined) named.add(tool);
    return named.size === 1 ? [...named][0] : undefined;
  }

  #takeResult(turn: ResultTurn): Recorded | undefined {
    const { content } = turn;
    const tool = this.#toolOf(turn);
    // Our own words in place of a result are nobody's content.
    const [only, ...others] = readContent(content);
    if (only?.type === 'text' && others.length === 0 && isRefusal(only.text)) return undefined;
    return this.#host.admit({ id: shortId(turn.id), content, ...(tool === undefined ? {} : { tool }) });
  }
}
