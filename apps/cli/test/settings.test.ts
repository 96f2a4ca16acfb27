import { PRESETS } from '@sallyport/core/stages';
import { MODES, STRUCTURED } from '@sallyport/mcp-proxy';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MODE_NAMES, PRESET_NAMES, SECRETS_NAMES, STRUCTURED_NAMES } from '../src/local-process/request.ts';
import { SECRETS } from '../src/secrets/finder.ts';
import { SETTINGS_SCHEMA, settingsFor } from '../src/settings.ts';
import { wrapCommand } from '../src/wrap/wrap.ts';
import { runCommand, SERVER, TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const FILE = 'config/sallyport/sallyport.yaml';

function read(text: string, server = 'mail'): unknown {
  testFolder.write(FILE, text);
  return settingsFor(server, undefined, testFolder.environment);
}

const WHOLE = `
defaults:
  preset: strict
  askTimeout: 20
  tools:
    search: { effect: read }
servers:
  mail:
    mode: annotate
    structured: keep
    preset: balanced
    observe: true
    trusted: true
    askTimeout: 0.5
    limit: 100
    tools:
      send:
        effect: send
        trusted: false
        origin: workspace
        confidentiality: private
        modelText: [body]
        serviceFields: { /id: uuid, '/items/*/at': timestamp }
`;

describe('the file', () => {
  test('a missing file means no settings', () => {
    expect(settingsFor('mail', undefined, testFolder.environment)).toEqual({});
  });

  test.each(['', '# nothing\n', '{}', 'servers: {}'])('an empty file means no settings: %j', (text) => {
    expect(read(text)).toEqual({ tools: {} });
  });

  test('settings of a server override the defaults', () => {
    expect(read(WHOLE)).toEqual({
      mode: 'annotate',
      structured: 'keep',
      preset: 'balanced',
      observe: true,
      trusted: true,
      askTimeout: 0.5,
      limit: 100,
      tools: {
        search: { effect: 'read' },
        send: {
          effect: 'send',
          trusted: false,
          origin: 'workspace',
          confidentiality: 'private',
          modelText: ['body'],
          serviceFields: { '/id': 'uuid', '/items/*/at': 'timestamp' },
        },
      },
    });
    expect(read(WHOLE, 'other')).toEqual({ preset: 'strict', askTimeout: 20, tools: { search: { effect: 'read' } } });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a server named %s has only the default settings', (server) => {
    expect(read(WHOLE, server)).toEqual({ preset: 'strict', askTimeout: 20, tools: { search: { effect: 'read' } } });
  });

  test('is looked up in XDG_CONFIG_HOME, or else in the home folder', () => {
    testFolder.write(FILE, 'defaults: { limit: 7 }');
    expect(settingsFor('x', undefined, { XDG_CONFIG_HOME: testFolder.path('config') })).toMatchObject({ limit: 7 });
    expect(settingsFor('x', undefined, { XDG_CONFIG_HOME: testFolder.path('elsewhere') })).toEqual({});
  });
});

const WRONG: readonly (readonly [text: string, error: string])[] = [
  ['nonsense: true', 'the file has an unknown setting: nonsense'],
  ['[]', 'the file must be object'],
  ['defaults: { mod: frame }', '/defaults has an unknown setting: mod'],
  ['servers: { mail: { mode: loud } }', '/servers/mail/mode must be one of: frame, annotate'],
  ['servers: { mail: { structured: no } }', '/servers/mail/structured must be one of: text-only, keep, typed'],
  ['servers: { mail: { trusted: "yes" } }', '/servers/mail/trusted must be boolean'],
  ['defaults: { preset: observe }', '/defaults/preset must be one of: balanced, strict, none'],
  ['defaults: { observe: "no" }', '/defaults/observe must be boolean'],
  [
    'servers: { mail: { tools: { send: { serviceFields: { price: number } } } } }',
    '/servers/mail/tools/send/serviceFields must match pattern "^/": price',
  ],
  ['servers: { mail: { askTimeout: 0 } }', '/servers/mail/askTimeout must be > 0'],
  ['servers: { mail: { limit: 0 } }', '/servers/mail/limit must be >= 1'],
  ['servers: { mail: { tools: { send: { effect: mail } } } }', '/servers/mail/tools/send/effect must be one of: '],
  ['servers: { mail: { tools: { send: { efect: send } } } }', '/servers/mail/tools/send has an unknown setting: efect'],
  // Errors in the settings of other servers are reported too.
  ['servers: { other: { mode: loud } }', '/servers/other/mode must be one of: frame, annotate'],
  ['servers: {', 'not valid YAML: Flow map'],
];

test.each(WRONG)('refused: %s', async (text, error) => {
  const path = testFolder.write(FILE, text);
  const said = await runCommand(wrapCommand, testFolder, [process.execPath, SERVER, '--server', 'mail']);
  expect(said.error.startsWith(`error: ${path}: ${error}`)).toBe(true);
  expect(said.error).toContain('\n next: ');
  expect(said.code).toBe(2);
});

test('a file named with --config must exist, and replaces the default file', async () => {
  testFolder.write(FILE, 'nonsense: true');
  const named = testFolder.write('named.yaml', 'defaults: { limit: 3 }');
  expect(settingsFor('mail', named, testFolder.environment)).toMatchObject({ limit: 3 });
  const said = await runCommand(wrapCommand, testFolder, [
    '--config',
    testFolder.path('none.yaml'),
    process.execPath,
    SERVER,
  ]);
  expect(said).toEqual({
    code: 2,
    out: '',
    error: `error: cannot read the settings in ${testFolder.path('none.yaml')} (ENOENT).\n next: give --config a file that exists.\n`,
  });
});

describe('as processes', () => {
  test('an invalid file exits with 2, and the server is not started', async () => {
    const path = testFolder.write(FILE, 'servers: { fixtures: { mode: loud } }');
    const words = ['wrap', process.execPath, SERVER, '--log', testFolder.path('log')];
    const { code, out, error } = await testFolder.run(words);
    expect([code, out]).toEqual([2, '']);
    expect(error.replace(/\s+/g, ' ')).toBe(
      `error: ${path}: /servers/fixtures/mode must be one of: frame, annotate next: correct the file; sallyport wrap --schema prints what it may contain. `,
    );
    expect(testFolder.log()).toEqual([]);
  });

  test('options override the file', async () => {
    testFolder.write(FILE, 'defaults: { mode: annotate, limit: 1 }');
    const [byFile, byFlag] = await Promise.all([
      testFolder.wrap(),
      testFolder.wrap(['--mode', 'frame', '--limit', '2']),
    ]);
    await byFile.list();
    await byFlag.list();
    const raw = JSON.stringify(await byFile.call('big', { size: 5000 }));
    expect(raw).not.toContain('<untrusted ');
    expect(raw).toContain('"sallyport/source"');
    expect(JSON.stringify(await byFlag.call('big', { size: 5000 }))).toContain('<untrusted ');
    await byFlag.said(/a text was cut to (2\d\d\d|1\d\d\d) of 5000 bytes/);
  });
});

describe('the schema', () => {
  test('is printed, and is a valid JSON Schema', async () => {
    const { code, out } = await runCommand(wrapCommand, testFolder, ['--schema']);
    expect(code).toBe(0);
    const schema = JSON.parse(out) as Readonly<Record<string, unknown>>;
    expect(schema).toEqual(SETTINGS_SCHEMA);
    const ajv = new Ajv({ strict: true });
    expect(ajv.validateSchema(schema)).toBe(true);
    const check = ajv.compile(schema);
    expect(check({ defaults: { preset: 'strict' }, servers: { mail: { tools: { send: { effect: 'send' } } } } })).toBe(
      true,
    );
    expect(check({ servers: { mail: { mode: 'loud' } } })).toBe(false);
  });
});

test('the names that wrap writes out are those of the packages', () => {
  expect([MODE_NAMES, STRUCTURED_NAMES, PRESET_NAMES, SECRETS_NAMES]).toEqual([MODES, STRUCTURED, PRESETS, SECRETS]);
});
