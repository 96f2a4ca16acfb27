import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POLICY_SCHEMA } from '../../src/store/policy/schema.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The rows of the table with this head on a page. */
function rowsOf(page: string, head: string): readonly (readonly string[])[] {
  const [, body = ''] = read(`../../docs/${page}`).split(`${head}\n`);
  const [table = ''] = body.split('\n\n');
  return table
    .split('\n')
    .slice(1)
    .map((row) => row.split('|').map((cell) => cell.trim()));
}

const wordsIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** The members of a policy. The cells of a table have a page of their own. */
function membersOf({ properties = {}, additionalProperties: values }: Schema, place = ''): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    `${place}${name}`,
    ...(name === 'table' ? [] : membersOf(schema, `${place}${name}.`)),
  ]);
  return [...own, ...(typeof values === 'object' ? membersOf(values, `${place}*.`) : [])];
}

test('the page about the policy lists every member of it', () => {
  const listed = rowsOf('gateway-policy.md', '| member | value | says |').map(([, member]) => wordsIn(member)[0]);
  expect(listed.toSorted()).toEqual(membersOf(POLICY_SCHEMA as Schema).toSorted());
});

test('the page about people lists every type of audit row, with its members and what was done', () => {
  const [, union = ''] = read('src/store/audit/audit.ts').split('export type AuditEvent =');
  const [types = ''] = union.split('interface ActionFields');
  const expected = types.split(/\n {2}\| /).flatMap((text) => {
    const [, type] = /readonly type: '(\w+)'/.exec(text) ?? [];
    if (type === undefined) return [];
    const members = [...text.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name).filter((name) => name !== 'type');
    const context = text.includes('CallContext') ? ['server', 'principal', 'conversation'] : [];
    const [, what = ''] = /ActionFields<([^>]+)>/.exec(text) ?? [];
    return [[type, [...context, ...members].toSorted(), [...what.matchAll(/'(\w+)'/g)].map(([, word]) => word)]];
  });
  const listed = rowsOf('gateway-people.md', '| type | members | what |').map(([, type, members, what]) => [
    wordsIn(type)[0],
    wordsIn(members).toSorted(),
    wordsIn(what),
  ]);
  expect(expected).toHaveLength(15);
  expect(listed).toEqual(expected);
});
