// One proxy with everything around it, as a seed wants it: modes, rules, pins, and who is asked about held calls.
import { spanClassifier } from '@sallyport/classifier';
import { createProxy, definitionDigest } from '@sallyport/mcp-proxy';

const MARKED = />>(.*?)<</gs;

/** Finds text between >> and <<. */
const CHEAP = {
  specificationVersion: 'v1',
  id: 'fuzz-cheap',
  doClassify: ({ text }) => ({
    spans: Array.from(text.matchAll(MARKED), ({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      likelihood: 'high',
      tag: 'override',
      score: 1,
    })),
  }),
};

/** Lets others have a turn, and is never late: what a run finds must not depend on the machine's load. */
const TIMER = { set: (work, delay) => delay === 0 && setImmediate(work), clear: () => undefined };

/** What this stream is like. */
export function drawSetup(random) {
  const mode = random.chance(0.88) ? 'frame' : 'annotate';
  const structured = random.weighted([
    [6, 'text-only'],
    [3, 'typed'],
    [1.5, 'keep'],
  ]);
  const preset = random.weighted([
    [8, 'balanced'],
    [1, 'strict'],
    [2, 'none'],
  ]);
  const isEnforcing = random.chance(0.8);
  const isLong = random.chance(0.012);
  return {
    mode,
    structured: mode === 'annotate' ? 'keep' : structured,
    isTrusted: random.chance(0.1),
    preset,
    isEnforcing,
    isLong,
    length: isLong ? 5000 : random.from(60, 400),
    longest: random.pick([3000, 20_000, 200_000]),
    maxBytes: random.chance(0.9) ? 1_000_000 : random.from(0, 300),
    classifier: random.weighted([
      [isLong ? 0 : 1.5, spanClassifier],
      [17, CHEAP],
      [1, undefined],
    ]),
    isAsking: random.chance(0.7),
    askTimeout: random.chance(0.05) ? 1 : 50_000,
  };
}

function ruleFor({ preset }) {
  return ({ values }) => {
    const has = (mark) => values.some(({ value }) => value.includes(mark));
    if (has('DENY-ME-')) return { outcome: 'deny', reason: 'It has the mark of what is denied.' };
    if (has('HOLD-')) return { outcome: 'ask', reason: 'It has the mark of what is held.' };
    return preset === 'none' ? { outcome: 'allow', reason: 'Nothing else is held here.' } : undefined;
  };
}

/** Pins in memory; a person accepts now and then. */
export class MemoryPins {
  #pins;
  #waiting = new Map();
  #onHold;
  #byPerson = new Set();

  constructor(onHold) {
    this.#onHold = onHold;
  }

  load = () => this.#pins;
  waits = (tool) => this.#waiting.has(tool) && this.#waiting.get(tool).type !== 'flagged';
  others = () => new Map([['other_server_tool', 'another']]);

  add = ({ tools, instructions, accepted }) => {
    const known = this.#pins ?? { tools: {} };
    this.#pins = {
      tools: { ...tools, ...known.tools },
      instructions: known.instructions ?? instructions,
      accepted: { ...known.accepted, ...accepted },
    };
  };

  /** Whether a tool may be shown without frames, and whether a person decided that. */
  acceptanceOf = (name) => ({
    isAccepted: Object.hasOwn(this.#pins?.accepted ?? {}, name),
    isByPerson: this.#byPerson.has(name),
  });

  hold = (held) => {
    for (const each of held) {
      if (each.type === 'instructions') continue;
      this.#waiting.set(each.tool, each);
      if (each.type !== 'flagged') this.#onHold(each.tool);
    }
  };

  /** Accepts one that waits; gives its name. */
  accept(random) {
    const each = random.pick([...this.#waiting.values()]);
    if (each?.after === undefined) return undefined;
    this.#waiting.delete(each.tool);
    const accepted = { ...this.#pins?.accepted, [each.tool]: definitionDigest(each.after) };
    this.#pins = { ...this.#pins, tools: { ...this.#pins?.tools, [each.tool]: each.after }, accepted };
    this.#byPerson.add(each.tool);
    return each.tool;
  }
}

/** `parts` has random, key, pins, randomId, clock, approver and onEvent. */
export function proxyFor(setup, { random, ...parts }) {
  const { mode, structured, isTrusted, preset, isEnforcing, isAsking, classifier, maxBytes, askTimeout } = setup;
  const { approver, ...rest } = parts;
  return createProxy({
    server: 'fix',
    principal: 'local',
    mode,
    structured,
    trusted: isTrusted,
    limits: { maxBytes },
    // Small, so that forgetting is a part of every long stream.
    maxRead: setup.isLong ? 150_000 : 20_000_000,
    gate: { preset, observe: !isEnforcing, rules: { marked: ruleFor(setup) } },
    tools: random.chance(0.8) ? { read_file: { effect: 'read' }, search: { effect: 'read' } } : {},
    timer: TIMER,
    askTimeout,
    ...(classifier === undefined ? {} : { classifier }),
    ...(isAsking ? { approver } : {}),
    ...rest,
  });
}
