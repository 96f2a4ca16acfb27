import type { AdmitInput } from './admit.ts';
import type { NativeToolUse, ProposedCall } from './call.ts';
import { canonicalJson } from './canonical.ts';
import { digestText } from './digest.ts';
import { isRefusal } from './gate.ts';
import { type Content, readContent, textOrJson } from './part.ts';
import type { Recorded } from './record.ts';
import { source, UNKNOWN_SOURCE } from './source.ts';
import {
  type CallTurn,
  idOfContent,
  isSameTurn,
  type PolicyTurn,
  type ResultTurn,
  shortId,
  type Turn,
} from './turn.ts';

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
  /** Whether a call was let pass, as far as this process knows. */
  wasAllowed(call: ProposedCall): boolean;
  /** How much a model has been shown so far. */
  shownCount(): number;
}

/** The developer's words are no part of it: a seam may see the history without them. */
export type KeptTurn = Exclude<Turn, PolicyTurn>;

interface Taken {
  readonly turn: KeptTurn;
  /** What the turn brought in; undefined for the model's words, and for ours. */
  readonly recorded: Recorded | undefined;
  /** What a call says; undefined for other turns. */
  readonly key: string | undefined;
}

interface Noted {
  readonly key: string;
  readonly call: ProposedCall;
  readonly shownCount: number;
  /** The tools that were called under this id since as much was shown. */
  readonly tools: Set<string>;
}

const USER = source('user');

/** What a call says. The same one of another program, or of one that has read more, is another. */
function keyOf({ id, tool, arguments: given, script }: NativeToolUse): string {
  const by = script === undefined ? [] : [digestText(String(script.source)), script.read?.length ?? 0];
  return canonicalJson([id, tool, given, ...by]);
}

/** Counts, so that nothing has to be looked through again: a history may hold many calls, and a model one id for all. */
class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }
}

/** What a framework's history has brought into a conversation, turn by turn. */
export class History {
  readonly #host: HistoryHost;
  #taken: readonly Taken[] = [];
  // The last call under each id: some models use an id twice.
  readonly #noted = new Map<string, Noted>();
  readonly #proposed = new Tally();

  constructor(host: HistoryHost) {
    this.#host = host;
  }

  /** A new call, remembered: the history that brings it later brings nothing new. */
  note(use: NativeToolUse): ProposedCall {
    return this.#note(use).call;
  }

  #note(use: NativeToolUse): Noted {
    const id = typeof use?.id === 'string' ? shortId(use.id) : undefined;
    const call = this.#host.propose(id === undefined || id === use.id ? use : { ...use, id });
    const shownCount = this.#host.shownCount();
    const last = this.#noted.get(use.id);
    const tools = last?.shownCount === shownCount ? last.tools : new Set<string>();
    const noted: Noted = { key: keyOf(use), call, shownCount, tools: tools.add(use.tool) };
    this.#noted.set(use.id, noted);
    this.#proposed.add(noted.key);
    return noted;
  }

  /** The call as it was proposed, as long as nothing more was read since; otherwise a new one. */
  propose(use: NativeToolUse): ProposedCall {
    const last = this.#noted.get(use?.id);
    const isCurrent = last?.shownCount === this.#host.shownCount() && last.key === keyOf(use);
    return isCurrent ? last.call : this.note(use);
  }

  /** Takes in what is new of a history, in its order: a call is judged by what stood before it. */
  async take(turns: readonly KeptTurn[]): Promise<readonly (Recorded | undefined)[]> {
    const differs = turns.findIndex((turn, index) => !isSameTurn(this.#taken[index]?.turn, turn));
    const taken: Taken[] = this.#taken.slice(0, differs < 0 ? turns.length : differs);
    const standing = new Tally();
    for (const { key } of taken) if (key !== undefined) standing.add(key);
    let fresh: Recorded[] = [];
    for (const turn of turns.slice(taken.length)) {
      if (turn.type !== 'call') {
        // What stands before it has been read by then: a user may repeat it, and what a summary is suspected of came later.
        if (turn.type !== 'result') fresh = await this.#shown(fresh);
        const recorded = this.#takeContent(turn);
        if (recorded !== undefined) fresh.push(recorded);
        taken.push({ turn, recorded, key: undefined });
        continue;
      }
      let key = this.#notedKey(turn, standing);
      if (key === undefined) {
        fresh = await this.#shown(fresh);
        key = this.#note({ id: turn.id, tool: turn.tool, arguments: turn.arguments }).key;
      }
      standing.add(key);
      taken.push({ turn, recorded: undefined, key });
    }
    await this.#host.show(fresh);
    this.#taken = taken;
    return taken.map(({ recorded }) => recorded);
  }

  async #shown(records: readonly Recorded[]): Promise<Recorded[]> {
    if (records.length > 0) await this.#host.show(records);
    return [];
  }

  /** What a call says that was proposed already, more often than it stands in the history up to here; undefined for a new one. */
  #notedKey({ id, tool, arguments: given }: CallTurn, standing: Tally): string | undefined {
    if (!this.#noted.has(id)) return undefined;
    const key = keyOf({ id, tool, arguments: given });
    return this.#proposed.of(key) > standing.of(key) ? key : undefined;
  }

  #takeContent(turn: Exclude<KeptTurn, CallTurn>): Recorded | undefined {
    switch (turn.type) {
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
    const called = this.#noted.get(id)?.tools ?? new Set<string>();
    const [first = tool] = called;
    return called.size <= 1 && (tool === undefined || tool === first) ? first : undefined;
  }

  #wasMade({ id }: ResultTurn): boolean {
    const noted = this.#noted.get(id);
    return noted !== undefined && this.#host.wasAllowed(noted.call);
  }

  #takeResult(turn: ResultTurn): Recorded | undefined {
    const tool = this.#toolOf(turn);
    const parts = readContent(turn.content);
    const [only, ...others] = parts;
    // Our own words in place of a result are nobody's content. A tool that ran may say them too, to hide what it did.
    const isOnly = only?.type === 'text' && others.length === 0;
    if (isOnly && isRefusal(only.text) && !this.#wasMade(turn)) return undefined;
    const content = parts.map(textOrJson);
    return this.#host.admit({ id: shortId(turn.id), content, ...(tool === undefined ? {} : { tool }) });
  }
}
