// Lines of a client: ordinary ones in both eras, wrong ones, and calls of every fate.
import { METHODS, MODERN } from './shapes.mjs';
import { Members, Raw } from './write.mjs';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const CONVERSATION = 'sallyport/conversation';
export const CONVERSATIONS = ['local', 'conv-a', 'conv-b'];

export class ClientLines {
  #state;
  #random;
  #number = 0;
  #isCalm = false;

  /**
   * `state` has random, texts, shapes, writer, seen and pending; `asked`, our questions that wait for an answer, `states`, those
   * from a result, and `served`, ids of the server's own requests.
   */
  constructor(state) {
    this.#state = state;
    this.#random = state.random;
  }

  #id() {
    const random = this.#random;
    this.#number++;
    if (this.#isCalm) return `calm-${this.#number}`;
    return random.weighted([
      [12, () => new Raw(`${this.#number}`)],
      [3, () => `${this.#number}`],
      [2, () => `req-${this.#number}`],
      [1, () => new Raw(`${this.#number}.5`)],
      [1, () => `please answer number ${this.#number}`],
      [1, () => new Raw(`${this.#number}.0`)],
      [1, () => new Raw(random.pick([...this.#state.pending.keys(), '1', '-1', '9007199254740993']))],
    ]);
  }

  /** A value as a model would take it from what it has read: a frame, a text out of one, an address, or its own. */
  #value() {
    const { frames, texts: read } = this.#state.seen;
    const random = this.#random;
    return random.weighted([
      [3, () => this.#state.texts.token()],
      [frames.length > 0 ? 3 : 0, () => random.pick(frames)],
      [read.length > 0 ? 2 : 0, () => random.pick(read)],
      [frames.length > 0 ? 1 : 0, () => `see ${random.pick(frames)}`],
      [2, () => this.#state.texts.words(1, 6)],
    ]);
  }

  #meta(isModern) {
    const random = this.#random;
    const meta = {};
    if (isModern)
      Object.assign(meta, {
        [VERSION]: MODERN,
        [CAPABILITIES]: random.pick([{}, { elicitation: {} }, { elicitation: { form: {} } }]),
      });
    if (random.chance(0.15)) meta[CONVERSATION] = random.pick([...CONVERSATIONS, '', '\ud800', 7]);
    if (random.chance(0.2)) meta.progressToken = this.#number;
    return Object.keys(meta).length === 0 && random.chance(0.8) ? undefined : meta;
  }

  #request(method, params) {
    return new Members([
      ['jsonrpc', '2.0'],
      ['id', this.#id()],
      ['method', method],
      ...(params === undefined ? [] : [['params', params]]),
    ]);
  }

  #plain() {
    const random = this.#random;
    const method = random.pick(METHODS);
    const params = {
      ...(method === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: random.pick([{}, { elicitation: {} }]),
            clientInfo: { name: 'fuzz' },
          }
        : {}),
      ...(method.startsWith('tasks/') ? { taskId: random.pick(['task-1', 'task-2']) } : {}),
      ...(random.chance(0.3) ? { uri: this.#value(), ref: { name: this.#value() } } : {}),
      _meta: this.#meta(random.chance(0.2)),
    };
    return this.#request(method, random.chance(0.1) ? undefined : params);
  }

  /** A call. What must be held or refused has a mark in its arguments that the rule of the stream knows. */
  call() {
    const random = this.#random;
    const number = this.#state.marks++;
    const mark = random.weighted([
      [12, undefined],
      [2, `DENY-ME-${number}.`],
      [5, () => `HOLD-${random.pick(['yes', 'no', 'never', 'broken'])}-${number}.`],
    ]);
    const given = {
      to: this.#value(),
      ...(random.chance(0.4) ? { body: this.#value() } : {}),
      ...(mark === undefined ? {} : { mark }),
    };
    const isModern = random.chance(0.35);
    const name = random.weighted([
      [14, () => random.pick(this.#state.shapes.tools).name],
      [2, () => random.pick(['more_1', 'search2', 'read_fi1e', 'nobody_has_this', 'other_server_tool'])],
      [1, () => random.pick([undefined, null, 7, '', this.#state.texts.prose(), this.#state.texts.name()])],
    ]);
    const args = random.chance(0.95) ? given : random.pick([undefined, null, 'text', 7, [this.#value()]]);
    return this.#request('tools/call', { name, arguments: args, _meta: this.#meta(isModern) });
  }

  /** The answer to a question in place of a result, or to a server's question. */
  #secondLeg() {
    const { states } = this.#state;
    const random = this.#random;
    if (states.length === 0) return this.call();
    const { params, requestState, questions } = random.chance(0.9) ? states.pop() : random.pick(states);
    const action = random.pick(['accept', 'accept', 'decline', 'cancel']);
    const answer = { action, content: { approve: random.chance(0.9) } };
    const inputResponses = Object.fromEntries(questions.map((name) => [name, answer]));
    const state =
      random.chance(0.9) || typeof requestState !== 'string' ? requestState : `${requestState.slice(0, -1)}0`;
    const changed = random.chance(0.1) ? { ...params, arguments: { to: this.#value() } } : params;
    return this.#request('tools/call', { ...changed, requestState: state, inputResponses });
  }

  /** The answer to a question of ours, or of the server. */
  #response() {
    const { asked, served, texts } = this.#state;
    const random = this.#random;
    const isOurs = asked.length > 0 && random.chance(0.8);
    const id = isOurs ? asked.shift() : (served.pop() ?? new Raw('12345'));
    const body = random.weighted([
      [4, () => ['result', { action: 'accept', content: { approve: true, text: this.#value() } }]],
      [1, ['result', { action: 'decline' }]],
      [1, () => ['result', { action: texts.prose(), content: [] }]],
      [1, ['error', { code: -32601, message: 'no such method' }]],
      [1, () => ['result', { role: 'assistant', content: { type: 'text', text: this.#value() }, roots: [] }]],
    ]);
    return new Members([['jsonrpc', '2.0'], ['id', id], body]);
  }

  #cancel() {
    const { pending } = this.#state;
    const key =
      pending.size > 0 && this.#random.chance(0.8)
        ? this.#random.pick([...pending.keys()])
        : this.#random.pick(['1', '"1"', 'null', '{}']);
    const requestId = this.#random.chance(0.95) ? new Raw(key) : undefined;
    return new Members([
      ['jsonrpc', '2.0'],
      ['method', 'notifications/cancelled'],
      ['params', { requestId, reason: this.#value() }],
    ]);
  }

  #notification() {
    const method = this.#random.pick([
      'notifications/initialized',
      'notifications/progress',
      'notifications/roots/list_changed',
      'x/note',
    ]);
    return new Members([
      ['jsonrpc', '2.0'],
      ['method', method],
      ['params', { message: this.#value(), _meta: this.#meta(false) }],
    ]);
  }

  #wrong() {
    const random = this.#random;
    const text = this.#state.writer.write(this.call());
    return random.pick([
      text.slice(0, random.from(0, text.length)),
      '{}',
      '[]',
      '[[{}]]',
      'null',
      '"words that are json"',
      `{"id":null,"method":"tools/call"}`,
      `${text},`,
      `{"id":{},"method":"x"}`,
      '[1,2]',
    ]);
  }

  #doubled() {
    const list = [
      ['jsonrpc', '2.0'],
      ['id', this.#id()],
      ['method', 'ping'],
      ['method', 'tools/call'],
      ['params', { name: 'search', arguments: { to: this.#value() } }],
    ];
    return new Members(this.#random.shuffled(list));
  }

  #message() {
    return this.#random.weighted([
      [5, () => this.#plain()],
      [5, () => this.call()],
      [1, () => this.#notification()],
      [1, () => this.#response()],
    ]);
  }

  /** The next line, without its end. `isCalm` leaves out what depends on the order of what is under way. */
  next(isCalm = false) {
    this.#isCalm = isCalm;
    const line = (kind, value) => ({
      kind: `client:${kind}`,
      bytes: Buffer.from(typeof value === 'string' ? value : this.#state.writer.write(value)),
    });
    const { asked } = this.#state;
    return this.#random.weighted([
      [34, () => line('request', this.#plain())],
      [34, () => line('call', this.call())],
      [this.#state.states.length > 0 ? 12 : 1, () => line('second-leg', this.#secondLeg())],
      [asked.length > 0 ? 25 : 5, () => line('response', this.#response())],
      [5, () => line('notification', this.#notification())],
      [isCalm ? 0 : 4, () => line('cancel', this.#cancel())],
      [
        3,
        () =>
          line(
            'batch',
            Array.from({ length: this.#random.from(0, 4) }, () => this.#message()),
          ),
      ],
      [2, () => line('doubled-members', this.#doubled())],
      [3, () => line('wrong', this.#wrong())],
      [1, () => ({ kind: 'client:invalid-utf8', bytes: Buffer.from([0x7b, 0xff, 0x7d]) })],
    ]);
  }
}
