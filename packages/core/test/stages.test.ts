import { describe, expect, it } from 'vitest';
import { SallyportError } from '../src/index.ts';
import { deriveKey, frame, quote, vocabularyFor } from '../src/stages.ts';
import { lineage, skips, verdicts } from './stages.types.ts';

describe('misuse that does not compile is refused at run time too', () => {
  it('each case has its own title', () => {
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

  it.each(verdicts.map((make, index) => [index, make] as const))(
    'the malformed verdict %i leaves the content unchecked',
    (_, make) => {
      const { text } = frame(quote(make(), vocabularyFor()), deriveKey(new Uint8Array(32), 'c'));
      expect(text).toContain(' check=none>x</');
    },
  );
});
