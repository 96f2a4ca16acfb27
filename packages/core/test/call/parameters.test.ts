import { expect, it } from 'vitest';
import { parametersOf } from '../../src/call/parameters.ts';

const NAMES = { type: 'object', properties: { body: {} } };
const standard = (input: () => object) => ({ '~standard': { jsonSchema: { input } } });
const failing = standard(() => {
  throw new Error('a date');
});

it.each([
  {
    title: 'a JSON Schema is itself',
    schema: { type: 'object', properties: {} },
    expected: { type: 'object', properties: {} },
  },
  { title: 'a standard schema is converted', schema: standard(() => NAMES), expected: NAMES },
  {
    title: 'of one that cannot be converted the names stay',
    schema: { ...failing, shape: { body: 1 } },
    expected: NAMES,
  },
  { title: 'of one without a conversion the names stay', schema: { shape: { body: 1 } }, expected: NAMES },
  { title: 'one that says nothing is unknown', schema: failing, expected: undefined },
  { title: 'a function is unknown', schema: () => NAMES, expected: undefined },
])('$title', ({ schema, expected }) => {
  expect(parametersOf(schema)).toEqual(expected);
});
