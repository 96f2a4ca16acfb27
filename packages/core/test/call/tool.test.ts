import { describe, expect, it } from 'vitest';
import { defineTool, type ToolDefinition } from '../../src/index.ts';

const PARAMETERS = { type: 'object', properties: { iban: { type: 'string' }, reference: { type: 'string' } } } as const;

interface Row {
  readonly title: string;
  readonly origin: string;
  readonly payload: Partial<ToolDefinition>;
  readonly expected: string;
}

const ROWS: readonly Row[] = [
  {
    title: 'a misspelt argument among the texts',
    origin: 'developer',
    payload: { modelText: ['referense'] },
    expected: '`modelText` names "referense", which its schema does not declare. Did you mean reference?',
  },
  {
    title: 'a misspelt argument among the roles',
    origin: 'developer',
    payload: { roles: { ibam: 'recipient' } },
    expected: '`roles` names "ibam", which its schema does not declare. Did you mean iban?',
  },
];

describe('a tool with a schema', () => {
  it.each(ROWS)('refuses $title', ({ payload, expected }) => {
    expect(() => defineTool({ name: 'pay', effect: 'spend', parameters: PARAMETERS, ...payload })).toThrow(expected);
  });

  it('accepts its own arguments, and any without a schema', () => {
    const given = { modelText: ['reference'], roles: { iban: 'recipient' } } as const;
    expect(defineTool({ name: 'pay', parameters: PARAMETERS, ...given }).roles.get('iban')).toBe('recipient');
    expect(defineTool({ name: 'pay', modelText: ['referense'] }).modelText.has('referense')).toBe(true);
  });
});
