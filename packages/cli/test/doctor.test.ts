import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { doctorCommand, examine } from '../src/doctor.ts';
import { linesOf, Place, runCommand, SALLYPORT } from './fixtures/rig.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  vi.unstubAllEnvs();
  return place.remove();
});

const CHECKS = [
  'the server starts behind the wrapper and answers',
  'instructions of the server are framed',
  'descriptions of tools are framed',
  'hints that nobody vouches for are taken out',
  'results are framed',
  'an instruction in a result is marked as one',
  'structured content goes as framed text',
  'errors are framed',
  'log messages are framed',
  'a call that the content asked for is not made',
  'other calls are made',
  'a tool that changes is held',
  'the server ends with the client, and its exit code comes through',
];

const CANARY = [...SALLYPORT, 'doctor', '--canary'];
const TRANSPARENT = fileURLToPath(new URL('./fixtures/transparent.mjs', import.meta.url));

test('everything holds, whatever the settings, the state and the conversation of the user are', async () => {
  place.write('config/sallyport/sallyport.yaml', 'defaults: { mode: annotate, trusted: true, preset: permissive }');
  place.write('state/pins/canary.json', 'no JSON');
  const env = { SALLYPORT_CONVERSATION: 'mine', SALLYPORT_KEY: 'none', TMPDIR: place.folder };
  const { code, out, error } = await place.run(['doctor'], { env });
  expect(error).toBe('');
  expect(linesOf(out)).toEqual([...CHECKS.map((title) => `holds   ${title}`), '', '13 of 13 hold.', '']);
  expect(code).toBe(0);
  // Nothing is left behind.
  expect(readdirSync(place.folder).filter((name) => name.startsWith('sallyport-doctor-'))).toEqual([]);
});

describe('a wrapper that does not hold is reported', () => {
  test('one that lets everything through', async () => {
    const make: typeof doctorCommand = (io) =>
      doctorCommand(io, { wrapper: [process.execPath, TRANSPARENT], canary: CANARY });
    const { code, out } = await runCommand(make, place, []);
    const holding = [CHECKS[0], CHECKS[10], CHECKS[12]];
    const lines = CHECKS.map((title) => `${holding.includes(title) ? 'holds ' : 'BROKEN'}  ${title}`);
    expect(linesOf(out)).toEqual([
      ...lines,
      '',
      '3 of 13 hold.',
      'Please report this, with the version: sallyport --version, and node --version.',
      '',
    ]);
    expect(code).toBe(1);
  });

  const dead: readonly (readonly [title: string, wrapper: readonly string[]])[] = [
    ['one that ends at once', [process.execPath, '-e', 'process.exit(3)', '--']],
    ['one that is not there', ['/no/such/wrapper']],
    [
      'one that says what is no JSON, and nothing else',
      [process.execPath, '-e', 'console.log("hello"); process.stdin.resume()', '--'],
    ],
  ];
  test.each(dead)('%s', async (_, wrapper) => {
    vi.stubEnv('TMPDIR', place.folder);
    const checks = await examine({ wrapper, canary: CANARY, patience: 1000 });
    // The last says only how it ended.
    expect(checks.slice(0, -1)).toEqual(CHECKS.slice(0, -1).map((title) => ({ title, holds: false })));
    expect(readdirSync(place.folder)).toEqual([]);
  });
});
