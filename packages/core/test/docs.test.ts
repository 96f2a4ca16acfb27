import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const rows = (document: string): string[] =>
  [...document.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name as string);

describe('the documents name what the code has, and nothing else', () => {
  test('errors', () => {
    const codes = [...read('../src/errors.ts').matchAll(/\| '(ERR_\w+)'/g)].map(([, code]) => code as string);
    expect(codes.length).toBeGreaterThan(8);
    expect(rows(read('../../../docs/errors.md'))).toEqual([...codes].sort());
  });

  test('events', () => {
    const types = [...read('../src/event.ts').matchAll(/readonly type: '([\w-]+)'/g)].map(([, type]) => type as string);
    expect(types.length).toBeGreaterThan(8);
    expect(rows(read('../../../docs/events.md')).sort()).toEqual([...types].sort());
  });
});
