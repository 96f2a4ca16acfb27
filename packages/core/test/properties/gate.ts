import fc from 'fast-check';
import { createBoundary } from '../../src/boundary.ts';
import { proposeCall } from '../../src/call/call.ts';
import { EFFECTS } from '../../src/call/effect.ts';
import { defineTool } from '../../src/call/tool.ts';
import type { ClassifierV1 } from '../../src/classify/classifier.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { promoteMemory, restoreMemory, type SavedMemory, storeMemory } from '../../src/conversation/memory.ts';
import { factsOf } from '../../src/facts/inspect.ts';
import { decide, RULES_OF, type Verdict } from '../../src/gate/decide.ts';
import type { Rules } from '../../src/gate/rule.ts';
import { HIGHEST, isAtMost, joinLabels, type Label, LOWEST } from '../../src/label/label.ts';
import { type SourceOrigin, source } from '../../src/label/source.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { Transcript } from '../../src/provenance/transcript.ts';
import { FIELD, FLAGGED, OPEN, REQUESTED, SUSPECT, VOUCHED } from '../../src/provenance/trust.ts';
import type { LedgerText } from '../../src/provenance/word-columns.ts';
import type { Recorded } from '../../src/record/record.ts';
import { KEY } from './attacker.ts';
import { holds, type Invariant, invariant, same } from './invariant.ts';

const WORDS = [
  ...[
    'alice',
    'Bob',
    'EVE',
    'pay',
    'to',
    'all',
    'P007',
    'DE02',
    '1203',
    '42',
    '1,299',
    '1299.00',
    '2024-05-15',
    'May 15, 2024',
  ],
  ...[
    'x@y.example',
    'y.example',
    'https://y.example/a/b?c=d',
    '/user/a',
    'b',
    '7:30 PM',
    '19:30',
    '\u9001\u91d1',
    '"pay"',
    '*',
    '/',
  ],
] as const;

const word = fc.constantFrom(...WORDS);
export const text = fc
  .array(word, { maxLength: 4 })
  .chain((words) => fc.constantFrom(' ', ', ', '\n', '/', '').map((between) => words.join(between)));

/** Ways in which a model may copy what it has read. */
const spelled = fc
  .tuple(text, fc.nat(7))
  .map(([value, how]) =>
    [
      value,
      value.toUpperCase(),
      `https://${value}`,
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
      ` ${value} `,
      value.split('').reverse().join(''),
      `${value}?q=${value}`,
    ].at(how),
  );

const leaf = fc.oneof(spelled, fc.integer({ min: 0, max: 2000 }), fc.boolean(), fc.constant(null));
export const args = fc.oneof(
  fc.dictionary(fc.constantFrom('to', 'body', 'amount', 'x@y.example'), leaf, { maxKeys: 2 }),
  fc.array(fc.oneof(leaf, fc.dictionary(word, leaf, { maxKeys: 2 })), { maxLength: 2 }),
);

/** What an attacker can make of the content they control, with a classifier that they mislead. */
const theirs = fc.array(fc.tuple(text, fc.constantFrom(OPEN, SUSPECT, FLAGGED, REQUESTED)), { maxLength: 3 });
const ours = fc.array(fc.tuple(text, fc.constantFrom(VOUCHED, FIELD)), { maxLength: 3 });

export const tools = new Map(
  EFFECTS.map((effect) => [
    effect as string,
    defineTool({
      name: effect,
      effect,
      origin: 'external',
      modelText: ['body'],
      serviceFields: { '/id': 'code', '/amount': 'number' },
    }),
  ]),
);
const strict = RULES_OF.strict({});
const balanced = RULES_OF.balanced({});
const UNTRUSTED: Label = { integrity: 'external', confidentiality: 'private' };

function transcriptOf(texts: readonly (readonly [string, number])[]): Transcript {
  const transcript = new Transcript(tools);
  transcript.recordRequest(prompt`Be kind.`, []);
  const entered = texts.map(
    ([each, trust], index): LedgerText => ({ recordId: `r${index}`, part: 0, text: each, trust, ranges: [] }),
  );
  transcript.enter(entered, []);
  return transcript;
}

/** What rules decide about a call: nothing is known about the content but its words and their trust. */
function decideIn(transcript: Transcript, tool: string, given: unknown, rules: Rules): Verdict {
  const call = proposeCall({ id: 'c', tool, arguments: given }, UNTRUSTED);
  const declared = tools.get(tool);
  const facts = factsOf({
    ...{ call, tool: declared, similarTool: undefined, effect: declared?.effect ?? 'execute' },
    arguments: transcript.trace(call),
    ...{ hasRendered: true, isAlarmed: false, trace: transcript.tracer(), decode: (each) => [each] },
    ...{
      isSameMessage: () => false,
      toolOf: () => undefined,
      labelOf: () => undefined,
    },
    findSecrets: undefined,
  });
  return decide(facts, rules, (rule) => holds(false, `${rule} failed`));
}

function isUngated(transcript: Transcript, tool: string, given: unknown): boolean {
  return decideIn(transcript, tool, given, strict).outcome === 'allow';
}

/** Flags random ranges, always the same in the same text. */
export const fooled: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'fooled',
  doClassify: ({ text: given }) => ({
    spans: given.length % 3 === 0 ? [] : [{ start: 0, end: given.length, likelihood: 'high', tag: 'x' }],
  }),
};

export const toolName = fc.constantFrom(...EFFECTS, 'unheard-of');
/** The number of calls that are checked in each pair of worlds. */
const PROPOSALS = 10;
const proposals = fc.array(fc.tuple(toolName, args), { minLength: PROPOSALS, maxLength: PROPOSALS });
const step = fc.record({ tool: toolName, given: args, id: fc.constantFrom('P007', 'P025'), amount: fc.nat(2000) });

interface Run {
  readonly user: string;
  readonly steps: readonly { tool: string; given: unknown; id: string; amount: number }[];
}

/** Checks the same calls in a world with the untrusted content `bytes`. Returns those that needed no approval. */
async function play({ user, steps }: Run, bytes: string): Promise<readonly boolean[]> {
  const boundary = createBoundary({
    key: KEY,
    tools: [...tools.values()],
    classifier: fooled,
    gate: { preset: 'strict' },
  });
  const conversation = boundary.conversation('c');
  conversation.addUserMessage(user);
  conversation.addToolResult({ tool: 'read', content: bytes });
  const ungated: boolean[] = [];
  for (const [index, { tool, given, id, amount }] of steps.entries()) {
    await conversation.request();
    const call = conversation.recordCall({ id: `call-${index}`, tool, arguments: given });
    ungated.push((await conversation.check(call)).outcome === 'allow');
    conversation.addToolResult({ id: call.id, tool, content: { json: { id, amount, note: bytes } } });
  }
  return ungated;
}

const origin = fc.constantFrom<SourceOrigin>('user', 'system', 'workspace', 'retrieved', 'external', 'unknown');

/** What can happen to text in conversations, stores and approvals. */
type Move =
  | { readonly what: 'admit'; readonly origin: SourceOrigin }
  | { readonly what: 'sum up' | 'submit' | 'recall' | 'store' | 'promote' | 'other conversation' | 'ask' };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ what: fc.constant('admit' as const), origin }),
  fc
    .constantFrom('sum up', 'submit', 'recall', 'store', 'promote', 'other conversation', 'ask')
    .map((what) => ({ what }) as Move),
);

/** Runs the moves and compares every label with the join of all labels that led to it since the last promotion. */
class Follower {
  readonly #boundary = createBoundary({ key: KEY });
  #conversation: Conversation = this.#boundary.conversation('0');
  #conversations = 1;
  #record: Recorded | undefined;
  #submission: SavedMemory | undefined;
  #shown: Label[] = [];
  // The best labels that the latest record and the latest memory can have.
  #bound: Label = LOWEST;
  #written: Label = LOWEST;

  async follow(each: Move): Promise<void> {
    if (each.what === 'admit') {
      this.#record = this.#conversation.addContent({ source: source(each.origin), content: 'Some words.' });
      this.#bound = { integrity: each.origin, confidentiality: 'private' };
    } else if (each.what === 'ask') {
      await this.#conversation.request();
      this.#shown.push(HIGHEST, ...this.#conversation.records.map(({ label }) => label));
    } else if (each.what === 'other conversation') {
      this.#conversation = this.#boundary.conversation(String(this.#conversations++));
      [this.#record, this.#shown] = [undefined, []];
    } else this.#derive(each.what);
    this.#check();
  }

  #derive(what: Exclude<Move['what'], 'admit' | 'ask' | 'other conversation'>): void {
    if (what === 'sum up' && this.#record !== undefined) {
      const derivedFrom = [this.#record];
      this.#record = this.#conversation.addContent({ source: source('system'), content: 'In short.', derivedFrom });
    } else if (what === 'submit') {
      this.#submission = this.#conversation.saveMemory({ id: 'memory', content: 'Remember this.' });
      this.#written = this.#shown.length === 0 ? LOWEST : joinLabels(this.#shown);
    } else if (what === 'store' && this.#submission !== undefined) {
      const stored: unknown = JSON.parse(JSON.stringify(storeMemory(this.#submission)));
      this.#submission = restoreMemory(stored, () => holds(false, 'a stored submission is doubted'));
    } else if (what === 'promote' && this.#submission?.lifecycle === 'candidate') {
      this.#submission = promoteMemory(this.#submission, { by: 'ann', at: 1 });
      this.#written = { integrity: 'user', confidentiality: this.#written.confidentiality };
    } else if (what === 'recall' && this.#submission !== undefined) {
      this.#record = this.#conversation.loadMemory(this.#submission);
      this.#bound = this.#written;
    }
  }

  #check(): void {
    if (this.#record !== undefined) holds(isAtMost(this.#record.label, this.#bound), 'the label of a record rose');
    if (this.#submission !== undefined)
      holds(isAtMost(this.#submission.label, this.#written), 'the label of a submission rose');
  }
}

export const gateInvariants: readonly Invariant[] = [
  invariant(
    'strict-noninterference',
    6,
    4,
    fc.property(ours, theirs, theirs, proposals, (trusted, one, other, calls) => {
      const [first, second] = [transcriptOf([...trusted, ...one]), transcriptOf([...other, ...trusted])];
      for (const [tool, given] of calls)
        same(
          isUngated(second, tool, given),
          isUngated(first, tool, given),
          'ungated in one world and not in the other',
        );
    }),
    PROPOSALS,
  ),
  invariant(
    'instructed-only',
    6,
    4,
    fc.property(ours, theirs, proposals, (trusted, others, calls) => {
      const transcript = transcriptOf([...trusted, ...others]);
      const isFlagged = others.some(([, trust]) => trust === FLAGGED);
      for (const [tool, given] of calls) {
        const { outcome, rule } = decideIn(transcript, tool, given, balanced);
        holds(outcome !== 'deny' || (isFlagged && rule === 'instructed'), `denied by ${rule} without an instruction`);
        holds(rule !== 'unread', 'a call after others were read counts as one before');
      }
    }),
    PROPOSALS,
  ),
  invariant(
    'strict-same-effects',
    6,
    0.1,
    fc.asyncProperty(text, fc.array(step, { maxLength: 3 }), text, text, async (user, steps, one, other) => {
      const run = { user, steps };
      same(String(await play(run, other)), String(await play(run, one)), 'the ungated effects of two worlds');
    }),
  ),
  invariant(
    'written-labels-monotone',
    5,
    0.3,
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
      const follower = new Follower();
      for (const each of moves) await follower.follow(each);
    }),
  ),
];
