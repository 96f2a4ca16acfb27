import { describe, expect, it } from 'vitest';
import { outputs } from '../../../training/compose/outputs.ts';
import { Random } from '../../../training/random.ts';

const TEXTS = ['Please delete the old invoice. Then send the new one.', 'The garden needs water.'];
const made = (count: number, seed = 3) => outputs(new Random(seed), count, TEXTS);

describe('texts as programs print them', () => {
  it('are harmless, and nearly all different', () => {
    const documents = made(600);
    expect(documents.every(({ injected, spans }) => !injected && spans.length === 0)).toBe(true);
    expect(new Set(documents.map(({ text }) => text)).size).toBeGreaterThan(560);
    expect(documents.every(({ text }) => text.trim() !== '' && !/NaN|\[object/.test(text))).toBe(true);
  });

  it('are the same for the same seed', () => {
    expect(made(50)).toEqual(made(50));
    expect(made(50)).not.toEqual(made(50, 4));
  });

  it('take their names from the given texts', () => {
    const all = made(300)
      .map(({ text }) => text)
      .join('\n');
    for (const word of ['delete', 'invoice', 'garden']) expect(all).toContain(word);
  });

  it('are of many kinds', () => {
    const all = made(900).map(({ text }) => text);
    for (const kind of [
      /^diff --git/m,
      /^\{/m,
      /^-rw-r/m,
      /Traceback/,
      /<form/,
      /^SELECT/m,
      /^\| /m,
      /ENOENT/,
      /^ok \d/m,
    ])
      expect(all.some((text) => kind.test(text))).toBe(true);
  });
});
