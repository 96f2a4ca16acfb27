import { Budget } from '@sallyport/decode';
import type { ProposedCall } from '../call/call.ts';
import type { Role } from '../call/role.ts';
import type { Tool, ToolRegistry } from '../call/tool.ts';
import type { Framed } from '../frame/frame.ts';
import type { Shape } from '../json/shape.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Recorded } from '../record/record.ts';
import { type CheckedTask, checkTask, NO_TASK, type TaskDefinition } from '../task/definition.ts';
import { CallOrigins, originOf, type StoredOrigin, trustInResult } from './call-origin.ts';
import { type Budgets, budgetsOf, type CallBudgets, Effort } from './effort.ts';
import { FirstUses } from './first-use.ts';
import {
  enterDeveloper,
  enterFramed,
  enterPlaced,
  hasInstruction,
  identifiersIn,
  isFrom,
  type Shown,
  wordsOfUser,
} from './ledger-entry.ts';
import { Echoes } from './message/echoes.ts';
import { ShownText } from './message/shown-text.ts';
import type { Provenance } from './trace.ts';
import { type Argument, asFlagged, traceCall } from './trace-call.ts';
import { type Hearing, traceValue } from './trace-value.ts';
import { type TrustClass, worstTrust } from './trust.ts';
import { vouchFor } from './vouch.ts';
import type { LedgerText } from './word-columns.ts';

const NO_FIELDS: ReadonlyMap<string, Shape> = new Map();

/** Maximum number of earlier calls that the judge is told. */
const MAX_CALLED = 30;

/** The budget for all texts that one tracer traces. */
const MAX_STEPS = 500_000;

export interface TranscriptOptions {
  /** A value that the model used first stays the model's own. @default false */
  readonly keepsFirstUse?: boolean;
  /** Values that the developer vouches for. @default none */
  readonly vouch?: readonly string[];
}

/** Records what the models of one conversation were shown, word by word, and the origin of each call. */
export class Transcript {
  readonly #tools: ToolRegistry;
  readonly #shownText: ShownText;
  readonly #echoes: Echoes;
  readonly #enteredFrames = new WeakSet<Framed>();
  readonly #origins = new CallOrigins();
  // A call is checked against what had been read when it was proposed, so all calls of one turn are checked against the same.
  #traced = new WeakMap<ProposedCall, readonly Argument[]>();
  readonly #effort = new Effort();
  // The budgets of the call that was traced last, with its decoded texts: it is usually checked next.
  #lastTraced: { readonly call: ProposedCall; readonly budgets: CallBudgets } | undefined;
  #isAlarmed = false;
  readonly #firstUses: FirstUses | undefined;
  readonly #results = new Set<string>();
  /** What was read since the user's last message, and what came with it; the number of messages since says which. */
  readonly #readSince = new Map<string, 'result' | 'content' | 'with message'>();
  readonly #hearing: Hearing;
  #hasSeen = false;
  #instructions = '';
  #task: CheckedTask = NO_TASK;
  #called: readonly { readonly id: string; readonly tool: string }[] = [];
  /** A model may have asked for the results that arrive. */
  #hasAsked = false;
  /** A snapshot does not say what a model had read when it made each of its calls. */
  #isRestored = false;

  constructor(tools: ToolRegistry, { keepsFirstUse = false, vouch = [] }: TranscriptOptions = {}) {
    this.#tools = tools;
    this.#shownText = new ShownText(vouch);
    this.#echoes = new Echoes(this.#shownText.ledgers.others);
    this.#firstUses = keepsFirstUse ? new FirstUses() : undefined;
    this.#hearing = {
      isHeard: !keepsFirstUse,
      isResult: (id) => this.#results.has(id),
      isReadSince: (id) => this.#readSince.has(id),
    };
  }

  /** Takes in values that the application says the user gave. Calls are traced again: their values may be trusted now. */
  give(definition: TaskDefinition): void {
    this.#task = checkTask(definition, this.#tools);
    this.#shownText.vouch([...this.#task.values, ...this.#task.people]);
    this.#traced = new WeakMap();
  }

  /** What the application says that the user authorized. */
  get task(): CheckedTask {
    return this.#task;
  }

  /** The names of the tools that were called before a call, the oldest first; undefined for one that is not declared. */
  calledBefore({ id }: ProposedCall): readonly (string | undefined)[] {
    // The model chooses the names of tools that are not declared.
    return this.#called
      .filter((each) => each.id !== id)
      .map(({ tool }) => (this.#tools.get(tool) === undefined ? undefined : tool));
  }

  /** What the developer says in the latest request that says anything: no content. */
  get instructions(): string {
    return this.#instructions;
  }

  /** A text of others that was read may address the model. */
  get isAlarmed(): boolean {
    return this.#isAlarmed;
  }

  /** True once a request was made. Before the first one, what a model has read is unknown. */
  get hasSeen(): boolean {
    return this.#hasSeen;
  }

  /** Records a request. Content that was shown before is not entered again, unless its verdict changed. */
  recordRequest(policy: Prompt, rendered: readonly Framed[]): void {
    this.#hasSeen = true;
    const developer = enterDeveloper(policy);
    this.#instructions = developer.text || this.#instructions;
    this.#shownText.addDeveloper(developer);
    this.enter(enterPlaced(policy), rendered);
    this.#hasAsked = true;
  }

  enter(texts: readonly LedgerText[], rendered: readonly Framed[]): void {
    const newFrames = rendered.filter((framed) => !this.#enteredFrames.has(framed));
    const readEarlier = this.#isAlarmed;
    for (const framed of newFrames) this.#hear(framed);
    const readBefore = this.#isRestored ? this.#isAlarmed : readEarlier;
    for (const framed of newFrames) this.#attribute(framed.quoted.classified.limited.recorded, readBefore);
    this.#shownText.add(texts);
    for (const framed of newFrames) {
      const shown = this.#shown(framed);
      this.#shownText.addIdentifiers(identifiersIn(shown, this.#echoes.finder()));
      this.#shownText.add(enterFramed(shown));
    }
  }

  /** Notes what a frame says to the model: possible instructions, and what the user asks for and whom they name. */
  #hear(framed: Framed): void {
    this.#enteredFrames.add(framed);
    this.#isAlarmed ||= hasInstruction(framed);
    const { id } = framed.quoted.classified.limited.recorded;
    if (wordsOfUser(framed).length === 0) {
      this.#readSince.set(id, this.#origins.of(id).callTrust === undefined ? 'content' : 'result');
      return;
    }
    // A document may come with the message that is about it. A result was read before the user wrote again.
    for (const [each, kind] of this.#readSince)
      if (kind === 'content') this.#readSince.set(each, 'with message');
      else this.#readSince.delete(each);
    this.#echoes.hear(id);
    this.#effort.startOver();
  }

  /**
   * Gives an origin to a tool result whose call is not known. Untrusted content may have caused such a call. Before the first
   * request no model can have made it, so it is the application's own call and vouched for. Later nothing vouches for it, and it
   * is suspect once a model has read a possible instruction.
   */
  #attribute({ id, source }: Recorded, isDirectable: boolean): void {
    const known = this.#origins.of(id);
    if (known.callTrust !== undefined || this.#tools.get(source.name ?? '') === undefined) return;
    const callTrust = isDirectable ? 'suspect' : 'open';
    // With first uses, a model made the calls, even if they are not calls of this conversation.
    const isVouched = !this.#hasAsked && !this.#isRestored && this.#firstUses === undefined;
    this.#origins.set(id, { ...known, callTrust, ...(isVouched ? { vouchedBy: 'words' } : {}) });
  }

  #shown(framed: Framed): Shown {
    const { recorded } = framed.quoted.classified.limited;
    const tool = this.#tools.get(recorded.source.name ?? '');
    const fields = tool !== undefined && isFrom(recorded, tool) ? tool.serviceFields : NO_FIELDS;
    if (tool !== undefined) this.#results.add(recorded.id);
    const origin = this.#origins.of(recorded.id);
    const vouchedBy = origin.callTrust === undefined ? 'words' : origin.vouchedBy;
    return {
      framed,
      callTrust: origin.callTrust,
      vouchedBy,
      fields,
      minted: this.#mintedIn(recorded, tool),
    };
  }

  /** How far identifiers in a result are trusted. Those of a page are not; after restore() it is unknown what its call was given. */
  #mintedIn({ id }: Recorded, tool: Tool | undefined): Shown['minted'] {
    if (tool === undefined || tool.effect === 'fetch') return undefined;
    const { callTrust = 'vouched', minted = callTrust } = this.#origins.of(id);
    return this.#isRestored && callTrust !== 'vouched'
      ? undefined
      : { tool: tool.name, trust: minted, isMade: tool.effect !== 'read' };
  }

  /** Gives a record the origin of its call. A derived record is trusted no more than the records it was derived from. */
  inherit({ id, derivation }: Recorded, callId: string | undefined): void {
    this.#origins.inherit(id, callId, derivation);
  }

  /** Records the origin of a call. Of two calls with one id the worse origin counts, and nothing vouches for either. */
  recordCall(call: ProposedCall): void {
    // A tool call implies a request, even if request() was never called.
    this.#hasAsked = true;
    this.#called = [...this.#called.slice(-MAX_CALLED), { id: call.id, tool: call.tool }];
    const traced = this.trace(call);
    this.#firstUses?.recordCall(traced);
    this.#echoes.recordCall(call.id, traced);
    const known = this.#origins.of(call.id).callTrust;
    const effect = this.#tools.get(call.tool)?.effect;
    const callTrust = worstTrust([...traced.map((each) => trustInResult(each, effect)), known]) ?? 'vouched';
    const origin = originOf(traced, effect);
    this.#origins.set(call.id, known === undefined ? { ...origin, callTrust } : { callTrust, minted: callTrust });
  }

  /** The trust class of text that a model writes for later. */
  trustOf(texts: readonly string[]): TrustClass {
    const trace = this.tracer();
    // A model that has read an instruction may have written it down in other words.
    const atBest = this.#isAlarmed ? 'suspect' : 'own';
    return worstTrust([atBest, ...texts.map((text) => trace(text).trust)]) as TrustClass;
  }

  /** Lowers the trust of a record, such as a memory that was written after an instruction had been read. */
  lowerTrust(recordId: string, trust: TrustClass): void {
    this.#origins.lower(recordId, trust);
  }

  /** Another user's history follows: nothing that was said until now vouches for a value, or asks for anything. */
  forgetUser(): void {
    this.#shownText.forgetUser();
    this.#traced = new WeakMap();
  }

  /** Records that a person approved this call: its result is content like any other, or better if the call was. */
  recordApproval(call: ProposedCall): void {
    const { callTrust, vouchedBy: _, ...known } = this.#origins.of(call.id);
    // Undefined: the result of another conversation's call does not come here.
    if (callTrust === undefined || worstTrust([callTrust, 'open']) === 'open') return;
    this.#origins.set(call.id, { ...known, callTrust: 'open' });
  }

  trace(call: ProposedCall): readonly Argument[] {
    const known = this.#traced.get(call);
    if (known !== undefined) return known;
    const tool = this.#tools.get(call.tool);
    const budgets = this.#effort.forCall();
    this.#lastTraced = { call, budgets };
    const all = traceCall(this.#shownText.ledgers, call, tool, this.#hearing, budgets);
    const traced = all.map((argument) =>
      this.#hasSeen
        ? (this.#firstUses?.restore(argument) ?? argument)
        : Object.freeze({ ...argument, provenance: asFlagged(argument.provenance) }),
    );
    this.#traced.set(call, Object.freeze(traced));
    return traced;
  }

  /** What the check of a call may cost, with what was decoded when it was traced. */
  budgetsFor(call: ProposedCall): CallBudgets {
    const fresh = this.#effort.forCall();
    const known = this.#lastTraced?.call === call ? this.#lastTraced.budgets : fresh;
    return { ...known, rules: { ...fresh.rules, decoding: known.rules.decoding, views: known.rules.views } };
  }

  /** Finds where texts come from in what this conversation has read. All texts share one budget. */
  tracer(budgets: Budgets = budgetsOf(MAX_STEPS)): (text: string, role?: Role) => Provenance {
    const known = new Map<string, Provenance>();
    return (text, role = 'text') => {
      const key = `${role} ${text}`;
      const provenance =
        known.get(key) ?? traceValue(this.#shownText.ledgers, text, { role, hearing: this.#hearing }, budgets);
      known.set(key, provenance);
      return this.#hasSeen ? provenance : asFlagged(provenance);
    };
  }

  /** True if the developer's own words hold an address: an answer may then show it. */
  isDevelopers(address: string): boolean {
    return (
      vouchFor({ ledger: this.#shownText.ledgers.developer, budget: new Budget(MAX_STEPS) }, address, 'url') !==
      undefined
    );
  }

  /** The recorded origins, in the form that a snapshot stores. */
  get choices(): readonly StoredOrigin[] {
    return this.#origins.stored;
  }

  restore(choices: readonly StoredOrigin[]): void {
    this.#isRestored = true;
    this.#origins.restore(choices);
  }
}
