import { isUrl, partsOfAddress } from '../address/host.ts';
import { Budget } from '../base/budget.ts';
import { digestText } from '../base/digest.ts';
import type { ProposedCall } from '../call/call.ts';
import type { Role } from '../call/role.ts';
import type { Tool, ToolRegistry } from '../call/tool.ts';
import { viewOfPart } from '../classify/part-view.ts';
import type { Framed } from '../frame/frame.ts';
import type { Shape } from '../json/shape.ts';
import { isAtMost } from '../label/label.ts';
import { labelOf } from '../label/source.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Recorded } from '../record/record.ts';
import { ownWordsOf } from '../task/own-words.ts';
import { Task } from '../task/task.ts';
import type { Layer } from '../text/view/layer.ts';
import { readWords } from '../text/words.ts';
import { type CallOrigin, CallOrigins, type StoredOrigin } from './call-origin.ts';
import { FirstUses } from './first-use.ts';
import { Ledger } from './ledger.ts';
import { enterDeveloper, enterFramed, enterPlaced, handlesIn, POLICY_ID, type Shown } from './ledger-entry.ts';
import { objectsIn, peopleIn } from './mentions.ts';
import type { Place } from './occurrence.ts';
import { budgetsOf, type Ledgers, type Provenance } from './trace.ts';
import { type Argument, traceCall } from './trace-call.ts';
import { type Hearing, traceValue } from './trace-value.ts';
import { FIELD, type TrustClass, VOUCHED, worstTrust } from './trust.ts';
import { vouchFor, weakestVouchedBy } from './vouch.ts';
import type { LedgerText } from './word-columns.ts';

const NO_FIELDS: ReadonlyMap<string, Shape> = new Map();

/** The budget for all texts that one tracer traces. */
const MAX_STEPS = 500_000;

/** A copy of this many consecutive words is not a coincidence. */
const MIN_REPEATED_WORDS = 8;

/** Whether a record is the tool's own result: not derived from it, and without a lower label. */
function isFrom({ source, label, derivation }: Recorded, tool: Tool): boolean {
  const isSame = source.origin === tool.source.origin && derivation.length === 0;
  return isSame && isAtMost(labelOf(tool.source), label);
}

function isTrusted({ trust }: LedgerText): boolean {
  return trust === VOUCHED || trust === FIELD;
}

function asOpen(argument: Argument): Argument {
  return { ...argument, provenance: { ...argument.provenance, trust: 'open' } };
}

function asFlagged(provenance: Provenance): Provenance {
  return { ...provenance, trust: 'flagged', vouchedBy: undefined };
}

/** A path, a number or an address: it names one document, not a kind of document. */
function namesDocument({ isFree, text }: Argument): boolean {
  return !isFree && !/\s/.test(text.trim()) && /\d|[\p{L}\p{N}][./:_#-][\p{L}\p{N}]|\//u.test(text);
}

function wordsOfUser(framed: Framed): readonly string[] {
  const { limited, parts } = framed.quoted.classified;
  if (limited.recorded.label.integrity !== 'user') return [];
  return parts.map((part) => (viewOfPart(part.limited).layers[0] as Layer).text);
}

/** The origin of a call by the provenance of its values. */
function originOf(traced: readonly Argument[]): CallOrigin {
  const vouchedBy = weakestVouchedBy(traced.map(({ provenance }) => provenance.vouchedBy));
  const hosts = hostsIn(traced);
  if (vouchedBy === undefined) return { hosts };
  return { hosts, vouchedBy, isNamed: vouchedBy === 'words' && traced.some(namesDocument) };
}

function hasInstruction(framed: Framed): boolean {
  return framed.quoted.classified.parts.some(
    ({ verdict }) => verdict.type === 'checked' && verdict.spans.some(({ likelihood }) => likelihood !== 'none'),
  );
}

/** The hosts of the arguments that are a whole address, without `www`. */
function hostsIn(all: readonly Argument[]): string[] {
  const addresses = all.map(({ text }) => text.trim()).filter((text) => isUrl(text) && !/\s/.test(text));
  return addresses.map((text) => partsOfAddress(text)?.host.replace(/^www\./, '') ?? '').filter((host) => host !== '');
}

export interface TranscriptOptions {
  /** Whether a value that the model used first stays the model's own. @default false */
  readonly keepsFirstUse?: boolean;
  /** Values that the developer vouches for. @default none */
  readonly vouch?: readonly string[];
}

/** Records what the models of one conversation were shown, word by word, and the origin of each call. */
export class Transcript {
  readonly #tools: ToolRegistry;
  readonly #ledgers: Ledgers = {
    trusted: new Ledger(),
    others: new Ledger(),
    handles: new Ledger(),
    developer: new Ledger(),
  };
  readonly #entered = new Set<string>();
  readonly #enteredFrames = new WeakSet<Framed>();
  readonly #origins = new CallOrigins();
  // A call is checked against what had been read when it was proposed, so all calls of one turn are checked against the same.
  readonly #traced = new WeakMap<ProposedCall, readonly Argument[]>();
  // The people the user has named, in lower case.
  readonly #names = new Set<string>();
  // What the user named by an identifier, such as a repository.
  readonly #objects = new Set<string>();
  // Whether a model has read a possible instruction to it.
  #hasReadInstruction = false;
  readonly #firstUses: FirstUses | undefined;
  readonly #results = new Set<string>();
  readonly #hearing: Hearing;
  /** What the user asked for. */
  readonly task: Task = new Task();
  #hasSeen = false;
  // Whether a model may have asked for the results that arrive.
  #hasAsked = false;
  // A snapshot does not say what a model had read when it made each of its calls.
  #isRestored = false;

  constructor(tools: ToolRegistry, { keepsFirstUse = false, vouch = [] }: TranscriptOptions = {}) {
    this.#tools = tools;
    for (const text of vouch)
      this.#ledgers.trusted.add({ recordId: POLICY_ID, part: 0, text, trust: VOUCHED, ranges: [] });
    this.#firstUses = keepsFirstUse ? new FirstUses() : undefined;
    this.#hearing = { isHeard: !keepsFirstUse, isResult: (id) => this.#results.has(id) };
  }

  /** Whether a request was made. Before the first one, what a model has read is unknown. */
  get hasSeen(): boolean {
    return this.#hasSeen;
  }

  /** Records a request. Content that was shown before is not entered again, unless its verdict changed. */
  recordRequest(policy: Prompt, rendered: readonly Framed[]): void {
    this.#hasSeen = true;
    this.#enterDeveloper(enterDeveloper(policy));
    this.enter(enterPlaced(policy), rendered);
    this.#hasAsked = true;
  }

  #enterDeveloper(entry: LedgerText): void {
    const key = digestText(entry.text);
    if (this.#entered.has(key)) return;
    this.#entered.add(key);
    this.#ledgers.developer.add(entry);
  }

  enter(texts: readonly LedgerText[], rendered: readonly Framed[]): void {
    const newFrames = rendered.filter((framed) => !this.#enteredFrames.has(framed));
    const readEarlier = this.#hasReadInstruction;
    for (const framed of newFrames) this.#hear(framed);
    const readBefore = this.#isRestored ? this.#hasReadInstruction : readEarlier;
    for (const framed of newFrames) this.#attribute(framed.quoted.classified.limited.recorded, readBefore);
    const shown = newFrames.map((framed) => this.#shown(framed));
    for (const handle of shown.flatMap(handlesIn)) this.#ledgers.handles.add(handle);
    for (const each of [...texts, ...shown.flatMap(enterFramed)]) {
      const { recordId, part, text, trust, ranges, isEscaped, at, layer } = each;
      const reading = layer && [layer.kind, layer.startOf(0), layer.endOf(text.length - 1)];
      const key = digestText(JSON.stringify([recordId, part, text, trust, ranges, isEscaped, at, reading]));
      if (this.#entered.has(key)) continue;
      this.#entered.add(key);
      (isTrusted(each) ? this.#ledgers.trusted : this.#ledgers.others).add(each);
    }
  }

  /** Notes what a frame says to the model: possible instructions, and what the user asks for and whom they name. */
  #hear(framed: Framed): void {
    this.#enteredFrames.add(framed);
    if (hasInstruction(framed)) this.#hasReadInstruction = true;
    for (const text of wordsOfUser(framed)) {
      this.task.hear(text);
      const { own } = ownWordsOf(text);
      for (const name of peopleIn(own)) this.#names.add(name);
      for (const object of objectsIn(own)) this.#objects.add(object);
    }
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
    // Only workspace documents: a public page is not trusted because the user asked what it says.
    const isNamed = origin.isNamed === true && recorded.label.integrity === 'workspace';
    const vouchedBy = origin.callTrust === undefined ? 'words' : origin.vouchedBy;
    const sender = tool !== undefined && isFrom(recorded, tool) ? tool.sender : undefined;
    const isRead = tool !== undefined && tool.effect !== 'fetch';
    return { framed, callTrust: origin.callTrust, vouchedBy, fields, sender, isRead, named: this.#names, isNamed };
  }

  /** Gives a record the origin of its call. A derived record is trusted no more than the records it was derived from. */
  inherit({ id, derivation }: Recorded, callId: string | undefined): void {
    this.#origins.inherit(id, callId, derivation);
  }

  /** Records the origin of a call. Of two calls with one id the worse origin counts, and nothing vouches for either. */
  recordCall(call: ProposedCall): void {
    // A tool call implies a request, even if request() was never called.
    this.#hasAsked = true;
    const traced = this.trace(call);
    this.#firstUses?.recordCall(traced);
    const known = this.#origins.of(call.id).callTrust;
    const callTrust = worstTrust([...traced.map(({ provenance }) => provenance.trust), known]) ?? 'vouched';
    this.#origins.set(call.id, known === undefined ? { ...originOf(traced), callTrust } : { callTrust, hosts: [] });
  }

  /** The ids of the untrusted records of which a text copies a run of words. */
  repeatedIn(text: string): readonly string[] {
    const { pieces } = this.tracer()(text);
    const copied = pieces.filter(({ start, end, trust }) => {
      const isUntrusted = trust !== 'vouched' && trust !== 'own';
      return isUntrusted && readWords(text.slice(start, end)).count >= MIN_REPEATED_WORDS;
    });
    return [...new Set(copied.flatMap(({ occurrences }) => occurrences.map(({ recordId }) => recordId)))];
  }

  /** The trust class of text that a model writes for later. */
  trustOf(texts: readonly string[]): TrustClass {
    const trace = this.tracer();
    // A model that has read an instruction may have written it down in other words.
    const atBest = this.#hasReadInstruction ? 'suspect' : 'own';
    return worstTrust([atBest, ...texts.map((text) => trace(text).trust)]) as TrustClass;
  }

  /** Lowers the trust of a record, such as a memory that was written after an instruction had been read. */
  lowerTrust(recordId: string, trust: TrustClass): void {
    this.#origins.lower(recordId, trust);
  }

  /** Records that a person approved this call: its result is content like any other. */
  recordApproval(call: ProposedCall): void {
    const { callTrust, vouchedBy: _, ...known } = this.#origins.of(call.id);
    // The result of another conversation's call does not come here.
    if (callTrust !== undefined) this.#origins.set(call.id, { ...known, callTrust: 'open' });
  }

  trace(call: ProposedCall): readonly Argument[] {
    const known = this.#traced.get(call);
    if (known !== undefined) return known;
    const tool = this.#tools.get(call.tool);
    const traced = traceCall(this.#ledgers, call, tool, this.#hearing).map((argument, _, all) => {
      if (!this.#hasSeen) return Object.freeze({ ...argument, provenance: asFlagged(argument.provenance) });
      const own = this.#firstUses?.restore(argument) ?? argument;
      return this.#isReturnedToAuthor(own, all) ? Object.freeze(asOpen(own)) : own;
    });
    this.#traced.set(call, Object.freeze(traced));
    return traced;
  }

  /**
   * Whether a value goes back to the site that it comes from, such as the field names of a form. That directs nothing; where the
   * call goes and what else it sends there is checked separately.
   */
  #isReturnedToAuthor({ text, provenance: { trust, pieces } }: Argument, all: readonly Argument[]): boolean {
    if (trust !== 'requested' && trust !== 'suspect') return false;
    const places = pieces.flatMap(({ occurrences }) => occurrences.filter((each) => each.trust === trust));
    const addressed = new Set(hostsIn(all.filter((each) => each.text !== text && !each.isFree)));
    const isFromAddressed = ({ recordId }: Place): boolean =>
      (this.#origins.of(recordId).hosts ?? []).some((host) => addressed.has(host));
    return places.length > 0 && places.some(isFromAddressed);
  }

  /** Whether the user named the person whose mail address this is. */
  isNamedPerson(address: string): boolean {
    const [, local] = /^([^\s@]{1,64})@[^\s@]+$/.exec(address.trim()) ?? [];
    const [first] = local?.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
    return first !== undefined && this.#names.has(first);
  }

  /** Whether a text has an identifier that the user typed, such as the repository that a link is about. */
  namesObject(text: string): boolean {
    const searched = text.toLowerCase();
    return [...this.#objects].some((object) => {
      const at = searched.indexOf(object);
      const isBounded = (unit: string | undefined): boolean => !/[\p{L}\p{N}]/u.test(unit ?? '');
      return at >= 0 && isBounded(searched[at - 1]) && isBounded(searched[at + object.length]);
    });
  }

  /** Finds where texts come from in what this conversation has read. All texts share one budget. */
  tracer(): (text: string, role?: Role) => Provenance {
    const budgets = budgetsOf(MAX_STEPS);
    return (text, role = 'text') => {
      const provenance = traceValue(this.#ledgers, text, { role, hearing: this.#hearing }, budgets);
      return this.#hasSeen ? provenance : asFlagged(provenance);
    };
  }

  /** Whether the developer's own words hold an address. */
  isDevelopers(address: string): boolean {
    return vouchFor({ ledger: this.#ledgers.developer, budget: new Budget(MAX_STEPS) }, address, 'url') !== undefined;
  }

  /** The recorded origins, in the form that a snapshot stores. */
  get choices(): readonly StoredOrigin[] {
    return Array.from(this.#origins).flatMap(([id, { callTrust, vouchedBy, isNamed, hosts }]) => {
      if (callTrust === undefined) return [];
      const choice = { id, standing: callTrust, ...(vouchedBy === undefined ? {} : { voucher: vouchedBy }) };
      return [{ ...choice, ...(isNamed ? { isNamed } : {}), ...(hosts?.length ? { hosts } : {}) }];
    });
  }

  restore(choices: readonly StoredOrigin[]): void {
    this.#isRestored = true;
    for (const { id, standing, voucher, ...origin } of choices)
      this.#origins.set(id, {
        ...origin,
        callTrust: standing,
        ...(voucher === undefined ? {} : { vouchedBy: voucher }),
      });
  }
}
