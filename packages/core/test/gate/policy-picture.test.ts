import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BALANCED } from '../../src/gate/table.ts';

const PICTURE = new URL('../../../../docs/concepts/policy.svg', import.meta.url);

it('draws every cell of the table in docs/concepts/policy.svg', () => {
  const drawn = [...readFileSync(PICTURE, 'utf8').matchAll(/>(allow|ask|deny)</g)].map(([, outcome]) => outcome);
  const cells = (['asked', 'not asked'] as const).flatMap((asked) =>
    Object.values(BALANCED).flatMap((row) => row[asked]),
  );
  expect(drawn).toEqual(cells);
});
