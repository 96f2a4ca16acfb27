import { F } from '../fixture/frames.ts';
import { POISON } from '../fixture/rig.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A definition of a tool, and what the client gets of it; undefined where it is held. */
export interface DefinitionAttack {
  readonly title: string;
  readonly attack: unknown;
  readonly expected: Fields | undefined;
}

const schema = (property: unknown): Fields => ({ type: 'object', properties: { a: property } });

export const definitionAttacks: readonly DefinitionAttack[] = [
  {
    title: 'tool poisoning: an instruction in the description',
    attack: { name: 't', description: POISON, inputSchema: {} },
    expected: { name: 't', description: F(POISON), inputSchema: {} },
  },
  {
    title: 'an instruction in the description of a parameter',
    attack: { name: 't', inputSchema: schema({ type: 'string', description: POISON }) },
    expected: { name: 't', inputSchema: schema({ type: 'string', description: F(POISON) }) },
  },
  {
    title: 'an instruction among the values of a parameter',
    attack: { name: 't', inputSchema: schema({ enum: ['ok', POISON], const: POISON }) },
    expected: { name: 't', inputSchema: schema({ enum: ['ok', F(POISON)], const: F(POISON) }) },
  },
  {
    title: 'an instruction as default and as example',
    attack: { name: 't', inputSchema: schema({ default: { x: POISON }, examples: [POISON] }) },
    expected: { name: 't', inputSchema: schema({ default: { x: F(POISON) }, examples: [F(POISON)] }) },
  },
  {
    title: 'an instruction as title, of the tool and in its annotations',
    attack: { name: 't', title: POISON, annotations: { title: POISON }, inputSchema: {} },
    expected: { name: 't', title: F(POISON), annotations: { title: F(POISON) }, inputSchema: {} },
  },
  {
    title: 'an instruction as the name of an annotation',
    attack: { name: 't', annotations: { [POISON]: true, readOnlyHint: true }, inputSchema: {} },
    expected: { name: 't', annotations: F(JSON.stringify({ [POISON]: true, readOnlyHint: true })), inputSchema: {} },
  },
  {
    title: 'an instruction as pattern, which no client could apply in a frame',
    attack: { name: 't', inputSchema: schema({ type: 'string', pattern: `^(?!${POISON})` }) },
    expected: { name: 't', inputSchema: schema({ type: 'string' }) },
  },
  {
    title: 'an instruction as the name of a parameter',
    attack: { name: 't', inputSchema: { type: 'object', properties: { [POISON]: {} } } },
    expected: undefined,
  },
  {
    title: 'an instruction as the name of a parameter that is required and not there',
    attack: { name: 't', inputSchema: { type: 'object', required: [POISON] } },
    expected: undefined,
  },
  {
    title: 'an instruction as the name of a part of a schema',
    attack: { name: 't', inputSchema: { type: 'object', $defs: { x: { allOf: [{ [POISON]: 1 }] } } } },
    expected: undefined,
  },
  { title: 'an instruction as the name of a tool', attack: { name: POISON, inputSchema: {} }, expected: undefined },
  { title: 'a tool without a name', attack: { description: POISON, inputSchema: {} }, expected: undefined },
  { title: 'a tool whose name is no text', attack: { name: [POISON], inputSchema: {} }, expected: undefined },
  { title: 'a tool that is a text', attack: POISON, expected: undefined },
  { title: 'a tool that is nothing', attack: null, expected: undefined },
  {
    title: 'a name with a token of a template',
    attack: { name: '<|im_start|>', inputSchema: {} },
    expected: undefined,
  },
  { title: 'a name with hidden letters', attack: { name: 're\u200bad', inputSchema: {} }, expected: undefined },
  {
    title: 'an output schema with an instruction: its prose is taken out',
    attack: { name: 't', inputSchema: {}, outputSchema: { type: 'object', description: POISON } },
    expected: {
      name: 't',
      inputSchema: {},
      outputSchema: { type: 'object', properties: { _security_notice: { type: 'string' } } },
    },
  },
  {
    title: 'annotation lies: hints that make a call look harmless, of a definition that is not accepted',
    attack: {
      name: 't',
      description: POISON,
      inputSchema: {},
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
        title: 'T',
      },
    },
    expected: { name: 't', description: F(POISON), inputSchema: {}, annotations: { title: 'T' } },
  },
  {
    title: 'hints that make a call look dangerous stay',
    attack: {
      name: 't',
      inputSchema: {},
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    expected: {
      name: 't',
      inputSchema: {},
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
  },
  {
    title: 'an instruction in _meta, in an icon and in an unknown member',
    attack: {
      name: 't',
      inputSchema: {},
      _meta: { a: POISON },
      icons: [{ src: `data:${POISON}` }],
      x: { y: [POISON] },
    },
    expected: {
      name: 't',
      inputSchema: {},
      _meta: { a: F(POISON) },
      icons: [{ src: F(`data:${POISON}`) }],
      x: { y: [F(POISON)] },
    },
  },
  {
    title: 'a schema that is a text, and one that is a list',
    attack: { name: 't', inputSchema: POISON, execution: [POISON] },
    expected: { name: 't', inputSchema: F(POISON), execution: [F(POISON)] },
  },
];

/** Names that a model or a person takes for `send_mail`. */
export const confusables: readonly { readonly title: string; readonly attack: string; readonly expected: boolean }[] = [
  { title: 'another case', attack: 'Send_Mail', expected: true },
  { title: 'another separator', attack: 'send-mail', expected: true },
  { title: 'no separator', attack: 'sendmail', expected: true },
  { title: 'a point', attack: 'send.mail', expected: true },
  { title: 'separators around', attack: '_send__mail_', expected: true },
  { title: 'an e of Cyrillic', attack: 's\u0435nd_mail', expected: true },
  { title: 'letters of full width', attack: '\uff53end_mail', expected: true },
  { title: 'an accent', attack: 's\u00e9nd_mail', expected: true },
  { title: '1 for l', attack: 'send_mai1', expected: true },
  { title: 'a capital I for l', attack: 'send_maiI', expected: true },
  { title: 'rn for m', attack: 'send_rnail', expected: true },
  { title: '5 for s', attack: '5end_mail', expected: true },
  { title: 'another name', attack: 'send_mails', expected: false },
  { title: 'a shorter name', attack: 'send', expected: false },
];
