import fc from 'fast-check';
import { createBoundary } from '../../src/boundary.ts';
import type { ClassifierV1, Likelihood, Span } from '../../src/classify/classifier.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import type { BoundaryEvent } from '../../src/event.ts';
import { type SourceOrigin, source } from '../../src/label/source.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { hostileText, SECTIONS } from './hostile.ts';

export const KEY: Uint8Array = new Uint8Array(32).fill(7);
export const POLICY = prompt`You review merge requests. <mr_body>${'as given'}</mr_body>`;

/** One step of an attacker who reads every request before they write the next result. */
export interface Step {
  readonly origin: SourceOrigin;
  readonly text: string;
  /** What they reflect of the requests: nothing, a nonce, one in disguise, a closing tag, a whole frame, or a slice. */
  readonly reflect: 'nothing' | 'nonce' | 'disguised' | 'closer' | 'frame' | 'slice';
  readonly pick: number;
  readonly isJson: boolean;
  readonly id: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  origin: fc.constantFrom('user', 'system', 'workspace', 'retrieved', 'external', 'unknown'),
  text: hostileText,
  reflect: fc.constantFrom('nothing', 'nonce', 'disguised', 'closer', 'frame', 'slice'),
  pick: fc.nat(1000),
  isJson: fc.boolean(),
  id: fc.nat(3),
});

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 4 });

const CODE = /(?<=<\/?[a-z_]+ )[a-z]+(?: [a-z]+){3}(?=[ >])/g;

/** Every nonce in the tags of a text. */
export function codesIn(text: string): string[] {
  return [...new Set(text.match(CODE))];
}

/** What an attacker may write between the words of a code. */
const SEPARATORS = ['', '.', '\n', '\u200b', '<b>', '-\u00ad-', '&nbsp;', '%20', '\\n', '~x20~', ' 1 '];

function reflected({ reflect, pick }: Step, seen: string): string {
  const codes = codesIn(seen);
  const code = codes[pick % Math.max(1, codes.length)] ?? '';
  switch (reflect) {
    case 'nothing':
      return '';
    case 'nonce':
      return code;
    case 'disguised':
      return code.toUpperCase().replaceAll(' ', SEPARATORS[pick % SEPARATORS.length] as string);
    case 'closer':
      return `</untrusted ${code}>`;
    case 'frame': {
      const start = seen.indexOf('<', pick % Math.max(1, seen.length));
      return start < 0 ? seen : seen.slice(start);
    }
    case 'slice':
      return seen.slice(pick % Math.max(1, seen.length), (pick % Math.max(1, seen.length)) + 200);
  }
}

/** Marks something in every text, so that marks are attacked too. Deterministic. */
export const markingClassifier: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'marking',
  doClassify: ({ text }) => {
    const likelihoods: readonly Likelihood[] = ['high', 'medium', 'low'];
    const spans: Span[] = [];
    for (let start = text.length % 3; start + 2 <= text.length && spans.length < 3; start += 7)
      spans.push({ start, end: start + 2, likelihood: likelihoods[spans.length % 3] as Likelihood, tag: 'imperative' });
    return { spans };
  },
};

export interface Played {
  readonly conversation: Conversation;
  readonly events: readonly BoundaryEvent[];
  /** Every request so far, as text. */
  readonly wire: readonly string[];
}

export function open(onEvent: (event: BoundaryEvent) => void): Conversation {
  return createBoundary({
    key: KEY,
    classifier: markingClassifier,
    sections: SECTIONS,
    limits: { maxBytes: 300 },
    onEvent,
  }).conversation('c');
}

/** Runs an attack: each content may contain anything of the requests before it. */
export async function play(attack: readonly Step[]): Promise<Played> {
  const events: BoundaryEvent[] = [];
  const conversation = open((event) => events.push(event));
  const wire: string[] = [];
  for (const each of attack) {
    const text = each.text + reflected(each, wire.join('\n')) + each.text;
    conversation.addContent({
      id: `call-${each.id}`,
      source: source(each.origin, { name: `tool ${text.slice(0, 20) || 'x'}` }),
      content: each.isJson ? { json: { [text]: [text, 1] } } : text,
    });
    wire.push((await conversation.request({ policy: POLICY })).text);
  }
  return { conversation, events, wire };
}
