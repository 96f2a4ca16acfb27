import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../generate/generated.ts';

test('the types of the API and the tables of core are current: npm run generate -w @sallyport/console', async () => {
  for (const [name, text] of Object.entries(await generatedFiles()))
    expect(readFileSync(new URL(`../src/api/${name}`, import.meta.url), 'utf8')).toBe(text);
});
