import type { Released } from '../address/defuse.ts';
import { SallyportError } from '../base/errors.ts';
import { type NativeToolUse, ProposedCall } from '../call/call.ts';
import { readBy } from '../call/script.ts';
import type { Framed } from '../frame/frame.ts';
import type { EndorsedValue, Endorser } from '../gate/approvals.ts';
import type { Decision } from '../gate/decision.ts';
import { joinLabels } from '../label/label.ts';
import type { Requested, RequestOptions } from '../prompt/request.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { Transcript } from '../provenance/transcript.ts';
import { type Content, surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { AdmitInput } from './admit.ts';
import type { Expected } from './expectations.ts';
import { History } from './history.ts';
import { Intake, type IntakeSettings } from './intake.ts';
import { type Ask, Outbound, type OutboundSettings } from './outbound.ts';
import { type RenderingSettings, Renderings } from './renderings.ts';
import { SNAPSHOT_VERSION, type Snapshot, storeRecord } from './snapshot.ts';
import { admittedAs, Submission, submit } from './submission.ts';
import type { Turn } from './turn.ts';

/** What a boundary hands to each of its conversations. */
export interface ConversationSettings extends IntakeSettings, RenderingSettings, OutboundSettings {}

/** One conversation: what it has taken in, raw, how that is shown to a model, and what the model may do. */
export class Conversation {
  readonly id: string;
  readonly #transcript: Transcript;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #outbound: Outbound;
  readonly #history: History;

  constructor(id: string, settings: ConversationSettings) {
    this.id = id;
    const transcript = new Transcript(settings.tools, settings.gate.keepsFirstUse);
    const intake = new Intake(settings, transcript);
    const renderings = new Renderings(settings, intake, transcript);
    const outbound = new Outbound(settings, intake, renderings, transcript);
    this.#transcript = transcript;
    this.#intake = intake;
    this.#renderings = renderings;
    this.#outbound = outbound;
    this.#history = new History({ intake, renderings, outbound, transcript });
  }

  get records(): readonly Recorded[] {
    return this.#intake.records;
  }

  /** No model has read anything yet as far as is known, also after restore(): every effect is denied. */
  get isBlind(): boolean {
    return !this.#transcript.hasSeen;
  }

  /** Takes content in. The same content under the same id is the same record. */
  admit(input: AdmitInput): Recorded {
    return this.#intake.add(input);
  }

  /**
   * What will come in under an id was made from these records, whoever brings it: the result of a script, of a sub-agent. Of what is
   * made from an instruction, or from what nobody has looked at, no word has to be found again: all of it is suspect.
   */
  async expect(id: string, expected: Expected): Promise<void> {
    const shown = await Promise.all(expected.derivedFrom.map((recorded) => this.#renderings.frame(recorded)));
    this.#intake.expect(id, expected, shown);
  }

  /**
   * What the agent wants written down: a memory, a summary, a note. It carries the label of all that any request of this
   * conversation held, and the standing of its words; what is read back has them again, until a person promotes it.
   */
  submit({ id, content }: { readonly id: string; readonly content: Content }): Submission {
    const { id: cleanId, parts, labels } = this.#intake.cleanWords(id, content);
    const context = joinLabels([this.#renderings.context, ...labels]);
    const standing = this.#transcript.standingOf(parts.map(surfaceOf));
    return submit({ id: cleanId, content: parts, context, derivedFrom: this.#renderings.shownIds, standing });
  }

  /** Takes in what was once submitted, here or in another conversation, under the label it was written with. */
  recall(submission: Submission): Recorded {
    if (!Submission.is(submission))
      throw new SallyportError('ERR_STAGE_SKIPPED', 'recall() takes what submit() or restoreSubmission() gave.');
    const recorded = this.#intake.add(admittedAs(submission));
    this.#transcript.mark(recorded.id, submission.standing);
    return recorded;
  }

  /** Renders one record for a model: limited, classified, quoted, framed. */
  frame(recorded: Recorded): Promise<Framed> {
    return this.#renderings.frame(recorded);
  }

  /** Assembles a request. Only what is new is classified and framed. */
  request(options: RequestOptions = {}): Promise<Requested> {
    return this.#renderings.request(options);
  }

  /**
   * A call the model proposed by the provider's native tool use, under all that any request of this conversation held:
   * with state held by the provider, or a second request beside the first, the last one alone is not what was read.
   * Before the first request nobody knows what was. The result of a call that a flagged span chose, admitted under the
   * call's id, is taken for that span's words: who chose the page chose what it says.
   */
  propose(use: NativeToolUse): ProposedCall {
    return this.#history.add(use);
  }

  /**
   * Whose words each value of a call is made of: those of the developer, the user or the operator, of others, of somebody who
   * tries to instruct the model, or the model's own. Judged by all that any request of this conversation held.
   */
  trace(call: ProposedCall): readonly Argument[] {
    if (!ProposedCall.is(call)) throw new SallyportError('ERR_STAGE_SKIPPED', 'trace() takes what propose() gives.');
    return this.#transcript.trace(call);
  }

  /** Decides whether a call may be made. Ask before the tool runs, and put `decision.result` in its place where it may not. */
  judge(call: ProposedCall): Decision {
    return this.#outbound.judge(call);
  }

  /**
   * Proposes a call and judges it; where it is to be asked, and somebody can be, asks. The same call again is the same one until
   * more was read, so a framework may come here when it asks for approval and once more when it runs the tool.
   */
  async decide(use: NativeToolUse, ask?: Ask): Promise<Decision> {
    // A script may have read what no model was shown: whose words a call is made of is known by then.
    if (use?.script !== undefined) await Promise.all(readBy(use.script).map((recorded) => this.frame(recorded)));
    return this.#outbound.consult(this.judge(this.#history.propose(use)), ask);
  }

  /**
   * The same for a call that another conversation makes, and proposes there: by what was read here, and nothing of it is
   * remembered. For an agent that is one conversation among several of the same user.
   */
  async weigh(use: NativeToolUse, ask?: Ask): Promise<Decision> {
    return this.#outbound.consult(this.judge(this.#outbound.read(use)), ask);
  }

  /**
   * Takes in a history that a framework keeps, raw, and gives what the model is to be shown in place of each turn, undefined where
   * it stays as it is. Only what is new is taken in; calls in it are proposed by what stood before them, so that a history that
   * comes back after a restart is judged as it was. The reading rules go with the system message: READING_RULES.
   */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    return this.#history.render(turns);
  }

  /**
   * The model's words on their way to somebody's screen. What a screen fetches by itself stays only if a trusted party said the
   * whole address; what a person has to click, also if it stands in the content just so, and nobody asks for it there.
   */
  release(text: string): Released {
    return this.#outbound.release(text);
  }

  /** A person lets a held call pass: this tool, these arguments, once, until it expires. Judge the call again afterwards. */
  approve(decision: Decision, endorser: Endorser): void {
    this.#outbound.approve(decision, endorser);
  }

  /** A person vouches for a value in calls of one tool, until it expires. */
  endorse(value: EndorsedValue): void {
    this.#outbound.endorse(value);
  }

  /** Everything worth storing, as plain JSON: raw content, sources, digests. No frame, no nonce, no key. */
  snapshot(): Snapshot {
    const { choices } = this.#transcript;
    return { version: SNAPSHOT_VERSION, conversation: this.id, records: this.records.map(storeRecord), choices };
  }

  /** Fills a new conversation from a snapshot, with suspicion. */
  restore(snapshot: unknown): this {
    const { records, choices } = this.#intake.restore(snapshot);
    this.#renderings.restore(records);
    this.#transcript.restore(choices);
    return this;
  }
}
