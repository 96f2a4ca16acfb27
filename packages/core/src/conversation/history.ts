import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import { type ProposedCall, readToolCall, type ToolCall } from '../call/call.ts';
import type { Framed } from '../frame/frame.ts';
import { isRefusal } from '../gate/settled.ts';
import { source, UNKNOWN_SOURCE } from '../label/source.ts';
import { dangerouslyTrust, prompt } from '../prompt/prompt.ts';
import { repeatedIn } from '../provenance/message/repeated.ts';
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
  type ModelTurn,
  type PolicyTurn,
  type ResultTurn,
  shortId,
  type Turn,
} from './turn.ts';

/** The parts of a conversation that a history is added through. */
export interface HistoryParts {
  readonly intake: Intake;
  readonly renderings: Renderings;
  readonly outbound: Outbound;
  readonly transcript: Transcript;
}

/** A turn of the history. Policy turns do not count: some frameworks pass the history without them. */
type KeptTurn = Exclude<Turn, PolicyTurn | ModelTurn>;

function isKept(turn: Turn): turn is KeptTurn {
  return turn.type !== 'policy' && turn.type !== 'model';
}

interface AddedTurn {
  readonly turn: KeptTurn;
  /** The record of the turn's content; undefined for a call, and for a text of the gate in place of a result. */
  readonly recorded: Recorded | undefined;
  /** The key of a call; undefined for other turns. */
  readonly key: string | undefined;
}

interface RecordedCall {
  readonly key: string;
  readonly call: ProposedCall;
  readonly shownCount: number;
  /** The tools that were called under this id without anything new being shown in between. */
  readonly tools: Set<string>;
}

const USER = source('user');

/** Identifies a call. The same call of another script, or of a script that has read more, has another key. */
function keyOf({ id, tool, arguments: given, script }: ToolCall, json = canonicalJson(given)): string {
  const by = script === undefined ? [] : [digestText(String(script.source)), script.read?.length ?? 0];
  return `${canonicalJson([id, tool, ...by])}${json}`;
}

/** Counts calls by key, so that no list has to be searched: a history may hold many calls, and a model may use one id for all. */
class CallCounts {
  readonly #counts = new Map<string, number>();

  constructor(keys: readonly string[] = []) {
    for (const key of keys) this.add(key);
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }
}

interface OpenCall {
  readonly id: string;
  readonly call: ProposedCall;
}

/** The turns of a framework's history that were added to a conversation. */
export class History {
  readonly #parts: HistoryParts;
  #added: readonly AddedTurn[] = [];
  // The last call under each id: some models use an id twice.
  readonly #calls = new Map<string, RecordedCall>();
  readonly #proposed = new CallCounts();
  // Calls at the end of the last history that were not checked yet.
  #open: readonly OpenCall[] = [];

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Records a new call. A history that contains it later does not add it again. */
  add(use: ToolCall): ProposedCall {
    return this.#add(use).call;
  }

  #add(use: ToolCall): RecordedCall {
    const call = this.#parts.outbound.propose({ ...use, id: shortId(use.id) });
    const shownCount = this.#parts.renderings.shownCount;
    const last = this.#calls.get(use.id);
    const tools = last?.shownCount === shownCount ? last.tools : new Set<string>();
    const recorded: RecordedCall = {
      key: keyOf(use, call.argumentsJson),
      call,
      shownCount,
      tools: tools.add(use.tool),
    };
    this.#calls.set(use.id, recorded);
    this.#proposed.add(recorded.key);
    return recorded;
  }

  /** Records a call that was made without a check. */
  record(use: ToolCall): ProposedCall {
    const call = readToolCall(use);
    if (call.script !== undefined)
      throw new SallyportError(
        'ERR_INVALID_CALL',
        "recordCall() does not take a script's call, because it cannot read what the script has read. Use check().",
      );
    return this.add(call);
  }

  /** The call as it was recorded, if nothing more was shown since; otherwise a new one. */
  propose(use: ToolCall): ProposedCall {
    const last = this.#calls.get(use.id);
    const isCurrent = last?.shownCount === this.#parts.renderings.shownCount && last.key === keyOf(use);
    return isCurrent ? last.call : this.add(use);
  }

  /** What to show the model in place of each turn; undefined if the turn stays as it is. */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    const { renderings, transcript, outbound } = this.#parts;
    return renderings.inTurn(async () => {
      const policies = turns.flatMap((turn) => (turn.type === 'policy' ? [turn.text] : []));
      // Another process asked the model, and a history may have lost what it read there.
      if (renderings.shownCount === 0 && turns.some(({ type }) => type === 'model')) renderings.recordUnknown();
      if (this.#isForeign(turns)) {
        transcript.forgetUser();
        outbound.reportForeign();
      }
      await renderings.show([], prompt[dangerouslyTrust](policies.join('\n\n')));
      const others = turns.filter(isKept);
      const records = await this.#addNew(others);
      const framed = others.map((turn, index) => (turn.type === 'user' ? undefined : records[index]));
      const frames = await renderings.framesNow(framed.filter((recorded) => recorded !== undefined));
      let next = 0;
      const frameOf = new Map(others.map((turn, index) => [turn, framed[index] && frames[next++]] as const));
      return turns.map((turn) => (isKept(turn) ? frameOf.get(turn) : undefined));
    });
  }

  /**
   * A history that begins with a message that was never heard, and repeats none of those that were, is of another chat. A
   * summary or an answer at the beginning says that a framework has shortened the history.
   */
  #isForeign(turns: readonly Turn[]): boolean {
    const [first] = turns.filter(({ type }) => type !== 'policy');
    const heard = this.#added.filter(({ turn }) => turn.type === 'user');
    if (first?.type !== 'user' || heard.length === 0) return false;
    const users = turns.filter(({ type }) => type === 'user') as KeptTurn[];
    return !users.some((turn) => heard.some((each) => isSameTurn(each.turn, turn)));
  }

  /** Adds the new turns of a history in their order, so that each call is checked against what came before it. */
  async #addNew(turns: readonly KeptTurn[]): Promise<readonly (Recorded | undefined)[]> {
    const differs = turns.findIndex((turn, index) => !isSameTurn(this.#added[index]?.turn, turn));
    const added: AddedTurn[] = this.#added.slice(0, differs < 0 ? turns.length : differs);
    const inHistory = new CallCounts(added.flatMap(({ key }) => key ?? []));
    let unshown: Recorded[] = [];
    const unchecked: OpenCall[] = [];
    for (const turn of turns.slice(added.length)) {
      if (turn.type !== 'call') {
        // Earlier content counts as read: a user message may repeat it, and a summary must not make it suspect.
        if (turn.type !== 'result') unshown = await this.#show(unshown);
        const recorded = this.#addContent(turn);
        unshown.push(...(recorded === undefined ? [] : [recorded]));
        added.push({ turn, recorded, key: undefined });
        continue;
      }
      const known = this.#recordedKey(turn, inHistory);
      if (known === undefined) unshown = await this.#show(unshown);
      const key = known ?? this.#addCall(turn, unchecked);
      inHistory.add(key);
      added.push({ turn, recorded: undefined, key });
    }
    await this.#parts.renderings.show(unshown);
    this.#reportUnchecked(turns, unchecked);
    this.#added = added;
    return added.map(({ recorded }) => recorded);
  }

  /** Adds a call that was not checked yet, and returns its key. In the first history, another process may have checked it. */
  #addCall({ id, tool, arguments: given }: CallTurn, unchecked: OpenCall[]): string {
    const { call, key } = this.#add({ id, tool, arguments: given });
    if (this.#added.length > 0) unchecked.push({ id, call });
    return key;
  }

  /** Reports calls that were not checked. Those at the end of the history are about to be. */
  #reportUnchecked(turns: readonly KeptTurn[], added: readonly OpenCall[]): void {
    const { outbound } = this.#parts;
    const end = turns.findLastIndex(({ type }) => type !== 'call');
    const last = new Set(turns.slice(end + 1).map((turn) => (turn as CallTurn).id));
    const open = [...this.#open, ...added];
    this.#open = open.filter(({ id }) => last.has(id));
    for (const { id, call } of open)
      if (!last.has(id) && !outbound.wasChecked(this.#calls.get(id)?.call ?? call)) outbound.reportUnchecked(call);
  }

  /** Shows records, and returns the empty list of those that are left. */
  async #show(records: readonly Recorded[]): Promise<Recorded[]> {
    if (records.length > 0) await this.#parts.renderings.show(records);
    return [];
  }

  /** The untrusted records of which a text copies a run of words. */
  #repeatedIn(content: Content): readonly Recorded[] {
    const { transcript, intake } = this.#parts;
    if (!transcript.hasSeen) return [];
    const ids = readContent(content).flatMap((part) => repeatedIn(surfaceOf(part), transcript.tracer()));
    return ids.flatMap((id) => intake.get(id) ?? []);
  }

  /** The key of a call that was recorded more often than the history contains it so far; undefined for a new call. */
  #recordedKey({ id, tool, arguments: given }: CallTurn, inHistory: CallCounts): string | undefined {
    if (!this.#calls.has(id)) return undefined;
    const key = keyOf({ id, tool, arguments: given });
    return this.#proposed.of(key) > inHistory.of(key) ? key : undefined;
  }

  #addContent(turn: Exclude<KeptTurn, CallTurn>): Recorded | undefined {
    switch (turn.type) {
      case 'user': {
        const { content } = turn;
        // A framework may flatten the history into one user message, to have it summarised. That is not the user's own text.
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
        return this.#addResult(turn);
    }
  }

  /** The tool that returned a result; undefined if one turn called several tools under one id. */
  #toolOf({ id, tool }: ResultTurn): string | undefined {
    const called = this.#calls.get(id)?.tools ?? new Set<string>();
    const [first = tool] = called;
    return called.size <= 1 && (tool === undefined || tool === first) ? first : undefined;
  }

  #wasAllowed({ id }: ResultTurn): boolean {
    const recorded = this.#calls.get(id);
    return recorded !== undefined && this.#parts.outbound.wasAllowed(recorded.call);
  }

  #addResult(turn: ResultTurn): Recorded | undefined {
    const tool = this.#toolOf(turn);
    const parts = readContent(turn.content);
    const [only, ...others] = parts;
    // A text of the gate in place of a result is not content, unless the tool ran: it could return that text to hide what it did.
    const isOnly = only?.type === 'text' && others.length === 0;
    if (isOnly && isRefusal(only.text) && !this.#wasAllowed(turn)) return undefined;
    const content = parts.map(textOrJson);
    return this.#parts.intake.add({ id: shortId(turn.id), content, ...(tool === undefined ? {} : { tool }) });
  }
}
