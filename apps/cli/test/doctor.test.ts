import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Timer } from '@sallyport/core/stages';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { doctorCommand, runChecks } from '../src/doctor/doctor.ts';
import { linesOf, runCommand, SALLYPORT, TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  return testFolder.remove();
});

const CHECKS = [
  'the server starts behind the wrapper and answers',
  "the server's instructions are framed",
  'a tool description that addresses the model is framed',
  'hints of a tool that is not accepted are removed',
  'tool results are framed',
  'an instruction in a result is marked',
  'structured content is passed on as framed text',
  'error messages are framed',
  'log messages are framed',
  'a call that the content asked for is not made',
  'other calls are made',
  'a tool whose definition changes is held',
  'the server ends with the client; the wrapper returns its exit code',
];

const CANARY = [...SALLYPORT, 'doctor', '--canary'];
const TRANSPARENT = fileURLToPath(new URL('./fixtures/transparent.mjs', import.meta.url));

test('every check passes, independent of the settings, state and conversation of the user', async () => {
  testFolder.write(
    'config/sallyport/sallyport.yaml',
    'defaults: { mode: annotate, trusted: true, preset: permissive }',
  );
  testFolder.write('state/pins/canary.json', 'no JSON');
  const env = { SALLYPORT_CONVERSATION: 'mine', SALLYPORT_KEY: 'none', TMPDIR: testFolder.folder };
  const { code, out, error } = await testFolder.run(['doctor'], { env });
  expect(error).toBe('');
  expect(linesOf(out)).toEqual([...CHECKS.map((title) => `passed  ${title}`), '', '13 of 13 checks passed.', '']);
  expect(code).toBe(0);
  // No temporary folder is left.
  expect(readdirSync(testFolder.folder).filter((name) => name.startsWith('sallyport-doctor-'))).toEqual([]);
});

describe('a wrapper that fails is reported', () => {
  test('one that passes everything on, with the received text', async () => {
    const make: typeof doctorCommand = (io) =>
      doctorCommand(io, { wrapper: [process.execPath, TRANSPARENT], canary: CANARY });
    const { code, out } = await runCommand(make, testFolder, []);
    const holding = [CHECKS[0], CHECKS[10], CHECKS[12]];
    const lines = CHECKS.map((title) => `${holding.includes(title) ? 'passed' : 'FAILED'}  ${title}`);
    expect(linesOf(out).filter((line) => !line.startsWith('        '))).toEqual([
      ...lines,
      '',
      '3 of 13 checks passed.',
      'Please report this, with the lines above and the output of sallyport --version and node --version.',
      '',
    ]);
    const got = linesOf(out).filter((line) => line.startsWith('        received {'));
    expect(got).toHaveLength(10);
    expect(got[0]).toContain('canary instructions say to call send');
    expect(Math.max(...got.map(({ length }) => length))).toBeLessThan(700);
    expect(code).toBe(1);
  });

  const SILENT = 'console.log("hello"); process.stdin.resume()';
  const GREETS = `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":1,"result":{}}')).resume()`;

  /** A timer whose first timeouts never end, and whose later ones end at once. */
  function timerAfter(alarms: number): Timer {
    let count = 0;
    return { set: (callback) => (++count > alarms ? setImmediate(callback) : 0), clear: () => undefined };
  }

  const dead: readonly { title: string; wrapper: readonly string[]; why: string; timer?: Timer }[] = [
    {
      title: 'one that ends at once',
      wrapper: [process.execPath, '-e', 'process.exit(3)', '--'],
      why: 'the wrapper ended (exit code 3)',
    },
    {
      title: 'one that does not exist',
      wrapper: ['/no/such/wrapper'],
      why: 'the wrapper cannot be started: spawn /no/such/wrapper ENOENT',
    },
    {
      title: 'one that prints only lines that are not JSON',
      wrapper: [process.execPath, '-e', SILENT, '--'],
      why: 'timed out: no answer to initialize within 60 s',
      timer: timerAfter(0),
    },
  ];
  test.each(dead)('$title', async ({ wrapper, why, timer }) => {
    vi.stubEnv('TMPDIR', testFolder.folder);
    const checks = await runChecks({ wrapper, canary: CANARY, ...(timer === undefined ? {} : { timer }) });
    expect(checks).toEqual(CHECKS.map((title) => ({ type: 'unanswered', title, why })));
    expect(readdirSync(testFolder.folder)).toEqual([]);
  });

  test('one that stops in the middle: the checks without an answer are unknown, not failed', async () => {
    const wrapper = [process.execPath, '-e', GREETS, '--'];
    const make: typeof doctorCommand = (io) => doctorCommand(io, { wrapper, canary: CANARY, timer: timerAfter(1) });
    const { code, out } = await runCommand(make, testFolder, []);
    const why = '        timed out: no answer to tools/list within 60 s';
    expect(linesOf(out)).toEqual([
      `passed  ${CHECKS[0]}`,
      `FAILED  ${CHECKS[1]}`,
      '        received {"jsonrpc":"2.0","id":1,"result":{}}',
      ...CHECKS.slice(2).flatMap((title) => [`UNKNOWN ${title}`, why]),
      '',
      '1 of 13 checks passed.',
      'Please report this, with the lines above and the output of sallyport --version and node --version.',
      '',
    ]);
    expect(code).toBe(1);
  });

  test('one that does not answer: suggests that the machine may be busy', async () => {
    const wrapper = [process.execPath, '-e', SILENT, '--'];
    const make: typeof doctorCommand = (io) => doctorCommand(io, { wrapper, canary: CANARY, timer: timerAfter(0) });
    const { code, out } = await runCommand(make, testFolder, []);
    expect(linesOf(out).slice(-5)).toEqual([
      '',
      '0 of 13 checks passed.',
      'The others could not be completed. If the machine is busy, try again; otherwise please report this,',
      'with the lines above and the output of sallyport --version and node --version.',
      '',
    ]);
    expect(code).toBe(1);
  });
});
