// Ways in which a classifier can fail, as data.
import type { ClassifierV1 } from '../../src/index.ts';
import type { UncheckedReason } from '../../src/stages.ts';

/** A classifier that fails, and the event that reports it. */
interface ClassifierFailure {
  readonly title: string;
  readonly payload: ClassifierV1['doClassify'];
  readonly expected: { readonly reason: UncheckedReason; readonly cause: string | undefined };
}

function span(overrides: Readonly<Record<string, unknown>>): never {
  return { spans: [{ start: 0, end: 3, likelihood: 'high', tag: 'x', ...overrides }] } as never;
}

function failure(
  title: string,
  payload: ClassifierV1['doClassify'],
  reason: UncheckedReason,
  cause?: string,
): ClassifierFailure {
  return { title, payload, expected: { reason, cause } };
}

export const classifierFailures: readonly ClassifierFailure[] = [
  failure(
    'throws, with the content in its message',
    ({ text }) => {
      throw new RangeError(text);
    },
    'error',
    'RangeError',
  ),
  failure('rejects', () => Promise.reject(new TypeError('500')), 'error', 'TypeError'),
  failure('rejects with a string', () => Promise.reject('quota'), 'error', 'string'),
  failure('never settles', () => new Promise(() => undefined), 'timeout'),
  failure('returns undefined', () => undefined as never, 'invalid'),
  failure('returns null', () => null as never, 'invalid'),
  failure('returns a string', () => 'SAFE' as never, 'invalid'),
  failure(
    'returns an object of another shape',
    () => ({ tripwireTriggered: false, executionFailed: true }) as never,
    'invalid',
  ),
  failure('returns spans that are not an array', () => ({ spans: { length: 0 } }) as never, 'invalid'),
  failure('returns null as a span', () => ({ spans: [null] }) as never, 'invalid'),
  failure('returns a span past the end', () => span({ end: 8 }), 'invalid'),
  failure('returns a span before the beginning', () => span({ start: -1 }), 'invalid'),
  failure('returns an empty span', () => span({ end: 0 }), 'invalid'),
  failure('returns a fractional offset', () => span({ end: 1.5 }), 'invalid'),
  failure('returns an offset as a string', () => span({ start: '0' }), 'invalid'),
  failure('returns an unknown likelihood', () => span({ likelihood: 'certain' }), 'invalid'),
  failure('returns a tag that closes the mark', () => span({ tag: 'x></quoted_span' }), 'invalid'),
  failure('returns a tag with a line break', () => span({ tag: 'x\n' }), 'invalid'),
  failure('returns a tag of 41 characters', () => span({ tag: 'x'.repeat(41) }), 'invalid'),
  failure('returns no tag', () => span({ tag: undefined }), 'invalid'),
];
