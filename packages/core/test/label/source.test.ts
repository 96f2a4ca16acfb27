import { describe, expect, it } from 'vitest';
import { Tool } from '../../src/call/tool.ts';
import { defineTool, source } from '../../src/index.ts';
import { labelOf, originOfPart, Source, UNKNOWN_SOURCE } from '../../src/label/source.ts';
import type { SourceOrigin } from '../../src/stages.ts';

const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });
const cast = (value: unknown): never => value as never;

describe('source', () => {
  it('is private, without a name and frozen by default', () => {
    const made = source('external');
    expect({ ...made }).toEqual({ type: 'source', origin: 'external', confidentiality: 'private', name: undefined });
    expect(Object.isFrozen(made)).toBe(true);
    expect(() => Object.assign(made, { origin: 'system' })).toThrow(TypeError);
  });

  it('keeps its options', () => {
    const made = source('retrieved', { name: 'n'.repeat(256), confidentiality: 'secret' });
    expect([made.origin, made.confidentiality, made.name]).toEqual(['retrieved', 'secret', 'n'.repeat(256)]);
    expect(labelOf(made)).toEqual({ integrity: 'retrieved', confidentiality: 'secret' });
  });

  it.each(['policy', 'System', 'trusted', '', undefined, null, 5, ['user'], {}])('refuses the origin %j', (origin) => {
    expect(() => source(cast(origin))).toThrow(code('ERR_INVALID_LABEL'));
  });

  it.each(['Public', '', null, 0])('refuses the confidentiality %j', (confidentiality) => {
    const attempt = () => source('user', { confidentiality: cast(confidentiality ?? 'none') });
    expect(attempt).toThrow(code('ERR_INVALID_LABEL'));
  });

  it.each(['', 'n'.repeat(257), null, 5, {}])('refuses the name %j', (name) => {
    expect(() => source('user', { name: cast(name) })).toThrow(code('ERR_INVALID_NAME'));
  });

  it('an object with the same fields is not accepted', () => {
    const made = source('system');
    const fakes = [
      { ...made },
      JSON.parse(JSON.stringify(made)),
      Object.create(Source.prototype),
      Object.create(made),
      new Proxy(made, {}),
      null,
      undefined,
      'system',
      () => made,
    ];
    expect(fakes.filter((fake) => Source.is(fake))).toEqual([]);
    expect(Source.is(made)).toBe(true);
  });

  it('UNKNOWN_SOURCE is unknown and private', () => {
    expect([UNKNOWN_SOURCE.origin, UNKNOWN_SOURCE.confidentiality, UNKNOWN_SOURCE.name]).toEqual([
      'unknown',
      'private',
      undefined,
    ]);
  });
});

describe('defineTool', () => {
  it.each([
    [{ name: 't', trusted: true }, 'system'],
    [{ name: 't', trusted: false }, 'unknown'],
    [{ name: 't' }, 'unknown'],
    [{ name: 't', origin: 'workspace' }, 'workspace'],
    [{ name: 't', origin: 'retrieved' }, 'retrieved'],
    [{ name: 't', origin: 'external', trusted: false }, 'external'],
  ] as const)('%j has the origin %s', (definition, origin) => {
    const tool = defineTool(definition);
    expect({ ...tool.source }).toEqual({ type: 'source', origin, confidentiality: 'private', name: 't' });
    expect([tool.name, Object.isFrozen(tool), Tool.is(tool)]).toEqual(['t', true, true]);
  });

  it('keeps its confidentiality', () => {
    expect(defineTool({ name: 't', confidentiality: 'secret' }).source.confidentiality).toBe('secret');
  });

  it.each([
    [{ name: 't', trusted: true, origin: 'external' }, 'ERR_INVALID_OPTION'],
    [{ name: 't', trusted: 'yes' }, 'ERR_INVALID_OPTION'],
    [{ name: 't', trusted: 1 }, 'ERR_INVALID_OPTION'],
    [{ name: 't', trusted: null }, 'ERR_INVALID_OPTION'],
    [{ name: 't', origin: 'system' }, 'ERR_INVALID_LABEL'],
    [{ name: 't', origin: 'user' }, 'ERR_INVALID_LABEL'],
    [{ name: 't', origin: 'policy' }, 'ERR_INVALID_LABEL'],
    [{ name: 't', origin: null }, 'ERR_INVALID_LABEL'],
    [{ name: 't', confidentiality: 'none' }, 'ERR_INVALID_LABEL'],
    [{ name: '' }, 'ERR_INVALID_NAME'],
    [{ name: 'n'.repeat(257) }, 'ERR_INVALID_NAME'],
    [{ name: 5 }, 'ERR_INVALID_NAME'],
    [{}, 'ERR_INVALID_NAME'],
  ])('refuses %j with %s', (definition, expected) => {
    expect(() => defineTool(cast(definition))).toThrow(code(expected));
  });

  it('an object with the same fields is not accepted', () => {
    const tool = defineTool({ name: 't', trusted: true });
    expect([{ ...tool }, Object.create(Tool.prototype), null, 't'].filter((fake) => Tool.is(fake))).toEqual([]);
  });
});

describe('originOfPart', () => {
  it('is that of the source for text and JSON, and at most external for other parts', () => {
    const origins: readonly SourceOrigin[] = ['user', 'system', 'workspace', 'retrieved', 'external', 'unknown'];
    const types = ['text', 'json', 'image', 'file', 'link', 'audio of next year'];
    const table = origins.map((origin) => types.map((type) => originOfPart(source(origin), type)).join(' '));
    expect(table).toEqual([
      'user user external external external external',
      'system system external external external external',
      'workspace workspace external external external external',
      'retrieved retrieved external external external external',
      'external external external external external external',
      'unknown unknown unknown unknown unknown unknown',
    ]);
  });
});
