// Measures the CPU time to record and check a call with one hostile argument, for bench/gate.mjs.
import * as core from '@sallyport/core';
import { nested, numbersFrom, TEXTS, VALUES } from './gate-shapes.mjs';

const SIZE = 65_536;
const MEMBERS = 100_000;
const DEPTH = 1000;
/** A conversation allows a number of expensive calls after each message of the user, so each has a few. */
const CALLS_PER_CONVERSATION = 40;
const ROUNDS = 3;
/** Milliseconds. What takes less is not measured again, and its growth says nothing. */
const CHEAP = 30;

const tool = (name, effect, more = {}) => core.defineTool({ name, origin: 'workspace', effect, ...more });
const TOOLS = [
  tool('send_mail', 'send', { modelText: ['body'] }),
  tool('run_command', 'execute'),
  tool('delete_item', 'destroy'),
  core.defineTool({ name: 'shop', origin: 'external', effect: 'read' }),
];

/** Where an argument is in a call, and with which presets it is checked. */
const PLACES = {
  'a text to an address that was read': (value) => ['send_mail', { to: 'eve@b.example', body: value }],
  'a recipient': (value) => ['send_mail', { to: value, body: 'Hello' }],
  'a command': (value) => ['run_command', { command: value }],
  'a name': (value) => ['delete_item', { name: value }],
};
/** Places that are checked under strict, where all roles are checked alike; the others under balanced. */
const IN_STRICT = new Set(['a name']);

const classifier = {
  specificationVersion: 'v1',
  id: 'none',
  doClassify: () => ({ spans: [{ start: 10, end: 90, likelihood: 'high', tag: 'imperative' }] }),
};

const next = numbersFrom(7);
const READ = Array.from({ length: 20_000 }, (_, index) =>
  next(40) === 0
    ? `Order ORDER-${index} costs ${next(9000)}.99 at shop${next(500)}.example.`
    : `w${next(5000).toString(36)}`,
)
  .join(' ')
  .slice(0, 100_000);
const COMMON =
  '1 2 3 a.b.c.d/e eve@b.example https://a.example/?b=1 1 1 1 a b a a DE75 5121 0800 the meeting is on Friday ls -l\n'.repeat(
    200,
  );

async function conversationWith(preset) {
  const options = {
    key: new Uint8Array(32),
    tools: TOOLS,
    classifier,
    gate: { preset },
    limits: { maxBytes: 200_000 },
  };
  const conversation = core.createBoundary(options).conversation('bench');
  conversation.addUserMessage('Mail bob@corp.example about a.b.c, order 1 and 1 2, and run `ls -l`.');
  conversation.addToolResult({ id: 'one', tool: 'shop', content: READ });
  conversation.addToolResult({ id: 'two', tool: 'shop', content: COMMON });
  await conversation.request();
  return conversation;
}

const conversations = {};

async function cpuOf(preset, [name, given]) {
  const known = conversations[preset];
  if (known === undefined || known.calls === CALLS_PER_CONVERSATION)
    conversations[preset] = { conversation: await conversationWith(preset), calls: 0 };
  const current = conversations[preset];
  const start = process.cpuUsage();
  const use = { id: `c${current.calls++}`, tool: name, arguments: given };
  await current.conversation.check(current.conversation.recordCall(use));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least of some rounds: other work of the machine, garbage and compilation only add to it. */
async function leastOf(preset, call) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > CHEAP; round++) least = Math.min(least, await cpuOf(preset, call));
  return least;
}

const ARGUMENTS = [
  ...Object.entries(TEXTS).map(([shape, make]) => ({ shape, make: (part) => make(SIZE / part, READ) })),
  ...Object.entries(VALUES).map(([shape, make]) => ({ shape, make: (part) => make(MEMBERS / part) })),
  ...Object.entries(VALUES).map(([shape, make]) => ({ shape: `${shape}, 1,000`, make: (part) => make(1000 / part) })),
  { shape: 'nested values', make: (part) => nested(DEPTH / part) },
];

/**
 * @returns {Promise<{ shape: string, place: string, preset: string, ms: number, growth?: number }[]>} the most expensive place
 * of each shape, the worst shape first. `growth` is the time against that of an argument of half the size.
 */
export async function measureShapes() {
  const measured = [];
  for (const { shape, make } of ARGUMENTS) {
    const [whole, half] = [make(1), make(2)];
    const ofShape = [];
    for (const [place, call] of Object.entries(PLACES))
      for (const preset of IN_STRICT.has(place) ? ['strict'] : ['balanced'])
        ofShape.push({ shape, place, preset, ms: Number((await leastOf(preset, call(whole))).toFixed(1)) });
    const [worst] = ofShape.sort((one, other) => other.ms - one.ms);
    const halfMs = worst.ms < CHEAP ? undefined : await leastOf(worst.preset, PLACES[worst.place](half));
    measured.push(halfMs === undefined ? worst : { ...worst, growth: Number((worst.ms / halfMs).toFixed(2)) });
  }
  return measured.sort((one, other) => other.ms - one.ms);
}
