// One stream: a client and a server that talk through Lines and a proxy, as the stdio wrapper has them.
import { isUtf8 } from 'node:buffer';
import { setTimeout as pause, setImmediate as tick } from 'node:timers/promises';
import { deriveKey } from '@sallyport/core/stages';
import { Lines } from '@sallyport/mcp-proxy';
import { Random } from '../../../tools/random.mjs';
import { ClientLines } from './client.mjs';
import { Model } from './model.mjs';
import { ServerLines } from './server.mjs';
import { drawSetup, MemoryPins, proxyFor } from './setup.mjs';
import { Shapes } from './shapes.mjs';
import { Texts } from './text.mjs';
import { Writer } from './write.mjs';

const MAX_SEEN = 60;
const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

/** One direction: lines as bytes in pieces, cut by Lines, against what must come out. */
class Pipe {
  #lines;
  #longest;
  #random;
  #report;
  #waiting = [];
  #rest = Buffer.alloc(0);

  constructor(longest, random, report) {
    this.#lines = new Lines(longest);
    this.#longest = longest;
    this.#random = random;
    this.#report = report;
  }

  #matched(got) {
    const made = this.#waiting.shift();
    const bytes = made?.bytes ?? Buffer.alloc(0);
    const type = bytes.length > this.#longest ? 'oversized' : isUtf8(bytes) ? 'line' : 'encoding';
    const isSame = got.type === 'line' ? type === 'line' && got.text === bytes.toString() : got.reason === type;
    if (made === undefined || !isSame)
      this.#report('lines', `${bytes.toString('latin1')} was read as ${JSON.stringify(got)}`);
    return { line: made ?? { kind: 'lost' }, got };
  }

  /** Hands lines in; gives those that came out, each with the one it was made as. */
  push(made, isLast) {
    const random = this.#random;
    const ends = made.map(({ bytes }) => Buffer.concat([bytes, Buffer.from(random.chance(0.05) ? '\n\n' : '\n')]));
    for (const each of made)
      if (each.bytes.length > this.#longest || !isUtf8(each.bytes) || each.bytes.toString().trim() !== '')
        this.#waiting.push(each);
    const all = Buffer.concat([this.#rest, ...ends]);
    const until = isLast || random.chance(0.9) ? all.length : random.from(0, all.length);
    this.#rest = all.subarray(until);
    const out = [];
    // One byte at a time, some, or all there is; each piece a copy, as from a stream that uses its memory again.
    const largest = random.weighted([
      [1, 1],
      [3, 40],
      [3, 5000],
      [3, until],
    ]);
    const least = Math.ceil(until / 2000);
    for (let at = 0; at < until; ) {
      const end = Math.min(until, at + Math.max(least, random.from(1, Math.max(1, largest))));
      const piece = Uint8Array.from(all.subarray(at, end));
      out.push(...this.#lines.push(piece));
      at = end;
    }
    if (isLast) out.push(...this.#lines.end());
    return out.map((got) => this.#matched(got));
  }
}

export class Stream {
  #random;
  #setup;
  #state;
  #model;
  #proxy;
  #pins;
  #client;
  #server;
  #pipes;
  #now = 1_800_000_000_000;
  #current = '';
  messages = 0;
  kinds = {};
  counts = {};
  violations = [];
  samples = [];

  constructor(seed, number) {
    const random = new Random(seed, number);
    this.#random = random;
    this.#setup = drawSetup(random);
    const key = random.bytes(32);
    const seen = { frames: [], texts: [] };
    const texts = new Texts(random, seen);
    const issued = [];
    this.#state = {
      ...{ random, texts, seen, issued, issuedSet: new Set(), setup: this.#setup, longest: this.#setup.longest },
      ...{ shapes: new Shapes(random, texts), writer: new Writer(random), pending: new Map() },
      ...{ asked: [], states: [], served: [], marks: 0, last: undefined },
      keyOf: (id) => deriveKey(key, id),
      remember: (frame, text) => this.#remember(frame, text),
      count: (what) => {
        this.counts[what] = (this.counts[what] ?? 0) + 1;
      },
    };
    this.#model = new Model(this.#state, (rule, detail) => this.#violate(rule, detail));
    this.#pins = new MemoryPins((tool) => this.#model.permits.held.add(tool));
    const { load, add, hold, waits, others, acceptanceOf } = this.#pins;
    this.#setup.acceptanceOf = acceptanceOf;
    this.#proxy = proxyFor(this.#setup, {
      random,
      key,
      pins: { load, add, hold, waits, others },
      randomId: () => this.#issue(),
      clock: () => this.#now++,
      approver: (question, signal) => this.#approve(question, signal),
      onEvent: (event) => {
        if (event.type === 'call' && event.outcome === 'allow') this.#model.permits.allowed++;
      },
    });
    this.#client = new ClientLines(this.#state);
    this.#server = new ServerLines(this.#state);
    const report = (rule, detail) => this.#violate(rule, detail);
    this.#pipes = {
      client: new Pipe(1_000_000, random, report),
      server: new Pipe(this.#setup.longest, random, report),
    };
  }

  #violate(rule, detail) {
    if (this.violations.length < 5) this.violations.push({ rule, detail, message: this.messages, line: this.#current });
  }

  #issue() {
    const id = this.#random.letters(16);
    this.#state.issued.push(id);
    this.#state.issuedSet.add(id);
    return id;
  }

  #remember(frame, text) {
    const { frames, texts } = this.#state.seen;
    this.#state.count('frames');
    // A long stream exceeds what a conversation remembers, and with it goes which frames were its own.
    if (frame.length > 4000 || this.#setup.isLong) return;
    for (const [list, value] of [
      [frames, frame],
      [texts, text],
    ])
      if (list.length < MAX_SEEN) list.push(value);
      else list[this.#random.from(0, MAX_SEEN - 1)] = value;
  }

  /** A person in another terminal. */
  async #approve({ arguments: given }, signal) {
    const [mark, fate] = /HOLD-([a-z]+)-\d+\./.exec(given) ?? [undefined, this.#random.pick(['yes', 'no'])];
    if (fate === 'no') return 'declined';
    if (fate === 'broken') throw new Error('the approver is not available');
    if (fate === 'never') return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    this.#model.permits.approve(mark);
    return { by: 'fuzz' };
  }

  #wires(origin) {
    return {
      toClient: (text) => this.#model.toClient(text, origin),
      toServer: (text) => this.#model.toServer(text, origin),
    };
  }

  #count({ kind, bytes }) {
    this.messages++;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    this.#current = `${kind}: ${bytes?.toString('latin1').slice(0, 1500)}`;
  }

  async #guarded(work) {
    try {
      await work();
    } catch (error) {
      this.#violate('exception', `${error instanceof Error ? error.stack : error}`);
    }
  }

  async #fromClient({ line, got }, isLenient) {
    this.#count(line);
    if (got.type !== 'line') {
      this.#model.toClient(PARSE_ERROR, { side: 'client', calls: new Map(), marks: [] });
      return;
    }
    const origin = this.#model.fromClient(got.text, line.kind, isLenient);
    await this.#guarded(() => this.#proxy.fromClient(got.text, this.#wires(origin)));
    this.#model.afterClient(origin);
    if (this.#setup.askTimeout === 1 && line.kind === 'client:call') await pause(3);
  }

  async #fromServer({ line, got }, isLenient) {
    this.#count(line);
    const text = got.type === 'line' ? got.text : undefined;
    const origin = this.#model.fromServer({ line, text, isLenient });
    const wires = this.#wires(origin);
    await this.#guarded(() =>
      text === undefined ? this.#proxy.refuseFromServer(got, wires) : this.#proxy.fromServer(text, wires),
    );
    if (!isLenient) this.#model.afterServer(origin, line);
  }

  /** Both sides at once, without waiting for each other. */
  async #together() {
    const of = (make) => Array.from({ length: this.#random.from(1, 6) }, make);
    const client = this.#pipes.client.push(
      of(() => this.#client.next(true)),
      true,
    );
    const server = this.#pipes.server.push(
      of(() => this.#server.next()),
      true,
    );
    const all = [
      ...client.map((each) => () => this.#fromClient(each, true)),
      ...server.map((each) => () => this.#fromServer(each, true)),
    ];
    await Promise.all(this.#random.shuffled(all).map((work) => work()));
  }

  async #turn(isLast) {
    const random = this.#random;
    if (random.chance(0.45)) {
      const made = Array.from({ length: random.from(1, 3) }, () => this.#client.next());
      for (const each of this.#pipes.client.push(made, isLast)) await this.#fromClient(each, false);
    } else {
      const made = Array.from({ length: random.from(1, 5) }, () => this.#server.next());
      for (const each of this.#pipes.server.push(made, isLast)) await this.#fromServer(each, false);
    }
    // The approver answers now.
    await tick();
  }

  async run(sample) {
    const { length, isLong } = this.#setup;
    while (this.messages < length && this.violations.length === 0) {
      const before = this.messages;
      if (this.#random.chance(0.03)) await this.#together();
      else await this.#turn(false);
      if (this.#random.chance(0.03)) this.#model.permits.held.delete(this.#pins.accept(this.#random));
      if (this.#random.chance(0.01)) this.#now += 3_600_000;
      const isQuarter = Math.floor((4 * this.messages) / length) > Math.floor((4 * before) / length);
      if (isLong && isQuarter) this.samples.push(sample());
    }
    for (const each of this.#pipes.client.push([], true)) await this.#fromClient(each, false);
    for (const each of this.#pipes.server.push([], true)) await this.#fromServer(each, false);
    this.#proxy.close();
    for (let count = 0; count < 3; count++) await tick();
    if (this.violations.length === 0) this.#model.finish();
    return this;
  }
}
