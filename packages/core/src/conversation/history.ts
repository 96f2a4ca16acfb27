import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import type { ProposedCall, ToolCall } from '../call/call.ts';
import type { Framed } from '../frame/frame.ts';
import { isRefusal } from '../gate/gate.ts';
import { source, UNKNOWN_SOURCE } from '../label/source.ts';
import { dangerouslyTrust, prompt } from '../prompt/prompt.ts';
import type { Transcript } from '../provenance/transcript.ts';
import { type Content, readContent, surfaceOf, textOrJson } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { Intake } from './intake.ts';
import type { Outbound } from './outbound.ts';
import type { Renderings } from './renderings.ts';
import {
  type CallTurn,
  idOfContent,
  isSameTurn,
  type PolicyTurn,
  type ResultTurn,
  shortId,
  type Turn,
} from './turn.ts';

/** The parts of a conversation that a history is taken in by. */
export interface HistoryParts {
  readonly intake: Intake;
  readonly renderings: Renderings;
  readonly outbound: Outbound;
  readonly transcript: Transcript;
}

/** The developer's words are no part of it: a seam may see the history without them. */
type KeptTurn = Exclude<Turn, PolicyTurn>;

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
function keyOf({ id, tool, arguments: given, script }: ToolCall): string {
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
  readonly #parts: HistoryParts;
  #taken: readonly Taken[] = [];
  // The last call under each id: some models use an id twice.
  readonly #noted = new Map<string, Noted>();
  readonly #proposed = new Tally();

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** A new call, remembered: the history that holds it later adds nothing new. */
  add(use: ToolCall): ProposedCall {
    return this.#add(use).call;
  }

  #add(use: ToolCall): Noted {
    const id = typeof use?.id === 'string' ? shortId(use.id) : undefined;
    const call = this.#parts.outbound.propose(id === undefined || id === use.id ? use : { ...use, id });
    const shownCount = this.#parts.renderings.shownCount;
    const last = this.#noted.get(use.id);
    const tools = last?.shownCount === shownCount ? last.tools : new Set<string>();
    const noted: Noted = { key: keyOf(use), call, shownCount, tools: tools.add(use.tool) };
    this.#noted.set(use.id, noted);
    this.#proposed.add(noted.key);
    return noted;
  }

  /** The call as it was proposed, as long as nothing more was read since; otherwise a new one. */
  propose(use: ToolCall): ProposedCall {
    const last = this.#noted.get(use?.id);
    const isCurrent = last?.shownCount === this.#parts.renderings.shownCount && last.key === keyOf(use);
    return isCurrent ? last.call : this.add(use);
  }

  /** What the model is to be shown in place of each turn; undefined where a turn stays as it is. */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    const { renderings } = this.#parts;
    return renderings.inTurn(async () => {
      const policies = turns.flatMap((turn) => (turn.type === 'policy' ? [turn.text] : []));
      await renderings.show([], prompt[dangerouslyTrust](policies.join('\n\n')));
      const others = turns.filter((turn): turn is KeptTurn => turn.type !== 'policy');
      const records = await this.#take(others);
      const recordOf = new Map<Turn, Recorded | undefined>(others.map((turn, index) => [turn, records[index]]));
      return Promise.all(
        turns.map((turn) => {
          const recorded = recordOf.get(turn);
          return recorded === undefined || turn.type === 'user' ? undefined : renderings.frameNow(recorded);
        }),
      );
    });
  }

  /** Takes in what is new of a history, in its order: a call is judged by what came before it. */
  async #take(turns: readonly KeptTurn[]): Promise<readonly (Recorded | undefined)[]> {
    const differs = turns.findIndex((turn, index) => !isSameTurn(this.#taken[index]?.turn, turn));
    const taken: Taken[] = this.#taken.slice(0, differs < 0 ? turns.length : differs);
    const trust = new Tally();
    for (const { key } of taken) if (key !== undefined) trust.add(key);
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
      let key = this.#notedKey(turn, trust);
      if (key === undefined) {
        fresh = await this.#shown(fresh);
        key = this.#add({ id: turn.id, tool: turn.tool, arguments: turn.arguments }).key;
      }
      trust.add(key);
      taken.push({ turn, recorded: undefined, key });
    }
    await this.#parts.renderings.show(fresh);
    this.#taken = taken;
    return taken.map(({ recorded }) => recorded);
  }

  async #shown(records: readonly Recorded[]): Promise<Recorded[]> {
    if (records.length > 0) await this.#parts.renderings.show(records);
    return [];
  }

  /** The records of others that a text repeats at length. */
  #repeatedIn(content: Content): readonly Recorded[] {
    const { transcript, intake } = this.#parts;
    if (!transcript.hasSeen) return [];
    const ids = readContent(content).flatMap((part) => transcript.repeatedIn(surfaceOf(part)));
    return ids.flatMap((id) => intake.get(id) ?? []);
  }

  /** What a call says that was proposed already, more often than it stands in the history up to here; undefined for a new one. */
  #notedKey({ id, tool, arguments: given }: CallTurn, trust: Tally): string | undefined {
    if (!this.#noted.has(id)) return undefined;
    const key = keyOf({ id, tool, arguments: given });
    return this.#proposed.of(key) > trust.of(key) ? key : undefined;
  }

  #takeContent(turn: Exclude<KeptTurn, CallTurn>): Recorded | undefined {
    switch (turn.type) {
      case 'user': {
        const { content } = turn;
        // A history flattened into one message, to be summed up, is not what the user said.
        const derivedFrom = this.#repeatedIn(content);
        return this.#parts.intake.add({ id: idOfContent('user', content), source: USER, content, derivedFrom });
      }
      case 'content': {
        const { source: from, content } = turn;
        return this.#parts.intake.add({ id: idOfContent('content', content), source: from, content });
      }
      case 'summary': {
        const id = idOfContent('summary', turn.content);
        const recorded = this.#parts.intake.add({ id, source: UNKNOWN_SOURCE, content: turn.content });
        this.#parts.transcript.lowerTrust(recorded.id, 'suspect');
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
    return noted !== undefined && this.#parts.outbound.wasAllowed(noted.call);
  }

  #takeResult(turn: ResultTurn): Recorded | undefined {
    const tool = this.#toolOf(turn);
    const parts = readContent(turn.content);
    const [only, ...others] = parts;
    // Our own words in place of a result are nobody's content. A tool that ran may say them too, to hide what it did.
    const isOnly = only?.type === 'text' && others.length === 0;
    if (isOnly && isRefusal(only.text) && !this.#wasMade(turn)) return undefined;
    const content = parts.map(textOrJson);
    return this.#parts.intake.add({ id: shortId(turn.id), content, ...(tool === undefined ? {} : { tool }) });
  }
}
