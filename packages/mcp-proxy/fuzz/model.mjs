// What must have happened, worked out from what was sent on both sides, without looking into the proxy.
import { canonicalJson } from '@sallyport/core/adapter';
import { Check, isOwnAnswer, isOwnQuestion, isUncovered, Opener } from './check.mjs';
import { CONVERSATION, CONVERSATIONS } from './client.mjs';
import {
  callKey,
  conversationIn,
  conversationOf,
  isTable,
  kindOf,
  markIn,
  messagesIn,
  parsed,
  Tally,
} from './message.mjs';
import { Permits } from './permits.mjs';

const TO_SERVER = new Set(['The request could not be framed', 'Invalid request']);

export class Model {
  #state;
  #check;
  #openers;
  #report;
  // By the JSON of an id: how often it was asked, answered, and given up by the client.
  #asked = new Tally();
  #answered = new Tally();
  #cancelled = new Tally();
  #overlapping = new Set();
  /** By their JSON, requests whose id was still taken, with the id. They go on if the first is answered meanwhile. */
  #second = new Map();
  /** By its JSON, what may go to the server, and how often. */
  #allowed = new Tally();
  // Our questions that wait, and what a person would let pass by answering them.
  #questions = new Map();
  permits;

  constructor(state, report) {
    this.#state = state;
    this.#report = report;
    this.#openers = new Map(
      CONVERSATIONS.map((id) => [id, new Opener(state.keyOf(id), state.issued, id === CONVERSATIONS[0])]),
    );
    this.permits = new Permits(state, report);
    this.#check = new Check(state.setup, report, (frame, text) => state.remember(frame, text));
  }

  #isHeld(key) {
    const { pending } = this.#state;
    const under = (pending.has(key) ? 1 : 0) + this.#answered.of(key) + this.#cancelled.of(key);
    return this.#asked.of(key) > under;
  }

  /** What a client's message is for the server: frames opened, without what is between host and proxy. */
  #outgoing(message, kind) {
    const ids = [kind === 'response' ? CONVERSATIONS[0] : conversationOf(message), CONVERSATIONS[0]];
    const value = JSON.parse(JSON.stringify(message), (_, each) => {
      const opened = ids.map((id) => this.#openers.get(id).openReturned(each)).find((frame) => frame !== undefined);
      return opened?.whole === true && opened.texts.length === 1 ? opened.texts[0] : each;
    });
    const meta = isTable(value.params) ? value.params._meta : undefined;
    if (isTable(meta)) delete meta[CONVERSATION];
    return value;
  }

  /** Notes a line of the client before it is handed in. */
  fromClient(text, kind, isLenient) {
    const value = parsed(text);
    const origin = { side: 'client', text, kind, isLenient, calls: new Map(), marks: [], must: [], count: 0 };
    const own = new Set();
    for (const message of value === undefined ? [] : messagesIn(value)) {
      const type = kindOf(message);
      if (type === 'other') continue;
      const leaving = this.#outgoing(message, type);
      const key = JSON.stringify(message.id);
      if (type === 'request') this.#noteRequest(origin, { message, leaving, key, own });
      else if (type === 'response') this.#noteResponse(origin, message, leaving);
      else this.#noteNotification(origin, message, leaving);
    }
    return origin;
  }

  #allow(origin, leaving, isMust) {
    const text = canonicalJson(leaving);
    this.#allowed.add(text);
    if (isMust && !origin.isLenient) origin.must.push(text);
  }

  #noteRequest(origin, { message, leaving, key, own }) {
    // Twice in one batch: the second goes on where the first was refused, and not where it went on.
    const isSecond = own.has(key);
    const isTaken = !isSecond && (this.#state.pending.has(key) || this.#isHeld(key));
    this.#asked.add(key);
    own.add(key);
    // Asked again while the first is being answered: whose answer is whose, only the order in the proxy says.
    if (isTaken && origin.isLenient) this.#overlapping.add(key);
    if (isTaken && !origin.isLenient) {
      this.#second.set(canonicalJson(leaving), key);
      return;
    }
    const isCall = message.method === 'tools/call';
    this.#allow(origin, leaving, !isCall && !isSecond);
    if (!isCall) return;
    const params = isTable(leaving.params) ? leaving.params : {};
    const mark = markIn(params);
    const isHeld = !origin.isLenient && this.permits.held.has(params.name);
    origin.calls.set(key, { params: message.params, leavingKey: callKey(params), isHeld });
    if (mark !== undefined) origin.marks.push(mark);
    const { requestState, inputResponses, ...rest } = params;
    if (requestState === undefined && inputResponses === undefined) return;
    this.#allow(origin, { ...leaving, params: rest }, false);
    this.permits.answer(params);
  }

  #noteResponse(origin, message, leaving) {
    const marks = this.#questions.get(message.id);
    // Too late for a question of ours, and nothing for the server.
    const isWithdrawn = String(message.id).startsWith('sallyport-');
    if (marks === undefined) return this.#allow(origin, leaving, !isWithdrawn);
    this.#questions.delete(message.id);
    const { action, content } = isTable(message.result) ? message.result : {};
    if (action === 'accept' && content?.approve === true) for (const mark of marks) this.permits.approve(mark);
  }

  #noteNotification(origin, message, leaving) {
    const key = message.method === 'notifications/cancelled' ? JSON.stringify(message.params?.requestId) : undefined;
    const isPending = this.#state.pending.delete(key);
    const isHeld = key !== undefined && !isPending && this.#isHeld(key);
    if (isPending || isHeld) this.#cancelled.add(key);
    this.#allow(origin, leaving, !isHeld);
  }

  /** Whether a request may go on because all others with its id have been answered since it arrived. */
  #isFreed(json) {
    const key = this.#second.get(json);
    if (key === undefined || this.#state.pending.has(key)) return false;
    return this.#asked.of(key) - 1 <= this.#answered.of(key) + this.#cancelled.of(key);
  }

  /** Takes what the proxy sends to the server. */
  toServer(text, origin) {
    const value = parsed(text);
    if (value === undefined || text.includes('\n')) this.#report('to-server', `no message: ${text}`);
    for (const message of messagesIn(value)) {
      const { error, id, method, params } = isTable(message) ? message : {};
      if (origin.side === 'server' && TO_SERVER.has(error?.message)) {
        origin.refused.add(JSON.stringify(id));
        continue;
      }
      const json = canonicalJson(message);
      if (this.#isFreed(json)) this.#second.delete(json);
      else {
        if (this.#allowed.of(json) <= 0) this.#report('to-server', `not said by the client: ${json}`);
        this.#allowed.add(json, -1);
      }
      const isUnchanged = json === canonicalJson(parsed(origin.text)) && origin.kind !== 'client:doubled-members';
      if (isUnchanged && text !== origin.text) this.#report('bytes', `${origin.text} became ${text}`);
      origin.must = origin.must.filter((each) => each !== json);
      if (kindOf(message) !== 'request') continue;
      const key = JSON.stringify(id);
      this.#state.pending.set(key, {
        method,
        conversation: conversationIn(origin.text, key),
        params: origin.calls.get(key)?.params ?? params,
      });
      if (method === 'tools/call') this.permits.arrive(params, origin.calls.get(key));
    }
  }

  /** Takes what the proxy sends to the client. */
  toClient(text, origin) {
    const value = parsed(text);
    if (value === undefined || /[\n]/.test(text)) {
      this.#report('json', `not one line of JSON: ${text}`);
      return;
    }
    for (const message of messagesIn(value)) {
      const key =
        isTable(message) && !Object.hasOwn(message, 'method') && message.id !== null
          ? JSON.stringify(message.id)
          : undefined;
      if (key !== undefined) {
        this.#answered.add(key);
        const isMore = this.#answered.of(key) > this.#asked.of(key);
        if (isMore) this.#report('answer', `no open request for it: ${text}`);
      }
      if (origin.side === 'client') this.#own(message, origin, key);
      else if (origin.isLenient) this.#loose(message, key);
      else origin.shown.push(message);
    }
  }

  #own(message, origin, key) {
    const { issuedSet, asked, states } = this.#state;
    // A question without an answer in time is withdrawn.
    if (message.method === 'notifications/cancelled' && this.#questions.delete(message.params.requestId)) return;
    if (isOwnQuestion(message, issuedSet)) {
      this.#state.count('questions');
      if (key === undefined) {
        asked.push(message.id);
        this.#questions.set(message.id, origin.marks);
        return;
      }
      const { params, leavingKey } = origin.calls.get(key) ?? {};
      const { requestState, inputRequests } = message.result;
      this.permits.ask(requestState, leavingKey);
      states.push({ params, requestState, questions: Object.keys(inputRequests) });
    } else if (isOwnAnswer(message))
      this.#state.count(message.error === undefined ? 'refused calls' : 'errors of ours');
    else this.#report('own', `not one of our answers: ${JSON.stringify(message)}`);
  }

  /** What a listing shows is held no more. */
  #list({ result }, method) {
    const tools = method === 'tools/list' && isTable(result) && Array.isArray(result.tools) ? result.tools : [];
    for (const tool of tools) this.permits.held.delete(tool?.name);
  }

  #loose(message, key) {
    const { pending } = this.#state;
    const { conversation = CONVERSATIONS[0], method = '' } = pending.get(key) ?? {};
    pending.delete(key);
    this.#list(message, method);
    if (!isUncovered(message))
      this.#check.spoken(message, undefined, { opener: this.#openers.get(conversation), method });
  }

  /** Notes a line of the server before it is handed in, and what must come of it. */
  fromServer({ line, text, isLenient }) {
    const { pending } = this.#state;
    const origin = {
      side: 'server',
      text: text ?? '',
      kind: line.kind,
      isLenient,
      shown: [],
      refused: new Set(),
      calls: new Map(),
      must: [],
    };
    const value = text === undefined ? undefined : parsed(text);
    if (isLenient) return { ...origin, expected: [] };
    if (value === undefined) {
      const isAnswer = pending.has(line.answers);
      if (isAnswer) pending.delete(line.answers);
      return Object.assign(origin, {
        expected: isAnswer ? [{ type: 'error', key: line.answers }] : [],
        isLoose: line.answers === undefined,
      });
    }
    const expected = messagesIn(value).flatMap((said) => {
      const type = kindOf(said);
      if (type === 'other') return [];
      if (type !== 'response') return [{ type, said, conversation: CONVERSATIONS[0], method: '' }];
      if (said.id === null) return [{ type, said, key: undefined, conversation: CONVERSATIONS[0], method: '' }];
      const key = JSON.stringify(said.id);
      const request = pending.get(key);
      if (request === undefined) return [];
      pending.delete(key);
      this.#state.last = key;
      return [{ type, said, key, ...request }];
    });
    return Object.assign(origin, { expected });
  }

  /** What has come of a line of the server. */
  afterServer(origin, line) {
    const left = [...origin.shown];
    for (const each of origin.expected) {
      const shown = left[0];
      if (each.type === 'request' && origin.refused.has(JSON.stringify(each.said.id))) continue;
      left.shift();
      if (shown === undefined) this.#report('hang', `nothing came of: ${JSON.stringify(each.said ?? each.key)}`);
      else this.#settled(each, shown, line);
    }
    // The id of an answer may be found even if it is not JSON.
    if (origin.isLoose) for (const each of left.splice(0, 1)) this.#recognised(each);
    if (left.length > 0) this.#report('answer', `from nowhere: ${JSON.stringify(left[0])}`);
  }

  #recognised(shown) {
    const isKnown = isUncovered(shown) && this.#state.pending.delete(JSON.stringify(shown.id));
    if (!isKnown) this.#report('answer', `to no request: ${JSON.stringify(shown)}`);
  }

  #settled({ type, said, key, conversation, method, params }, shown, { isHeavy }) {
    if (key !== undefined && JSON.stringify(shown.id) !== key)
      this.#report('answer', `${key} was answered by ${JSON.stringify(shown)}`);
    this.#state.count(type === 'error' ? 'answers in place of lines' : `${type}s`);
    if (type === 'error' || isUncovered(shown)) {
      const isFit = isUncovered(shown) && (type === 'error' || isHeavy === true || String(params?.name).length > 256);
      if (!isFit) this.#report('uncovered', `${JSON.stringify(said)} became ${JSON.stringify(shown)}`);
      return;
    }
    this.#check.spoken(shown, isHeavy ? undefined : said, { opener: this.#openers.get(conversation), method });
    if (type === 'request') this.#state.served.push(shown.id);
    const { resultType, requestState, inputRequests } = isTable(shown.result) ? shown.result : {};
    // A state that is prose is shown in a frame, and a long stream forgets which frames were its own.
    if (resultType === 'input_required' && isTable(inputRequests) && !this.#state.setup.isLong)
      this.#state.states.push({ params, requestState, questions: Object.keys(inputRequests) });
    this.#list(shown, method);
  }

  /** A line of the client has been dealt with. */
  afterClient(origin) {
    if (origin.must.length > 0) this.#report('lost', `did not reach the server: ${origin.must[0]}`);
  }

  /** The end: no more messages and no more decisions. */
  finish() {
    for (const key of this.#asked.keys())
      if (this.#isHeld(key) && !this.#overlapping.has(key)) this.#report('hang', `never answered: ${key}`);
  }
}
