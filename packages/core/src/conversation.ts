import { type AdmitContext, type AdmitInput, admit, cleanWords } from './admit.ts';
import type { Argument } from './argument.ts';
import { type NativeToolUse, ProposedCall, proposeCall } from './call.ts';
import type { Decision } from './decision.ts';
import { type Ask, Door, type DoorSettings } from './door.ts';
import type { Released } from './egress.ts';
import type { EndorsedValue, Endorser } from './endorse.ts';
import { SallyportError } from './errors.ts';
import { Expectations, type Expected } from './expect.ts';
import type { Framed } from './frame.ts';
import { History, type KeptTurn } from './history.ts';
import { HIGHEST, joinLabels, type Label, LOWEST } from './label.ts';
import { type Content, readContent, surfaceOf } from './part.ts';
import { dangerouslyTrust, type Prompt, prompt } from './prompt.ts';
import type { Recorded } from './record.ts';
import { LiveCodes } from './reflect.ts';
import { type RenderingSettings, Renderings } from './rendering.ts';
import { checkRequest, type Requested, type RequestOptions, request } from './request.ts';
import { readBy } from './script.ts';
import { restoreChoices, restoreRecords, SNAPSHOT_VERSION, type Snapshot, storeRecord } from './snapshot.ts';
import { admittedAs, Submission, submit } from './submit.ts';
import type { Turn } from './turn.ts';
import { type Vocabulary, vocabularyFor } from './vocabulary.ts';
import { Witness } from './witness.ts';

/** What a boundary hands to each of its conversations. */
export interface ConversationSettings extends DoorSettings, RenderingSettings {
  readonly sections: readonly string[];
}

const NO_POLICY: Prompt = prompt``;

/** One conversation: what it has taken in, raw, and how that is shown to a model. */
export class Conversation {
  readonly id: string;
  readonly #settings: ConversationSettings;
  readonly #records = new Map<string, Recorded>();
  // Framed without being admitted: what a script has read, and no model.
  readonly #aside = new Map<string, Recorded>();
  readonly #renderings: Renderings;
  readonly #codes: LiveCodes;
  // Once a policy has used a section, content must not close it in any later rendering either.
  #sections: readonly string[];
  // All that was shown to a model so far; before the first request nobody knows what it has read.
  #context: Label = HIGHEST;
  readonly #shown = new Set<string>();
  // Restored, and not yet entered into what the model is known to have read.
  readonly #restored: Recorded[] = [];
  readonly #witness: Witness;
  readonly #door: Door;
  readonly #history: History;
  readonly #expectations = new Expectations();
  // One rendering after the other: two at a time would take in the same turns twice.
  #rendering: Promise<unknown> = Promise.resolve();

  constructor(id: string, settings: ConversationSettings) {
    this.id = id;
    this.#settings = settings;
    this.#codes = new LiveCodes(settings.key);
    this.#sections = settings.sections;
    this.#renderings = new Renderings(settings);
    this.#witness = new Witness(settings.tools, settings.gate.keepsFirstUse);
    this.#door = new Door(settings, this.#witness, (id) => this.#recordOf(id));
    this.#history = new History({
      admit: (input) => this.admit(input),
      show: (records) => this.#show(NO_POLICY, records),
      propose: (use) => this.#propose(use),
      suspect: ({ id: recordId }) => this.#witness.mark(recordId, 'suspect'),
      repeatedIn: (content) => this.#repeatedIn(content),
      wasAllowed: (call) => this.#door.wasAllowed(call),
      shownCount: () => this.#shown.size,
    });
  }

  get records(): readonly Recorded[] {
    return [...this.#records.values()];
  }

  /** No model has read anything yet as far as is known, also after restore(): every effect is denied. */
  get isBlind(): boolean {
    return !this.#witness.hasSeen;
  }

  /** Takes content in. The same content under the same id is the same record. */
  admit(given: AdmitInput): Recorded {
    const input = this.#expectations.applyTo(given);
    const recorded = admit(input, this.#admission);
    if (!this.#records.has(recorded.id)) this.#codes.add(recorded);
    this.#records.set(recorded.id, recorded);
    // A second result under the id of a call has an id of its own by now.
    this.#witness.inherit(recorded, input.id);
    const tool = input.tool === undefined ? undefined : this.#settings.tools.get(input.tool);
    if (this.#expectations.isDoubtful(input.id, tool)) this.#witness.mark(recorded.id, 'suspect');
    return recorded;
  }

  /**
   * What will come in under an id was made from these records, whoever brings it: the result of a script, of a sub-agent. Of what is
   * made from an instruction, or from what nobody has looked at, no word has to be found again: all of it is suspect.
   */
  async expect(id: string, expected: Expected): Promise<void> {
    const shown = await Promise.all(expected.derivedFrom.map((recorded) => this.frame(recorded)));
    this.#expectations.note(id, expected, shown);
  }

  get #read(): Label {
    return this.#witness.hasSeen ? this.#context : LOWEST;
  }

  #note(records: readonly Recorded[]): void {
    this.#context = joinLabels([this.#context, ...records.map(({ label }) => label)]);
    for (const { id } of records) this.#shown.add(id);
  }

  get #admission(): AdmitContext {
    return { ...this.#settings, known: this.#records, codes: this.#codes };
  }

  /**
   * What the agent wants written down: a memory, a summary, a note. It carries the label of all that any request of this
   * conversation held, and the standing of its words; what is read back has them again, until a person promotes it.
   */
  submit({ id, content }: { readonly id: string; readonly content: Content }): Submission {
    const { id: cleanId, parts, labels } = cleanWords(id, content, this.#admission);
    const context = joinLabels([this.#read, ...labels]);
    const standing = this.#witness.standingOf(parts.map(surfaceOf));
    return submit({ id: cleanId, content: parts, context, derivedFrom: [...this.#shown], standing });
  }

  /** Takes in what was once submitted, here or in another conversation, under the label it was written with. */
  recall(submission: Submission): Recorded {
    if (!Submission.is(submission))
      throw new SallyportError('ERR_STAGE_SKIPPED', 'recall() takes what submit() or restoreSubmission() gave.');
    const recorded = this.admit(admittedAs(submission));
    this.#witness.mark(recorded.id, submission.standing);
    return recorded;
  }

  /** Renders one record for a model: limited, classified, quoted, framed. */
  async frame(recorded: Recorded): Promise<Framed> {
    const framed = await this.#frame(recorded, vocabularyFor(this.#sections));
    if (!this.#records.has(recorded.id)) this.#aside.set(recorded.id, recorded);
    this.#note([recorded]);
    this.#witness.enter([], [framed]);
    return framed;
  }

  /** Assembles a request. Only what is new is classified and framed. */
  async request(options: RequestOptions = {}): Promise<Requested> {
    const policy = options.policy ?? NO_POLICY;
    const records = options.records ?? this.records;
    checkRequest(options, policy, records);
    this.#sections = [...new Set([...this.#sections, ...policy.sections])];
    const vocabulary = vocabularyFor(this.#sections);
    const all = [...records, ...policy.free];
    const rendered = all.map((recorded) => this.#renderings.kept(recorded, vocabulary));
    if (rendered.includes(undefined))
      await Promise.all(
        all.map(async (recorded, index) => {
          rendered[index] ??= await this.#frame(recorded, vocabulary);
        }),
      );
    const entries = records.map((record, index) => ({ record, framed: rendered[index] as Framed }));
    const framed = (value: Recorded): Framed => rendered[all.lastIndexOf(value)] as Framed;
    const requested = request({ policy, framed, entries, vocabulary });
    const earlier = await Promise.all(this.#restored.splice(0).map((recorded) => this.#frame(recorded, vocabulary)));
    this.#witness.enter([], earlier);
    this.#note(requested.records);
    this.#witness.see(policy, rendered as Framed[]);
    return requested;
  }

  /**
   * A call the model proposed by the provider's native tool use, under all that any request of this conversation held:
   * with state held by the provider, or a second request beside the first, the last one alone is not what was read.
   * Before the first request nobody knows what was. The result of a call that a flagged span chose, admitted under the
   * call's id, is taken for that span's words: who chose the page chose what it says.
   */
  propose(use: NativeToolUse): ProposedCall {
    return this.#history.note(use);
  }

  #propose(use: NativeToolUse): ProposedCall {
    const call = proposeCall(this.#cleanUse(use), this.#read);
    this.#witness.note(call);
    return call;
  }

  /** A model may say a live code where a provider lets it choose an id or a name: neither is to be stored or told. */
  #cleanUse(use: NativeToolUse): NativeToolUse {
    const { id, tool, arguments: given, script } = use ?? {};
    if (typeof id !== 'string' || typeof tool !== 'string') return use;
    const clean = (text: string): string => this.#codes.cleanText(text, { id: text, partCount: 1 }).value;
    return { id: clean(id), tool: clean(tool), arguments: given, script };
  }

  /**
   * Whose words each value of a call is made of: those of the developer, the user or the operator, of others, of somebody who
   * tries to instruct the model, or the model's own. Judged by all that any request of this conversation held.
   */
  trace(call: ProposedCall): readonly Argument[] {
    if (!ProposedCall.is(call)) throw new SallyportError('ERR_STAGE_SKIPPED', 'trace() takes what propose() gives.');
    return this.#witness.trace(call);
  }

  /** Decides whether a call may be made. Ask before the tool runs, and put `decision.result` in its place where it may not. */
  judge(call: ProposedCall): Decision {
    return this.#door.judge(call);
  }

  /**
   * Proposes a call and judges it; where it is to be asked, and somebody can be, asks. The same call again is the same one until
   * more was read, so a framework may come here when it asks for approval and once more when it runs the tool.
   */
  async decide(use: NativeToolUse, ask?: Ask): Promise<Decision> {
    // A script may have read what no model was shown: whose words a call is made of is known by then.
    if (use?.script !== undefined) await Promise.all(readBy(use.script).map((recorded) => this.frame(recorded)));
    return this.#door.consult(this.judge(this.#history.propose(use)), ask);
  }

  /**
   * The same for a call that another conversation makes, and proposes there: by what was read here, and nothing of it is
   * remembered. For an agent that is one conversation among several of the same user.
   */
  async weigh(use: NativeToolUse, ask?: Ask): Promise<Decision> {
    return this.#door.consult(this.judge(proposeCall(this.#cleanUse(use), this.#read)), ask);
  }

  /**
   * Takes in a history that a framework keeps, raw, and gives what the model is to be shown in place of each turn, undefined where
   * it stays as it is. Only what is new is taken in; calls in it are proposed by what stood before them, so that a history that
   * comes back after a restart is judged as it was. The reading rules go with the system message: READING_RULES.
   */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    const rendering = this.#rendering.then(() => this.#render(turns));
    this.#rendering = rendering.catch(() => undefined);
    return rendering;
  }

  async #render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    const policies = turns.flatMap((turn) => (turn.type === 'policy' ? [turn.text] : []));
    const policy = prompt[dangerouslyTrust](policies.join('\n\n'));
    await this.#show(policy, []);
    const others = turns.filter((turn): turn is KeptTurn => turn.type !== 'policy');
    const records = await this.#history.take(others);
    const recordOf = new Map<Turn, Recorded | undefined>(others.map((turn, index) => [turn, records[index]]));
    const vocabulary = vocabularyFor(this.#sections);
    return Promise.all(
      turns.map((turn) => {
        const recorded = recordOf.get(turn);
        return recorded === undefined || turn.type === 'user' ? undefined : this.#frame(recorded, vocabulary);
      }),
    );
  }

  #frame(recorded: Recorded, vocabulary: Vocabulary): Promise<Framed> {
    if (this.#records.get(recorded.id) !== recorded) this.#codes.add(recorded);
    return this.#renderings.frame(recorded, vocabulary);
  }

  #repeatedIn(content: Content): readonly Recorded[] {
    if (this.isBlind) return [];
    const ids = readContent(content).flatMap((part) => this.#witness.repeatedIn(surfaceOf(part)));
    return ids.flatMap((id) => this.#recordOf(id) ?? []);
  }

  #recordOf(id: string): Recorded | undefined {
    return this.#records.get(id) ?? this.#aside.get(id);
  }

  /** Notes that a model reads records from now on. */
  async #show(policy: Prompt, records: readonly Recorded[]): Promise<void> {
    this.#sections = [...new Set([...this.#sections, ...policy.sections])];
    const vocabulary = vocabularyFor(this.#sections);
    const all = [...this.#restored.splice(0), ...records];
    const framed = await Promise.all(all.map((recorded) => this.#frame(recorded, vocabulary)));
    this.#note(records);
    this.#witness.see(policy, framed);
  }

  /**
   * The model's words on their way to somebody's screen. What a screen fetches by itself stays only if a trusted party said the
   * whole address; what a person has to click, also if it stands in the content just so, and nobody asks for it there.
   */
  release(text: string): Released {
    return this.#door.release(text);
  }

  /** A person lets a held call pass: this tool, these arguments, once, until it expires. Judge the call again afterwards. */
  approve(decision: Decision, endorser: Endorser): void {
    this.#door.approve(decision, endorser);
  }

  /** A person vouches for a value in calls of one tool, until it expires. */
  endorse(value: EndorsedValue): void {
    this.#door.endorse(value);
  }

  /** Everything worth storing, as plain JSON: raw content, sources, digests. No frame, no nonce, no key. */
  snapshot(): Snapshot {
    const { choices } = this.#witness;
    return { version: SNAPSHOT_VERSION, conversation: this.id, records: this.records.map(storeRecord), choices };
  }

  /** Fills a new conversation from a snapshot, with suspicion. */
  restore(snapshot: unknown): this {
    if (this.#records.size > 0)
      throw new SallyportError(
        'ERR_INVALID_SNAPSHOT',
        'Restore into a new conversation: this one has records already.',
      );
    for (const [id, recorded] of restoreRecords(snapshot, this.#settings.onEvent)) {
      this.#records.set(id, recorded);
      this.#codes.add(recorded);
      this.#restored.push(recorded);
    }
    // With state held by the provider, models have read them, whether or not they are shown again.
    this.#note(this.#restored);
    this.#witness.restore(restoreChoices(snapshot, this.#records.keys(), this.#settings.onEvent));
    return this;
  }
}
