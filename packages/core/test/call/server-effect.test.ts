import { describe, expect, it } from 'vitest';
import { effectOfServerTool as effectOf } from '../../src/call/server-effect.ts';

const TEXT = { type: 'string' };

function schemaOf(...names: string[]): { inputSchema: object } {
  return { inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, TEXT])) } };
}

describe('a tool without hints, of a server that is not trusted', () => {
  it.each([
    ['read_file', ['path'], 'read'],
    ['list_directory', ['path', 'sortBy'], 'read'],
    ['edit_file', ['path', 'newText'], 'write'],
    ['send_mail', ['to', 'body'], 'send'],
    ['delete_file', ['path'], 'destroy'],
    ['pay_invoice', ['iban', 'amount'], 'spend'],
    ['create_mail_rule', ['name'], 'configure'],
    ['run_process', ['command_line'], 'execute'],
    ['frobnicate', ['path'], 'execute'],
    ['', [], 'execute'],
  ])('called %s with %j has the effect %s', (name, given, expected) => {
    expect(effectOf(name, schemaOf(...given), false)).toBe(expected);
  });

  it.each([
    ['an address', schemaOf('url')],
    ['an address in camel case', schemaOf('callbackUrl')],
    ['a host', schemaOf('path', 'host')],
    ['a recipient', schemaOf('to')],
    ['a text with the format of an address', { inputSchema: { properties: { a: { ...TEXT, format: 'uri' } } } }],
    ['a text with the format of a mail address', { inputSchema: { properties: { a: { ...TEXT, format: 'email' } } } }],
    [
      'an address in a list of maps',
      { inputSchema: { properties: { all: { type: 'array', items: schemaOf('url').inputSchema } } } },
    ],
    [
      'an address in one of several forms',
      { inputSchema: { anyOf: [schemaOf('id').inputSchema, schemaOf('uri').inputSchema] } },
    ],
    [
      'an address in a definition',
      { inputSchema: { ...(schemaOf('a').inputSchema as object), $defs: { b: schemaOf('link').inputSchema } } },
    ],
    ['arguments that no schema declares', {}],
    ['arguments that a schema leaves open', { inputSchema: { type: 'object' } }],
    ['further arguments', { inputSchema: { type: 'object', properties: {}, additionalProperties: true } }],
    ['a map of anything', { inputSchema: { properties: { options: { type: 'object' } } } }],
    ['a map of anything or nothing', { inputSchema: { properties: { options: { type: ['object', 'null'] } } } }],
    ['a list of anything', { inputSchema: { properties: { all: { type: 'array' } } } }],
    ['an argument of any type', { inputSchema: { properties: { a: {} } } }],
    ['an argument with a schema that is not one', { inputSchema: { properties: { a: true } } }],
  ])('called get_page with %s is not only a read', (_, definition) => {
    expect(effectOf('get_page', definition as { inputSchema?: unknown; annotations?: unknown }, false)).toBe('fetch');
  });

  it('with a schema that is too deep to read is not only a read', () => {
    const deep = JSON.parse(`${'{"properties":{"a":'.repeat(40)}{"type":"string"}${'}}'.repeat(40)}`);
    expect(effectOf('get_page', { inputSchema: deep }, false)).toBe('fetch');
  });

  it.each([
    ['read_rows', 'sql'],
    ['get_page', 'script'],
    ['write_note', 'shellCommand'],
    ['send_mail', 'code'],
  ])('called %s with an argument %s may do anything', (name, argument) => {
    expect(effectOf(name, schemaOf(argument), false)).toBe('execute');
  });

  it('is not made weaker by an argument that holds code', () => {
    expect(effectOf('delete_rows', schemaOf('sql'), false)).toBe('destroy');
  });
});

describe('hints of a server that is not trusted', () => {
  it.each([
    ['delete_file', { readOnlyHint: true, openWorldHint: false }, 'destroy'],
    ['run_process', { readOnlyHint: true, openWorldHint: false }, 'execute'],
    ['send_mail', { destructiveHint: false, openWorldHint: false }, 'send'],
    ['pay', { destructiveHint: false }, 'spend'],
    ['frobnicate', { readOnlyHint: true }, 'execute'],
  ])('make %s with %j no weaker', (name, annotations, expected) => {
    expect(effectOf(name, { ...schemaOf('a'), annotations }, false)).toBe(expected);
  });

  it.each([
    ['get_page', { destructiveHint: true }, 'destroy'],
    ['fetch_page', { destructiveHint: true }, 'destroy'],
    ['send_mail', { destructiveHint: true }, 'destroy'],
    ['edit_file', { destructiveHint: true }, 'write'],
    ['update_memory', { destructiveHint: true }, 'configure'],
    ['close_project', { destructiveHint: true }, 'destroy'],
    ['get_page', { readOnlyHint: false }, 'write'],
    ['get_page', { openWorldHint: true }, 'fetch'],
    ['get_page', { openWorldHint: 'true' }, 'read'],
    ['pay', { destructiveHint: true }, 'spend'],
  ])('may make %s with %j stronger', (name, annotations, expected) => {
    expect(effectOf(name, { ...schemaOf('a'), annotations }, false)).toBe(expected);
  });
});

describe('hints of a trusted server', () => {
  it.each([
    ['delete_file', { readOnlyHint: true, openWorldHint: false }, 'read'],
    ['frobnicate', { readOnlyHint: true }, 'fetch'],
    ['frobnicate', { destructiveHint: false, openWorldHint: false }, 'write'],
    ['frobnicate', { destructiveHint: true }, 'destroy'],
    ['write_file', { destructiveHint: true, openWorldHint: false }, 'write'],
    ['close_project', { destructiveHint: true, openWorldHint: false }, 'destroy'],
    ['pay_invoice', { destructiveHint: false }, 'spend'],
    ['create_mail_rule', { destructiveHint: false, openWorldHint: false }, 'configure'],
    ['pay_invoice', { readOnlyHint: true, openWorldHint: false }, 'read'],
  ])('say what %s with %j does', (name, annotations, expected) => {
    expect(effectOf(name, { ...schemaOf('a'), annotations }, true)).toBe(expected);
  });

  it.each([[undefined], [null], ['read'], [{}], [{ title: 'Notes' }], [{ readOnlyHint: 'yes' }]])(
    'leave it to the name if there are none: %j',
    (annotations) => {
      expect(effectOf('list_notes', { ...schemaOf('a'), annotations }, true)).toBe('read');
    },
  );
});
