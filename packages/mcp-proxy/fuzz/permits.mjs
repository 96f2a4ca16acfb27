// Which calls may reach the server: what persons have said about those that are marked, and what was asked of them.
import { callKey, markIn, Tally } from './message.mjs';

export class Permits {
  #state;
  #report;
  #approved = new Tally();
  #everApproved = new Set();
  // From the state of a question in a result to its call.
  #states = new Map();
  #arrived = 0;
  #secondLegs = 0;
  /** How often the proxy says it has let a call pass. */
  allowed = 0;
  /** Tools whose definitions wait for a person. */
  held = new Set();

  constructor(state, report) {
    this.#state = state;
    this.#report = report;
  }

  /** A person lets one call pass. */
  approve(mark) {
    if (mark === undefined) return;
    this.#approved.add(mark);
    this.#everApproved.add(mark);
    this.#state.count('approvals');
  }

  /** The result of a call is a question about it. */
  ask(requestState, key) {
    this.#states.set(requestState, key);
  }

  /** A call comes again, with the answer to a question: once, and for the very call that was asked about. */
  answer(params) {
    const { requestState, inputResponses } = params;
    this.#secondLegs++;
    if (this.#states.get(requestState) !== callKey(params)) return;
    const { action, content } = inputResponses?.['sallyport-approval'] ?? {};
    if (action === 'accept' && content?.approve === true) this.approve(markIn(params));
    this.#states.delete(requestState);
  }

  /** A call has reached the server. */
  arrive(params, call) {
    this.#arrived++;
    this.#state.count('calls');
    const mark = markIn(params);
    if (call?.isHeld === true) this.#report('held', `a call of a held tool arrived: ${params.name}`);
    if (this.#arrived > this.allowed + this.#secondLegs)
      this.#report('gate', `a call arrived that was not allowed: ${JSON.stringify(params)}`);
    if (mark === undefined || !this.#state.setup.isEnforcing) return;
    // The second leg of a call was judged with the first.
    const isSecond = params.requestState !== undefined || params.inputResponses !== undefined;
    if (isSecond && this.#everApproved.has(mark)) return;
    if (this.#approved.of(mark) <= 0) this.#report('gate', `a call arrived that is not approved: ${mark}`);
    this.#approved.add(mark, -1);
  }
}
