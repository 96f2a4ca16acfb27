import { describe, expect, it } from 'vitest';
import { EFFECTS } from '../../src/call/effect.ts';
import { effectOfCalledTool, effectOfServerTool } from '../../src/call/server-effect.ts';
import { FIELD, RED, type Row, SERVERS, TOO_STRONG, TOO_WEAK } from './undeclared.ts';

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

describe('the effect of an undeclared tool', () => {
  it.each([...RED, ...FIELD, ...SERVERS])(
    '$origin: $title is $expected',
    ({ payload: { name, ...tool }, expected }) => {
      expect(effectOfServerTool(name, tool, false)).toBe(expected);
    },
  );

  it.each([...RED, ...SERVERS])('$title, and hints do not weaken it', ({ payload: { name, ...tool }, expected }) => {
    expect(effectOfServerTool(name, { ...tool, annotations: READ_ONLY }, false)).toBe(expected);
  });

  it.each([...RED, ...FIELD])('$title, of a call without a schema', ({ payload: { name, inputSchema }, expected }) => {
    expect(effectOfCalledTool(name, inputSchema?.properties)).toBe(expected);
  });

  const distance = ({ payload: { name, ...tool }, expected }: Row): number =>
    EFFECTS.indexOf(effectOfServerTool(name, tool, false)) - EFFECTS.indexOf(expected);

  it.each(TOO_STRONG)('$origin: $title is still guessed stronger than $expected', (row) => {
    expect(distance(row)).toBeGreaterThan(0);
  });

  it.each(TOO_WEAK)('$origin: $title is still guessed weaker than $expected', (row) => {
    expect(distance(row)).toBeLessThan(0);
  });
});
