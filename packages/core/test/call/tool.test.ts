import { describe, expect, it } from 'vitest';
import { defineTool } from '../../src/index.ts';
import { accepted, refused } from './tool.types.ts';

describe('a tool', () => {
  it.each(refused)('refuses $title', ({ run, expected }) => {
    expect(run).toThrow(expected);
  });

  it.each(accepted)('accepts $title', ({ run }) => {
    expect(run().roles.get('iban')).toBe('recipient');
  });

  it('refuses a schema that its library cannot convert', () => {
    const input = (): never => {
      throw new Error('Dates have no JSON Schema');
    };
    const parameters = { '~standard': { jsonSchema: { input } } };
    expect(() => defineTool({ name: 'pay', parameters })).toThrow(
      'Tool pay: `parameters` cannot be converted to JSON Schema: "Dates have no JSON Schema". Pass a JSON Schema.',
    );
  });
});
