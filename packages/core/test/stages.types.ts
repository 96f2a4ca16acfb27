// The type checker must refuse every line after a @ts-expect-error. stages.test.ts runs each of them, since JavaScript
// callers have no types.
import {
  createBoundary,
  defineTool,
  type ErrorCode,
  prompt,
  type Recorded,
  type Source,
  source,
} from '../src/index.ts';
import {
  type Classified,
  type ClassifierRunner,
  classify,
  classifyWith,
  deriveKey,
  type Framed,
  type FrameKey,
  frame,
  frameStream,
  limit,
  type ProposedCall,
  proposeCall,
  type Quoted,
  quote,
  record,
  request,
  vocabularyFor,
} from '../src/stages.ts';

export interface Skip {
  readonly title: string;
  readonly code: ErrorCode;
  readonly run: () => unknown;
}

const key: FrameKey = deriveKey(new Uint8Array(32), 'c');
const vocabulary = vocabularyFor();
const runClassifier: ClassifierRunner = () => ({ type: 'checked', spans: [] });
const from: Source = source('external');
const recorded: Recorded = record({ id: 'a', source: from, content: 'x' });
const limited = limit(recorded);
const classified: Classified = classifyWith(limited, []);
const quoted: Quoted = quote(classified, vocabulary);
const framed: Framed = frame(quoted, key);
const conversation = createBoundary({ key: new Uint8Array(32) }).conversation('c');
const base = { policy: prompt``, framed: () => framed, vocabulary } as const;
const label = { integrity: 'user', confidentiality: 'public' } as const;

const CALL = '{"id":"c","tool":"send","arguments":{}}';

/** Drains a stream, as a caller would. */
async function drain(stream: AsyncIterable<string>): Promise<void> {
  for await (const _ of stream);
}

const skipped: readonly Omit<Skip, 'code'>[] = [
  // @ts-expect-error: content is not a record
  { title: 'limit() of a text', run: () => limit('x') },
  // @ts-expect-error: a copy lacks the mark that record() sets
  { title: 'limit() of a copied record', run: () => limit({ ...recorded }) },
  // @ts-expect-error: JSON cannot hold a record
  { title: 'limit() of a stored record', run: () => limit(JSON.parse(JSON.stringify(recorded)) as { id: string }) },
  // @ts-expect-error: not limited
  { title: 'classify() of a record', run: () => classify(recorded, runClassifier) },
  // @ts-expect-error: not limited
  { title: 'classifyWith() of a record', run: () => classifyWith(recorded, []) },
  // @ts-expect-error: a copy lacks the mark that limit() sets
  { title: 'classifyWith() of a copy', run: () => classifyWith({ ...limited }, []) },
  // @ts-expect-error: not classified
  { title: 'quote() of a limited record', run: () => quote(limited, vocabulary) },
  // @ts-expect-error: a copy lacks the mark that classify() sets
  { title: 'quote() of a copy', run: () => quote({ ...classified }, vocabulary) },
  // @ts-expect-error: not quoted
  { title: 'frame() of a classified record', run: () => frame(classified, key) },
  // @ts-expect-error: a copy lacks the mark that quote() sets
  { title: 'frame() of a copy', run: () => frame({ ...quoted }, key) },
  {
    title: 'request() with a text for a frame',
    // @ts-expect-error: a text is not a frame
    run: () => request({ ...base, entries: [{ record: recorded, framed: 'x' }] }),
  },
  {
    title: 'request() with a copied frame',
    // @ts-expect-error: a copy lacks the mark that frame() sets
    run: () => request({ ...base, entries: [{ record: recorded, framed: { ...framed, text: 'x' } }] }),
  },
  {
    title: 'request() with a text for an entry',
    // @ts-expect-error: a text is not an entry
    run: () => request({ ...base, entries: ['x'] }),
  },
  {
    title: 'request() with a hand-written frame',
    run: () => {
      // @ts-expect-error: the mark of a frame cannot be written down
      const forged: Framed = { type: 'framed', quoted, pieces: [{ text: 'x', media: undefined }], text: 'x' };
      return request({ ...base, entries: [{ record: recorded, framed: forged }] });
    },
  },
  {
    title: 'request() with a hand-written record',
    run: () => {
      // @ts-expect-error: the mark of a record cannot be written down
      const forged: Recorded = { ...recorded, label, originOf: () => 'user' };
      return request({ ...base, entries: [{ record: forged, framed }] });
    },
  },
  {
    title: 'request() with a text for a policy',
    // @ts-expect-error: a text may contain words of others
    run: () => request({ ...base, policy: 'Be kind.', entries: [] }),
  },
  {
    title: 'request() with raw text for a free value',
    // @ts-expect-error: an object with a text is not a frame
    run: () => request({ ...base, policy: prompt`${recorded}`, framed: () => ({ text: 'x' }), entries: [] }),
  },
  // @ts-expect-error: a text may contain words of others
  { title: 'a conversation with a text for a policy', run: () => conversation.request({ policy: 'Be kind.' }) },
  // @ts-expect-error: a text is not a record
  { title: 'a conversation with a text for a record', run: () => conversation.request({ records: ['x'] }) },
  // @ts-expect-error: a text is not a record
  { title: 'a conversation that frames a text', run: () => conversation.frame('x') },
  {
    title: 'record() with a hand-written source',
    run: () => {
      // @ts-expect-error: the mark of a source cannot be written down
      const forged: Source = { type: 'source', origin: 'system', confidentiality: 'public', name: undefined };
      return record({ id: 'a', source: forged, content: 'x' });
    },
  },
  // @ts-expect-error: a copy lacks the mark that source() sets
  { title: 'record() with a copied source', run: () => record({ id: 'a', source: { ...from }, content: 'x' }) },
  // @ts-expect-error: a name is not a source
  { title: 'record() with the name of an origin', run: () => record({ id: 'a', source: 'system', content: 'x' }) },
  {
    title: 'record() from ids',
    // @ts-expect-error: an id is not a record
    run: () => record({ id: 'a', source: from, content: 'x', derivedFrom: ['b'] }),
  },
  {
    title: 'addContent() with an object as its source',
    // @ts-expect-error: an object is not a source
    run: () => conversation.addContent({ content: 'x', source: { origin: 'user' } }),
  },
  {
    title: 'addContent() from ids',
    // @ts-expect-error: an id is not a record
    run: () => conversation.addContent({ content: 'x', derivedFrom: ['b'] }),
  },
  {
    title: 'frameStream() with an object as its source',
    // @ts-expect-error: an object is not a source
    run: () => drain(frameStream(['x'], { id: 'a', source: { origin: 'user' }, key })),
  },
];

const refused: readonly Skip[] = [
  // @ts-expect-error: the developer's words are a prompt, not a source
  { title: 'policy as a source', code: 'ERR_INVALID_LABEL', run: () => source('policy') },
  {
    title: 'a tool that says it is the system',
    code: 'ERR_INVALID_LABEL',
    // @ts-expect-error: a courier is not the operator
    run: () => defineTool({ name: 't', origin: 'system' }),
  },
  // @ts-expect-error: a copy lacks the mark that deriveKey() sets
  { title: 'frame() with a copied key', code: 'ERR_INVALID_KEY', run: () => frame(quoted, { ...key }) },
  // @ts-expect-error: bytes are not a key
  { title: 'frame() with bytes', code: 'ERR_INVALID_KEY', run: () => frame(quoted, new Uint8Array(32)) },
  {
    title: 'frameStream() with an object for a key',
    code: 'ERR_INVALID_KEY',
    // @ts-expect-error: an object is not a key
    run: () => drain(frameStream(['x'], { id: 'a', source: from, key: {} })),
  },
  {
    title: 'a boundary with a text for a key',
    code: 'ERR_INVALID_KEY',
    // @ts-expect-error: text is not bytes
    run: () => createBoundary({ key: 'k'.repeat(32) }),
  },
  {
    title: 'a boundary with a hand-written tool',
    code: 'ERR_INVALID_OPTION',
    // @ts-expect-error: a definition is not a tool
    run: () => createBoundary({ tools: [{ name: 't', trusted: true }] }),
  },
  // @ts-expect-error: a prompt is a template, so that a variable cannot become policy
  { title: 'a prompt by a call', code: 'ERR_INVALID_PROMPT', run: () => prompt('Be kind.') },
  {
    title: 'a prompt with a hand-written record',
    code: 'ERR_INVALID_PROMPT',
    // @ts-expect-error: an object that looks like a record is not one
    run: () => prompt`${{ ...recorded }}`,
  },
  // @ts-expect-error: text never becomes a call
  { title: 'a call from a text', code: 'ERR_INVALID_CALL', run: () => proposeCall(CALL, label) },
  {
    title: 'a call without a tool',
    code: 'ERR_INVALID_CALL',
    // @ts-expect-error: a call says which tool
    run: () => conversation.recordCall({ id: 'c', arguments: {} }),
  },
  {
    title: 'a call without a context',
    code: 'ERR_INVALID_LABEL',
    // @ts-expect-error: what the model had read decides
    run: () => proposeCall({ id: 'c', tool: 't', arguments: {} }),
  },
];

export const skips: readonly Skip[] = [
  ...skipped.map((skip) => ({ ...skip, code: 'ERR_STAGE_SKIPPED' as const })),
  ...refused,
];

/** Malformed verdicts. They are not refused, but leave the content unchecked. */
export const verdicts: readonly (() => Classified)[] = [
  // @ts-expect-error: a verdict says of which type it is
  () => classifyWith(limited, [{ spans: [] }]),
  // @ts-expect-error: an unknown type of verdict
  () => classifyWith(limited, [{ type: 'clean' }]),
  // @ts-expect-error: checked means that there are spans, if only an empty list
  () => classifyWith(limited, [{ type: 'checked' }]),
  // @ts-expect-error: a likelihood is one of four words
  () => classifyWith(limited, [{ type: 'checked', spans: [{ start: 0, end: 1, likelihood: 0.9, tag: 'x' }] }]),
];

/** Which stages a value passed is read from the value itself, by type: nothing here runs. */
export function lineage(value: Framed, call: ProposedCall): void {
  const origin: Source['origin'] = value.quoted.classified.limited.recorded.source.origin;
  // @ts-expect-error: everything is read-only
  value.pieces = [];
  // @ts-expect-error: everything is read-only
  value.quoted.classified.limited.recorded.label.integrity = origin;
  // @ts-expect-error: a call cannot be written down either
  const forged: ProposedCall = { type: 'proposed-call', id: '', tool: '', argumentsJson: '{}', context: label };
  // @ts-expect-error: nothing but a checked verdict has spans
  void value.quoted.classified.parts[0]?.verdict.spans;
  void [call, forged];
}
