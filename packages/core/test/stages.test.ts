import { describe, expect, it } from 'vitest';
import { SallyportError } from '../src/index.ts';
import { deriveKey, frame, quote, vocabularyFor } from '../src/stages.ts';
import { lineage, skips, verdicts } from './stages.types.ts';

describe('what does not compile is refused at run time as well', () => {
  it('is a list of some length, each under a title of its own', () => {
    expect(skips.length).toBeGreaterThan(35);
    expect(new Set(skips.map(({ title }) => title)).size).toBe(skips.length);
    expect(typeof lineage).toBe('function');
  });

  it.each(skips)('$title: $code', async ({ run, code }) => {
    const caught: unknown = await (async () => run())().then(
      () => 'nothing was thrown',
      (error: unknown) => error,
    );
    expect(SallyportError.isInstance(caught) ? caught.code : caught).toBe(code);
  });

  it.each(verdicts.map((make, index) => [index, make] as const))('verdict %i reads as suspect', (_, make) => {
    const { text } = frame(quote(make(), vocabularyFor()), deriveKey(new Uint8Array(32), 'c'));
    expect(text).toContain(' check=none>x</');
  });
});
