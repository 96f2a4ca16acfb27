import { isUrl, partsOfAddress } from '../address/host.ts';
import { digestText } from '../base/digest.ts';
import type { ProposedCall } from '../call/call.ts';
import type { Tool, ToolRegistry } from '../call/tool.ts';
import { viewOfPart } from '../classify/part-view.ts';
import type { Framed } from '../frame/frame.ts';
import type { Shape } from '../json/shape.ts';
import { isAtMost } from '../label/label.ts';
import { labelOf } from '../label/source.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Recorded } from '../record/record.ts';
import { type Layer, textWithin } from '../text/view/layer.ts';
import { readWords } from '../text/words.ts';
import { type CallOrigin, CallOrigins, type StoredOrigin } from './call-origin.ts';
import { FirstUses } from './first-use.ts';
import { Ledger } from './ledger.ts';
import { enterFramed, enterPolicy, type Shown } from './ledger-entry.ts';
import { namesIn, speaksOf, stemsOf } from './mentions.ts';
import type { Place } from './occurrence.ts';
import { type Books, budgetsOf, type Provenance, traceText } from './trace.ts';
import { type Argument, traceCall } from './trace-call.ts';
import { FIELD, type TrustClass, VOUCHED, worstTrust } from './trust.ts';
import { weakestVouchedBy } from './vouch.ts';
import type { LedgerText } from './word-columns.ts';

const NO_FIELDS: ReadonlyMap<string, Shape> = new Map();

/** Steps for all texts that are asked for in one go. */
const MAX_STEPS = 2_000_000;

const REPEATED_WORDS = 8;

/** Whether a record is what the tool itself said: not derived from it, and not lowered by what was found in it. */
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
  return { ...provenance, trust: 'flagged', vouchedBy: undefined, isTrustedWhole: false };
}

/** A path, a number, an address: what names one document and not a kind of them. */
function namesDocument({ isFree, text }: Argument): boolean {
  return !isFree && !/\s/.test(text.trim()) && /\d|[\p{L}\p{N}][./:_#-][\p{L}\p{N}]|\//u.test(text);
}

function namedBy(framed: Framed): readonly string[] {
  const { limited, parts } = framed.quoted.classified;
  if (limited.recorded.label.integrity !== 'user') return [];
  return parts.flatMap((part) => namesIn((viewOfPart(part.limited).layers[0] as Layer).text));
}

/** How a call came about, by its values. */
function originOf(traced: readonly Argument[]): CallOrigin {
  const vouchedBy = weakestVouchedBy(traced.map(({ provenance }) => provenance.vouchedBy));
  const hosts = hostsIn(traced);
  if (vouchedBy === undefined) return { hosts };
  return { hosts, vouchedBy, isNamed: vouchedBy === 'words' && traced.some(namesDocument) };
}

interface Instruction {
  readonly place: Place;
  readonly stems: ReadonlySet<string>;
}

function instructionsIn(framed: Framed): Instruction[] {
  const { limited, parts } = framed.quoted.classified;
  return parts.flatMap(({ limited: shown, verdict }, part) => {
    const spans = verdict.type === 'checked' ? verdict.spans.filter(({ likelihood }) => likelihood !== 'none') : [];
    return spans.map(({ start, end }) => ({
      place: { recordId: limited.recorded.id, part, start, end },
      stems: stemsOf(
        viewOfPart(shown)
          .layers.map((layer) => textWithin(layer, start, end))
          .join('\n'),
      ),
    }));
  });
}

/** The hosts that arguments lead to, those that are addresses as a whole, with or without `www`. */
function hostsIn(all: readonly Argument[]): string[] {
  const addresses = all.map(({ text }) => text.trim()).filter((text) => isUrl(text) && !/\s/.test(text));
  return addresses.map((text) => partsOfAddress(text)?.host.replace(/^www\./, '') ?? '').filter((host) => host !== '');
}

/** Remembers what the models of one conversation have been shown, word by word, and whose words led to which call. */
export class Transcript {
  readonly #tools: ToolRegistry;
  readonly #books: Books = { trusted: new Ledger(), others: new Ledger() };
  readonly #entered = new Set<string>();
  readonly #enteredFrames = new WeakSet<Framed>();
  readonly #origins = new CallOrigins();
  // A call is judged by what had been read when it was proposed: those of one turn all under the same.
  readonly #traced = new WeakMap<ProposedCall, readonly Argument[]>();
  // Whom the user has named, in lower case.
  readonly #names = new Set<string>();
  // What reads like an instruction to the model, and the beginnings of its words.
  readonly #instructions: Instruction[] = [];
  readonly #firstUses: FirstUses | undefined;
  #hasSeen = false;
  // Whether a model may have asked for what comes in.
  #hasAsked = false;
  // Of what was stored nobody knows any more which of it a model had read when it asked for the rest.
  #isRestored = false;

  constructor(tools: ToolRegistry, keepsFirstUse = false) {
    this.#tools = tools;
    this.#firstUses = keepsFirstUse ? new FirstUses() : undefined;
  }

  /** Whether any request was made: before the first nobody knows what a model has read. */
  get hasSeen(): boolean {
    return this.#hasSeen;
  }

  /** Takes note of a request. What was shown before is not entered again; the same text judged otherwise is another. */
  see(policy: Prompt, rendered: readonly Framed[]): void {
    this.#hasSeen = true;
    this.enter(enterPolicy(policy), rendered);
    this.#hasAsked = true;
  }

  enter(texts: readonly LedgerText[], rendered: readonly Framed[]): void {
    const fresh = rendered.filter((framed) => !this.#enteredFrames.has(framed));
    const earlier = this.#instructions.length;
    for (const framed of fresh) {
      this.#enteredFrames.add(framed);
      for (const instruction of instructionsIn(framed)) this.#instructions.push(instruction);
      for (const name of namedBy(framed)) this.#names.add(name);
    }
    const readBefore = this.#isRestored ? this.#instructions.length : earlier;
    for (const framed of fresh) this.#attribute(framed.quoted.classified.limited.recorded, readBefore > 0);
    for (const each of [...texts, ...fresh.flatMap((framed) => enterFramed(this.#shown(framed)))]) {
      const { recordId, part, text, trust, ranges, isEscaped, at, layer } = each;
      const reading = layer && [layer.kind, layer.startOf(0), layer.endOf(text.length - 1)];
      const key = digestText(JSON.stringify([recordId, part, text, trust, ranges, isEscaped, at, reading]));
      if (this.#entered.has(key)) continue;
      this.#entered.add(key);
      (isTrusted(each) ? this.#books.trusted : this.#books.others).add(each);
    }
  }

  /**
   * What a tool said without a call that is known may be what somebody had it asked for. Before the first request no model had
   * a say in it, and the application's own question counts as vouched; later it vouches for nothing, and is suspect once a
   * model has read something that reads like an instruction.
   */
  #attribute({ id, source }: Recorded, isDirectable: boolean): void {
    const known = this.#origins.of(id);
    if (known.chosen !== undefined || this.#tools.get(source.name ?? '') === undefined) return;
    const chosen = isDirectable ? 'suspect' : 'open';
    // Where first uses are kept, calls are heard, if not those of this conversation.
    const isVouched = !this.#hasAsked && !this.#isRestored && this.#firstUses === undefined;
    this.#origins.set(id, { ...known, chosen, ...(isVouched ? { vouchedBy: 'words' } : {}) });
  }

  #shown(framed: Framed): Shown {
    const { recorded } = framed.quoted.classified.limited;
    const tool = this.#tools.get(recorded.source.name ?? '');
    const fields = tool !== undefined && isFrom(recorded, tool) ? tool.serviceFields : NO_FIELDS;
    const origin = this.#origins.of(recorded.id);
    // Otherwise anyone who can write a page on the web would be believed because the user asked what it says.
    const isNamed = origin.isNamed === true && recorded.label.integrity === 'workspace';
    const vouchedBy = origin.chosen === undefined ? 'words' : origin.vouchedBy;
    return { framed, chosen: origin.chosen, vouchedBy, fields, named: this.#names, isNamed };
  }

  /** A record has the origin of its call, and a summary is no better than what it sums up. */
  inherit({ id, derivation }: Recorded, callId: string | undefined): void {
    this.#origins.inherit(id, callId, derivation);
  }

  /** Records how a call came about. Of two calls under one id, the worse counts, and nothing vouches for either. */
  recordCall(call: ProposedCall): void {
    // A tool call implies a request, even if request() was never called.
    this.#hasAsked = true;
    const traced = this.trace(call);
    this.#firstUses?.note(traced);
    const known = this.#origins.of(call.id).chosen;
    const chosen = worstTrust([...traced.map(({ provenance }) => provenance.trust), known]) ?? 'vouched';
    this.#origins.set(call.id, known === undefined ? { ...originOf(traced), chosen } : { chosen, hosts: [] });
  }

  /** Ids of records of others of which a text repeats so many words in a row that nobody says them by chance. */
  repeatedIn(text: string): readonly string[] {
    const { pieces } = this.tracer()(text);
    const taken = pieces.filter(({ start, end, trust }) => {
      const isOthers = trust !== 'vouched' && trust !== 'own';
      return isOthers && readWords(text.slice(start, end)).count >= REPEATED_WORDS;
    });
    return [...new Set(taken.flatMap(({ occurrences }) => occurrences.map(({ recordId }) => recordId)))];
  }

  /** The standing of words that a model wrote down, for whoever reads them again. */
  trustOf(texts: readonly string[]): TrustClass {
    const trace = this.tracer();
    // A model that has read an instruction may have written it down in other words.
    const atBest = this.#instructions.length > 0 ? 'suspect' : 'own';
    return worstTrust([atBest, ...texts.map((text) => trace(text).trust)]) as TrustClass;
  }

  /** What was written under suspicion is read with it. */
  mark(recordId: string, trust: TrustClass): void {
    this.#origins.lower(recordId, trust);
  }

  /** A person has looked at this very call and let it pass: what it brings is content like any other. */
  settle(call: ProposedCall): void {
    const { chosen, vouchedBy: _, ...known } = this.#origins.of(call.id);
    // The result of another conversation's call does not come here.
    if (chosen !== undefined) this.#origins.set(call.id, { ...known, chosen: 'open' });
  }

  trace(call: ProposedCall): readonly Argument[] {
    const known = this.#traced.get(call);
    if (known !== undefined) return known;
    const tool = this.#tools.get(call.tool);
    const isSending = tool?.effect === 'send';
    const traced = traceCall(this.#books, call, tool).map((argument, _, all) => {
      if (!this.#hasSeen) return Object.freeze({ ...argument, provenance: asFlagged(argument.provenance) });
      const own = this.#firstUses?.restore(argument) ?? argument;
      return isSending && this.#isToldBack(own, all) ? Object.freeze(asOpen(own)) : own;
    });
    this.#traced.set(call, Object.freeze(traced));
    return traced;
  }

  /**
   * What a site says about itself, told back to that very site, steers nothing: the names of the fields of a form. Where the
   * call goes and what it carries there is judged by itself.
   */
  #isToldBack({ text, provenance: { trust, pieces } }: Argument, all: readonly Argument[]): boolean {
    if (trust !== 'requested' && trust !== 'suspect') return false;
    const places = pieces.flatMap(({ occurrences }) => occurrences.filter((each) => each.trust === trust));
    const addressed = new Set(hostsIn(all.filter((each) => each.text !== text && !each.isFree)));
    const isTold = ({ recordId }: Place): boolean =>
      (this.#origins.of(recordId).hosts ?? []).some((host) => addressed.has(host));
    return places.length > 0 && places.every(isTold);
  }

  /** Where something that reads like an instruction speaks of what a tool does. */
  instructionFor(tool: string): Place | undefined {
    return this.#instructions.findLast(({ stems }) => speaksOf(stems, tool))?.place;
  }

  /** Says whose words texts are, as far as this conversation has read; all of them together may cost so much and no more. */
  tracer(): (text: string) => Provenance {
    const efforts = budgetsOf(MAX_STEPS);
    return (text) => {
      const provenance = traceText(this.#books, text, efforts);
      return this.#hasSeen ? provenance : asFlagged(provenance);
    };
  }

  /** The origins that are known, for a snapshot. */
  get choices(): readonly StoredOrigin[] {
    return Array.from(this.#origins).flatMap(([id, { chosen, vouchedBy, isNamed, hosts }]) => {
      if (chosen === undefined) return [];
      const choice = { id, standing: chosen, ...(vouchedBy === undefined ? {} : { voucher: vouchedBy }) };
      return [{ ...choice, ...(isNamed ? { isNamed } : {}), ...(hosts?.length ? { hosts } : {}) }];
    });
  }

  restore(choices: readonly StoredOrigin[]): void {
    this.#isRestored = true;
    for (const { id, standing, voucher, ...origin } of choices)
      this.#origins.set(id, { ...origin, chosen: standing, ...(voucher === undefined ? {} : { vouchedBy: voucher }) });
  }
}
