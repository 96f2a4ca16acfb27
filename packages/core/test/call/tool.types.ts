// The type checker must refuse every line after a @ts-expect-error: a misspelt argument would have no effect. tool.test.ts runs
// each of them, since JavaScript callers have no types.
import { z } from 'zod';
import type { ToolParameters } from '../../src/call/parameters.ts';
import { defineTool, type Tool } from '../../src/index.ts';

const pay = { name: 'pay', effect: 'spend' } as const;
const PROPERTIES = { iban: { type: 'string' }, reference: { type: 'string' } } as const;
const PAYMENT = z.object({ iban: z.string(), reference: z.string().optional() });
const LOOSE: ToolParameters = { type: 'object', properties: PROPERTIES };

interface Row {
  readonly title: string;
  readonly expected: string;
  readonly run: () => Tool;
}

export const refused: readonly Row[] = [
  {
    title: 'a misspelt argument among the texts',
    expected: '`modelText` names "referense", which its schema does not declare. Did you mean reference?',
    // @ts-expect-error: not a name of the schema
    run: () => defineTool({ ...pay, parameters: { properties: PROPERTIES }, modelText: ['referense'] }),
  },
  {
    title: 'a misspelt argument among the roles',
    expected: '`roles` names "ibam", which its schema does not declare. Did you mean iban?',
    // @ts-expect-error: not a name of the schema
    run: () => defineTool({ ...pay, parameters: { properties: PROPERTIES }, roles: { ibam: 'recipient' } }),
  },
  {
    title: 'a misspelt argument among the roles, with a schema of Zod',
    expected: '`roles` names "ibam", which its schema does not declare. Did you mean iban?',
    // @ts-expect-error: not a name of the schema
    run: () => defineTool({ ...pay, parameters: PAYMENT, roles: { ibam: 'recipient' } }),
  },
  {
    title: 'a misspelt role',
    expected: '`roles` must give each argument one of recipient,',
    // @ts-expect-error: not a role
    run: () => defineTool({ ...pay, parameters: { properties: PROPERTIES }, roles: { iban: 'recipent' } }),
  },
  {
    title: 'a misspelt argument, with a schema whose type says nothing',
    expected: '`modelText` names "referense", which its schema does not declare. Did you mean reference?',
    run: () => defineTool({ ...pay, parameters: LOOSE, modelText: ['referense'] }),
  },
];

const composed = { allOf: [{ properties: { memo: {} } }], properties: PROPERTIES } as const;

export const accepted: readonly Omit<Row, 'expected'>[] = [
  {
    title: 'names of the schema',
    run: () =>
      defineTool({
        ...pay,
        parameters: { properties: PROPERTIES },
        modelText: ['reference'],
        roles: { iban: 'recipient' },
      }),
  },
  {
    title: 'names of a schema of Zod',
    run: () => defineTool({ ...pay, parameters: PAYMENT, modelText: ['reference'], roles: { iban: 'recipient' } }),
  },
  {
    title: 'names of a part of the schema',
    run: () => defineTool({ ...pay, parameters: composed, modelText: ['memo'], roles: { iban: 'recipient' } }),
  },
  {
    title: 'any names without a schema',
    run: () => defineTool({ ...pay, modelText: ['referense'], roles: { iban: 'recipient' } }),
  },
];
