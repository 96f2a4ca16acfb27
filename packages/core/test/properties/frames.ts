import fc from 'fast-check';
import { createBoundary } from '../../src/boundary.ts';
import { classifyWith } from '../../src/classify/classify.ts';
import { frame } from '../../src/frame/frame.ts';
import { frameStream } from '../../src/frame/frame-stream.ts';
import { deriveKey } from '../../src/frame/key.ts';
import { quote } from '../../src/frame/mark.ts';
import { readFrame } from '../../src/frame/read-frame.ts';
import { source } from '../../src/label/source.ts';
import { limit } from '../../src/record/limit.ts';
import { record } from '../../src/record/record.ts';
import { vocabularyFor } from '../../src/text/reserved-names.ts';
import { KEY, markingClassifier, open, play, steps } from './attacker.ts';
import { hostileText, SECTIONS } from './hostile.ts';
import { holds, type Invariant, invariant, same } from './invariant.ts';
import { read, readings, reservedIn } from './readers.ts';

const key = deriveKey(KEY, 'c');
const OUTER = 'user_message|trusted_content|workspace_content|retrieved_corpus|untrusted|corpus_record';
const OPENERS = new RegExp(`<(${OUTER}) ([a-z]+(?: [a-z]+){3})[^<>]*>`, 'g');
const CLOSERS = new RegExp(`</(${OUTER}) ([a-z]+(?: [a-z]+){3})[^<>]*>`, 'g');
const TAGS = new RegExp(`</?(?:${OUTER}|quoted_span|marked_span|omitted_bytes) [a-z]+(?: [a-z]+){3}[^<>]*>`, 'g');

/** Checks that opening and closing tags match, each nonce once: nothing that an attacker wrote is a tag. */
function checkPairs(request: string): void {
  const openers = [...request.matchAll(OPENERS)].map((match) => `${match[1]} ${match[2]}`);
  const closers = [...request.matchAll(CLOSERS)].map((match) => `${match[1]} ${match[2]}`);
  holds(new Set(openers).size === openers.length, 'a nonce opens twice');
  holds(new Set(closers).size === closers.length, 'a nonce closes twice');
  same([...openers].sort().join(), [...closers].sort().join(), 'openers and closers');
}

const origin = fc.constantFrom('user', 'system', 'workspace', 'retrieved', 'external', 'unknown' as const);

function frameOnce(
  text: string,
  from: Parameters<typeof source>[0],
  maxBytes: number,
  keep: 'head' | 'head-and-tail' = 'head',
) {
  const limited = limit(record({ id: 'r', source: source(from, { name: 'tool' }), content: text }), { maxBytes, keep });
  const shown = limited.parts[0]?.text ?? '';
  const answer = markingClassifier.doClassify({ text: shown, signal: { aborted: false, addEventListener: () => {} } });
  const verdict = { type: 'checked', ...(answer as { spans: never[] }) } as const;
  return { shown, framed: frame(quote(classifyWith(limited, [verdict]), vocabularyFor(SECTIONS)), key) };
}

export const frameInvariants: readonly Invariant[] = [
  invariant(
    'frames-unforgeable',
    1,
    1.5,
    fc.asyncProperty(steps, async (attack) => {
      for (const request of (await play(attack)).wire) checkPairs(request);
    }),
  ),
  invariant(
    'frame-parses-back',
    1,
    8,
    fc.property(hostileText, origin, fc.constantFrom(20, 1000), (text, from, maxBytes) => {
      const { shown, framed } = frameOnce(text, from, maxBytes);
      const opened = readFrame(framed.text);
      same(opened?.texts.join('|'), shown, 'parsed');
      same(frameOnce(text, from, maxBytes).framed.text, framed.text, 'framed again');
    }),
  ),
  invariant(
    'frame-tamper-evident',
    1,
    5,
    fc.asyncProperty(
      hostileText,
      origin,
      fc.nat(),
      fc.constantFrom('x', '<', ' ', '~'),
      async (text, from, pick, by) => {
        const conversation = open(() => {});
        const recorded = conversation.addContent({ id: 'r', source: source(from), content: text });
        const framed = await conversation.frame(recorded);
        const shown = framed.quoted.classified.limited.parts[0]?.text;
        const at = pick % framed.text.length;
        const changed = framed.text.slice(0, at) + by + framed.text.slice(at + 1);
        const opened = conversation.openFrame(changed);
        same(conversation.openFrame(framed.text)?.parts[0]?.text, shown, 'opened');
        holds(
          opened === undefined || opened.parts[0]?.text === shown,
          `${JSON.stringify(changed)} opens to other text`,
        );
        same(
          createBoundary({ key: KEY }).conversation('d').openFrame(framed.text),
          undefined,
          'opened by another conversation',
        );
      },
    ),
  ),
  invariant(
    'body-inert',
    2,
    10,
    fc.property(hostileText, origin, readings, fc.constantFrom(24, 40, 1000), (text, from, names, maxBytes) => {
      const { framed } = frameOnce(text, from, maxBytes, 'head-and-tail');
      holds(framed.text.isWellFormed(), 'the frame contains a lone surrogate');
      // A character that no reader removes takes the place of each tag of the frame.
      const body = framed.text.replace(TAGS, '\u25a0');
      const found = reservedIn(read(body, names));
      holds(found === undefined, `${found} is found in ${JSON.stringify(body)} by ${names.join(', ')}`);
    }),
  ),
  invariant(
    'stream-same-bytes',
    1,
    1,
    fc.asyncProperty(
      fc.array(hostileText, { maxLength: 6 }),
      origin,
      fc.constantFrom(15, 40, 1000),
      fc.constantFrom('head', 'head-and-tail' as const),
      async (pieces, from, maxBytes, keep) => {
        const options = { id: 'r', source: source(from), key, limits: { maxBytes, keep } };
        const whole = limit(record({ ...options, content: pieces.join('') }), options.limits);
        const expected = frame(quote(classifyWith(whole, []), vocabularyFor()), key).text;
        let streamed = '';
        for await (const piece of frameStream(pieces, options)) streamed += piece;
        same(streamed, expected, 'streamed');
      },
    ),
  ),
];
