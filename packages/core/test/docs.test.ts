import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
/** The names in the first cells of tables. */
const rows = (document: string): string[] =>
  [...document.matchAll(/^\| (`[\w-]+`(?:, `[\w-]+`)*) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.slice(1, -1)),
  );

/** The rows of one section of a document. */
const section = (document: string, heading: string): string[] => {
  const [, text] = document.split(`\n## ${heading}\n`);
  return rows(text?.split('\n## ')[0] ?? '').sort();
};
const errors = read('../../../docs/errors.md');

/** The members of a union of literals in a file. */
const members = (path: string, name: string): string[] => {
  const [, union = ''] = read(path).split(`export type ${name} =`);
  return [...(union.split(';')[0] as string).matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code as string).sort();
};

describe('the documents list exactly what the code has', () => {
  test.each([
    ['The library', '../src/base/errors.ts', 'ErrorCode'],
    ['Scripts and sub-models', '../../../contrib/sandbox/src/errors.ts', 'SandboxErrorCode'],
    ['The gateway', '../../mcp-proxy/src/http/failure.ts', 'FailureCode'],
  ])('errors: %s', (heading, path, name) => {
    const codes = members(path, name);
    expect(codes.length).toBeGreaterThan(7);
    expect(section(errors, heading)).toEqual(codes);
  });

  test('events', () => {
    const types = [...read('../src/event.ts').matchAll(/readonly type: '([\w-]+)'/g)].map(([, type]) => type as string);
    expect(types.length).toBeGreaterThan(8);
    expect(rows(read('../../../docs/events.md')).sort()).toEqual([...types].sort());
  });
});
