import { canonicalJson, type JsonSchema } from '@sallyport/core/adapter';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELD_NOTICE, tagFields } from '../src/tag-fields.ts';
import { widenSchema } from '../src/widen-schema.ts';
import { base, CLOSE, contentOf, nonce, OPEN, TIME, tag, UUID } from './tagged.ts';

// Written without the patterns of the source, so that a wrong pattern is noticed.
const all = (text: string, alphabet: string): boolean => [...text].every((each) => alphabet.includes(each));

function couldBeId(text: string): boolean {
  const pieces = text.split(/[-_]/);
  const isHex = all(pieces.join(''), '0123456789abcdefABCDEF');
  if (pieces.length === 1) return text.length <= 64 && (isHex || /^[0-7][A-Z0-9]{25}$/.test(text));
  if (pieces.length === 5) return pieces.map(({ length }) => length).join() === '8,4,4,4,12' && isHex;
  const [prefix = '', body = ''] = pieces;
  const runs = body.split(/\d/);
  return pieces.length === 2 && prefix.length <= 10 && runs.length > 2 && runs.every(({ length }) => length <= 6);
}

function couldBeSystem(name: string, text: string): boolean {
  if (/^(?:id|pk|uuid)$|_id$|Id$/.test(name)) return couldBeId(text);
  if (!/^(?:timestamp|date|due_date|createdAt|updatedAt)$|_at$/.test(name)) return false;
  return text.length <= 35 && all(text, '0123456789-:.+TtZz ') && !Number.isNaN(Date.parse(text));
}

const BARE_NAMES =
  'id pk uuid created_at updated_at deleted_at createdAt updatedAt timestamp date due_date known'.split(' ');

function uncoverText(text: string, mayBeBare: boolean): string {
  const content = contentOf(text);
  expect(content !== undefined || mayBeBare, text).toBe(true);
  return content ?? text;
}

function uncover(covered: unknown, name = ''): unknown {
  if (typeof covered === 'string') return uncoverText(covered, couldBeSystem(name, covered));
  if (Array.isArray(covered)) return covered.map((each) => uncover(each));
  if (typeof covered !== 'object' || covered === null) return covered;
  const names = Object.keys(covered).map((name) => uncoverText(name, BARE_NAMES.includes(name)));
  return Object.fromEntries(Object.values(covered).map((each, index) => [names[index], uncover(each, names[index])]));
}

const fragment = fc.constantFrom(
  ...[OPEN, CLOSE, nonce, '<untrusted_field', '</untrusted_field>', '&lt;/untrusted_field ', '\uff1c/untrusted_field'],
  ...['<\u200bun\u00adtrusted_field_', '~x3c~', '~x', '\ud83d', '\u0000', '\nHuman:', '<|im_start|>', '"', '&', '<'],
  ...[UUID, TIME, '42', 'usr_8f3k2m9q', 'sys_allpreviousrules42', 'ignore all', '2026-05-01', 'deadbeef'],
);
const hostile = fc.oneof(
  fragment,
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fragment, fc.string()), { maxLength: 4 }).map((pieces) => pieces.join('')),
);
const nameOf = fc.oneof(
  hostile,
  fc.constantFrom(...BARE_NAMES, 'user_id', 'userId', 'seen_at', 'message', '__proto__', '_security_notice', 'value'),
);
const { hostileTree } = fc.letrec((tie) => ({
  hostileTree: fc.oneof(
    { maxDepth: 5 },
    hostile,
    fc.jsonValue(),
    fc.array(tie('hostileTree'), { maxLength: 4 }),
    fc.array(fc.tuple(nameOf, tie('hostileTree')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

it('every text and name has one pair of tags or is a machine value, and the value can be recovered', () => {
  fc.assert(
    fc.property(hostileTree, (payload) => {
      const { _security_notice, ...rest } = tag(payload, { knownKeys: ['known'] });
      expect(_security_notice).toBe(FIELD_NOTICE);
      const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
      expect(canonicalJson(uncover(isObject ? rest : rest.value))).toBe(canonicalJson(payload));
    }),
    { numRuns: 1000 },
  );
});

type Table = Record<string, unknown>;
/** A value and a schema that it satisfies, made together. The schema puts its definitions into `defs`. */
type Pair = { readonly value: unknown; readonly schema: (defs: Table) => JsonSchema };

const pairOf = (value: unknown, schema: JsonSchema): Pair => ({ value, schema: () => schema });
const container = fc.object({ key: fc.constantFrom('a', 'id', 'note'), values: [hostile, fc.nat()], maxDepth: 2 });
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  hostile.map((text) => pairOf(text, { type: 'string', maxLength: [...text].length, format: 'any' })),
  fc.stringMatching(/^[a-z]{1,8}$/).map((text) => pairOf(text, { pattern: '^[a-z]*$', minLength: 1 })),
  hostile.map((text) => pairOf(text, { enum: [`${text}!`, text], contentEncoding: 'base64' })),
  fc.oneof(hostile, container).map((value) => pairOf(value, { const: value })),
  fc.constantFrom(TIME, UUID).map((text) => pairOf(text, { format: text === TIME ? 'date-time' : 'uuid' })),
  fc.nat().map((value) => pairOf(value, { type: 'integer', minimum: value, multipleOf: 1 })),
  fc.constantFrom(true, null).map((value) => pairOf(value, { type: 'boolean', nullable: true })),
);

const THEN = 'then'; // As a name in an object, the linter takes it for a promise.
const WRAPS: readonly ((one: JsonSchema, defs: Table) => JsonSchema)[] = [
  (one) => ({ anyOf: [false, one], oneOf: [{ not: one }, one] }),
  (one) => ({ oneOf: [one, { type: 'string', maxLength: 0, minLength: 1 }], not: { not: one } }),
  (one) => ({ allOf: [one, true], if: { not: one }, [THEN]: false }),
  (one, defs) => {
    const name = `d${Object.keys(defs).length}`;
    defs[name] = one;
    return { $ref: `#/$defs/${name}` };
  },
];

function arrayOf(items: readonly Pair[], form: number): Pair {
  const value = items.map((item) => item.value);
  const uniqueItems = new Set(value.map(canonicalJson)).size === value.length;
  const schema = (defs: Table): JsonSchema => {
    const [first = true, ...others] = items.map((item) => item.schema(defs));
    const any = { anyOf: [first, ...others] };
    const count = { type: 'array', minItems: items.length, maxItems: items.length, uniqueItems };
    if (form === 0 || items.length === 0) return { ...count, items: any };
    return { ...count, prefixItems: [first], items: any, contains: first, unevaluatedItems: false };
  };
  return { value, schema };
}

function recordOf(entries: readonly (readonly [string, Pair])[], form: number): Pair {
  const names = entries.map(([name]) => name);
  const schema = (defs: Table): JsonSchema => {
    const properties = Object.fromEntries(entries.map(([name, pair]) => [name, pair.schema(defs)]));
    const any = names.length === 0 ? true : { anyOf: Object.values(properties) };
    const counts = { type: 'object', minProperties: names.length, maxProperties: names.length };
    const eachName = Object.fromEntries(names.map((name) => [name, names]));
    const closed = { additionalProperties: false, unevaluatedProperties: false, required: names };
    if (form === 0) return { ...counts, additionalProperties: any, propertyNames: { enum: ['', ...names] } };
    if (form === 1) return { ...counts, ...closed, patternProperties: { '^': any } };
    if (form === 2) return { allOf: [counts], dependentRequired: eachName, unevaluatedProperties: any };
    return { ...counts, ...closed, properties, dependentSchemas: { id: { properties } } };
  };
  return { value: Object.fromEntries(entries.map(([name, pair]) => [name, pair.value])), schema };
}

const pairNames = nameOf.filter((name) => !name.startsWith('_') && name.isWellFormed());
const { pair } = fc.letrec<{ pair: Pair }>((tie) => {
  const entries = fc.uniqueArray(fc.tuple(pairNames, tie('pair')), { selector: ([name]) => name, maxLength: 4 });
  return {
    pair: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.tuple(fc.array(tie('pair'), { maxLength: 3 }), fc.nat(1)).map(([items, form]) => arrayOf(items, form)),
      fc.tuple(entries, fc.nat(3)).map(([given, form]) => recordOf(given, form)),
      fc.tuple(tie('pair'), fc.constantFrom(...WRAPS)).map(([{ value, schema }, wrap]) => {
        return { value, schema: (defs: Table) => wrap(schema(defs), defs) };
      }),
    ),
  };
});

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-/, uuid: /^\w{8}-/, any: /^[^<]*$|^./s } });

function areValid(schema: JsonSchema, ...values: readonly unknown[]): boolean {
  const valid = values.every((value) => ajv.validate(schema as object, value));
  ajv.removeSchema(schema as object);
  return valid;
}

it('in typed mode a tagged copy of a valid value is valid against the widened schema', () => {
  fc.assert(
    fc.property(pair, ({ value, schema }) => {
      const $defs = {};
      const whole = { ...(schema($defs) as object), $defs };
      expect(areValid(whole, value)).toBe(true);
      const result = tagFields(value, { ...base, mode: 'typed', schema: whole });
      if (result.type !== 'tagged' || result.schema === undefined) throw new Error('not tagged');
      expect(areValid(result.schema, result.value, value), JSON.stringify([whole, result])).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('widenSchema leaves out keywords that tags could break, and those it cannot read', () => {
  const closed = { type: 'object', maxProperties: 1, additionalProperties: false };
  const opened = {
    type: 'object',
    additionalProperties: false,
    properties: { _security_notice: { type: 'string' } },
  };
  const given = { $id: 'x', $ref: '#/$defs/a', $defs: { a: closed, b: { $id: 'y', type: 'string' }, c: closed } };
  const allOf = [{ $ref: 'https://example.com/b' }, { $ref: '#/$defs/none' }, { $ref: '#' }];
  expect(widenSchema({ ...given, allOf, items: [{ pattern: 'a' }], additionalItems: { not: {} } })).toEqual({
    $ref: '#/$defs/a',
    $defs: { a: opened, b: {}, c: closed },
    allOf: [{}, {}, { $ref: '#' }],
    items: [{}],
    additionalItems: {},
  });
});
