// Lines of a hostile or broken server. Each has a name, by which the cases are counted.
import { Members, Raw } from './write.mjs';

const BAD_BYTES = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]];
const DEEPEST = 12_000;

/** An id in one of its spellings: all are one number. */
function spelled(random, key) {
  if (!/^\d{1,9}$/.test(key) || random.chance(0.7)) return key;
  return random.pick([`${key}.0`, `${key}e0`, `${key}0e-1`]);
}

export class ServerLines {
  #state;
  #random;

  /** `state` has random, texts, shapes, writer, longest and pending: by the JSON of their ids, the requests that wait. */
  constructor(state) {
    this.#state = state;
    this.#random = state.random;
  }

  /** A request that waits, the oldest or any; undefined where none does. */
  #waiting() {
    const { pending } = this.#state;
    if (pending.size === 0) return undefined;
    const keys = [...pending.keys()];
    const key = this.#random.chance(0.3) ? keys[0] : this.#random.pick(keys);
    return { key, method: pending.get(key).method };
  }

  /** An id that waits, or one that the server made up. */
  #id() {
    const random = this.#random;
    const known = this.#waiting()?.key;
    if (known !== undefined && random.chance(0.7)) return known;
    return random.pick([
      '1',
      '"1"',
      '0',
      '-1',
      '99999',
      '1.5',
      '""',
      '9007199254740993',
      JSON.stringify(this.#state.texts.prose()),
    ]);
  }

  #envelope(members) {
    const random = this.#random;
    const { texts, shapes } = this.#state;
    const list = [['jsonrpc', '2.0'], ...members];
    if (random.chance(0.04)) list.push([texts.name(), shapes.json(2)]);
    if (random.chance(0.03)) list.push([texts.prose(), shapes.json(1)]);
    return new Members(random.chance(0.3) ? random.shuffled(list) : list);
  }

  #write(value) {
    return this.#state.writer.write(value);
  }

  #answerTo(key, method) {
    const { shapes } = this.#state;
    const isError = this.#random.chance(0.15);
    const body = isError ? ['error', shapes.error()] : ['result', shapes.result(method)];
    return this.#envelope([['id', new Raw(spelled(this.#random, key))], body]);
  }

  #spokenRequest() {
    const { method, params } = this.#state.shapes.request();
    const id = this.#random.chance(0.9) ? `${this.#random.from(0, 30)}` : this.#id();
    return this.#envelope([
      ['id', new Raw(id)],
      ['method', method],
      ['params', params],
    ]);
  }

  #notification() {
    const { method, params } = this.#state.shapes.notification();
    return this.#envelope([
      ['method', method],
      ['params', params],
    ]);
  }

  /** A message of any kind, as a value. */
  #message() {
    const found = this.#waiting();
    return this.#random.weighted([
      [6, () => (found === undefined ? this.#notification() : this.#answerTo(found.key, found.method))],
      [2, () => this.#notification()],
      [2, () => this.#spokenRequest()],
      [1, () => this.#answerTo(this.#id(), 'tools/call')],
    ]);
  }

  /** An answer whose id can be read at one of its ends, whatever is between. */
  #ended(middle) {
    const key = this.#waiting()?.key;
    if (key === undefined || !/^(?:-?\d+|"[\w-]*")$/.test(key)) return undefined;
    const [before, behind] = this.#random.chance(0.5)
      ? [`{"jsonrpc":"2.0","id":${key},"result":{"content":[{"type":"text","text":"`, '"}]}}']
      : ['{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"', `"}]},"id":${key}}`];
    return { key, bytes: Buffer.concat([Buffer.from(before), middle, Buffer.from(behind)]) };
  }

  #long() {
    const text = `${this.#state.texts.words(5, 20)} `;
    return Buffer.from(text.repeat(Math.ceil((this.#state.longest + this.#random.from(1, 3000)) / text.length)));
  }

  #broken() {
    const bad = Buffer.from(this.#random.pick(BAD_BYTES));
    return Buffer.concat([Buffer.from(this.#state.texts.words(3, 9)), bad, Buffer.from(this.#state.texts.words(3, 9))]);
  }

  #refused(kind, middle) {
    const made = this.#ended(middle);
    if (made !== undefined && this.#random.chance(0.8)) return { kind, bytes: made.bytes, answers: made.key };
    // A server's request, or an id in the middle: not an answer to any request.
    const { key = '1' } = this.#waiting() ?? {};
    const before = this.#random.pick([
      `{"jsonrpc":"2.0","id":${key},"method":"sampling/createMessage","params":{"x":"`,
      '{"jsonrpc":"2.0","method":"x","params":{"y":"',
    ]);
    return { kind, bytes: Buffer.concat([Buffer.from(before), middle, Buffer.from(`"}}`)]), answers: 'none' };
  }

  #deep() {
    const random = this.#random;
    const depth = random.chance(0.2) ? random.from(3000, DEEPEST) : random.from(10, 900);
    const isObject = random.chance(0.4);
    const [open, close] = isObject ? ['{"a":', '}'] : ['[', ']'];
    const inner = JSON.stringify(this.#state.texts.prose());
    const deep = new Raw(`${open.repeat(depth)}${inner}${close.repeat(depth)}`);
    const found = this.#waiting();
    const doubled = random.chance(0.2) ? [['params', 1]] : [];
    const members =
      found === undefined
        ? [['method', 'x/deep'], ...doubled, ['params', deep]]
        : [
            ['id', new Raw(found.key)],
            ['result', random.pick([deep, { structuredContent: deep }, { content: deep }])],
          ];
    const text = random.chance(0.1) ? `${'['.repeat(depth)}${']'.repeat(depth)}` : this.#write(this.#envelope(members));
    return { kind: 'deep', bytes: Buffer.from(text), isHeavy: depth > 900 };
  }

  #many() {
    const count = this.#random.chance(0.02) ? this.#random.from(19_000, 22_000) : this.#random.from(200, 700);
    const values = Array.from({ length: count }, (_, index) => `a b ${index}`);
    const found = this.#waiting();
    const members =
      found === undefined
        ? [
            ['method', 'x/many'],
            ['params', { values }],
          ]
        : [
            ['id', new Raw(found.key)],
            ['result', { completion: { values } }],
          ];
    return { kind: 'many-strings', bytes: Buffer.from(this.#write(this.#envelope(members))), isHeavy: count > 1000 };
  }

  #doubled() {
    const { texts, shapes } = this.#state;
    const found = this.#waiting();
    const key = found?.key ?? this.#id();
    const list = [
      ['jsonrpc', '2.0'],
      ['id', new Raw(key)],
      ['result', shapes.result(found?.method ?? 'ping')],
      this.#random.pick([
        ['id', new Raw(this.#id())],
        ['result', { text: texts.prose() }],
        ['result', shapes.called()],
        ['jsonrpc', texts.prose()],
      ]),
    ];
    return new Members(this.#random.shuffled(list));
  }

  #bothAtOnce() {
    const id = ['id', new Raw(this.#id())];
    const { texts, shapes } = this.#state;
    const parts = [
      id,
      ['method', texts.name()],
      ['result', shapes.called()],
      ['error', shapes.error()],
      ['params', shapes.json()],
    ];
    return this.#envelope(parts.filter(() => this.#random.chance(0.7)));
  }

  #malformed() {
    const text = this.#write(this.#message());
    const random = this.#random;
    const at = random.from(0, text.length);
    return random.weighted([
      [4, () => text.slice(0, at)],
      [2, () => text.slice(at)],
      [
        2,
        () => text.slice(0, at) + random.pick(['"', '}', '{', ',', '\\', '\u0000', ']', '\\u12', "'"]) + text.slice(at),
      ],
      [1, () => `\ufeff${text}`],
      [1, () => `${text}${text}`],
      [1, () => `)]}'${text}`],
      [1, () => text.replaceAll('"', "'")],
    ]);
  }

  #noise() {
    const { texts } = this.#state;
    return this.#random
      .pick([
        texts.prose(),
        `[INFO] ${texts.prose()}`,
        JSON.stringify(texts.prose()),
        'null',
        '7',
        '{}',
        '[]',
        '[[]]',
        '{"id":1}',
        '   ',
        '\r',
        '',
      ])
      .replaceAll('\n', ' ');
  }

  /** The next line, without its end. */
  next() {
    const line = (kind, value) => ({
      kind,
      bytes: Buffer.from(typeof value === 'string' ? value : this.#write(value)),
    });
    const found = this.#waiting();
    const made = this.#random.weighted([
      [
        34,
        () =>
          found === undefined
            ? line('server-request', this.#spokenRequest())
            : line(`answer:${found.method.slice(0, 24)}`, this.#answerTo(found.key, found.method)),
      ],
      [12, () => line('notification', this.#notification())],
      [8, () => line('server-request', this.#spokenRequest())],
      [4, () => line('unasked', this.#answerTo(this.#id(), 'tools/call'))],
      [3, () => line('again', this.#answerTo(this.#state.last ?? '1', 'tools/call'))],
      [1, () => line('null-id', this.#answerTo('null', 'ping'))],
      [
        6,
        () =>
          line(
            'batch',
            Array.from({ length: this.#random.from(0, 5) }, () =>
              this.#random.chance(0.9) ? this.#message() : this.#state.shapes.json(),
            ),
          ),
      ],
      [6, () => line('malformed', this.#malformed())],
      [3, () => this.#refused('oversized', this.#long())],
      [3, () => this.#refused('invalid-utf8', this.#broken())],
      [4, () => line('both-at-once', this.#bothAtOnce())],
      [4, () => line('doubled-members', this.#doubled())],
      [3, () => this.#deep()],
      [0.2, () => this.#many()],
      [3, () => line('noise', this.#noise())],
      [
        4,
        () =>
          line(
            'any-json',
            this.#envelope([
              ['id', new Raw(this.#id())],
              ['result', this.#state.shapes.json(5)],
            ]),
          ),
      ],
    ]);
    // A text with a line feed becomes several lines, whose meaning is unknown.
    if (made.bytes.includes(10)) return { kind: 'noise', bytes: made.bytes.map((byte) => (byte === 10 ? 32 : byte)) };
    return this.#random.chance(0.01) ? this.#padded(made) : made;
  }

  /** As long as a line may be, or one more. */
  #padded({ kind, bytes, isHeavy }) {
    const { longest } = this.#state;
    const length = longest + this.#random.from(0, 1);
    if (bytes.length >= longest || longest > 50_000 || bytes.length === 0) return { kind, bytes, isHeavy };
    return { kind: `${kind}, padded`, bytes: Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 32)]), isHeavy };
  }
}
