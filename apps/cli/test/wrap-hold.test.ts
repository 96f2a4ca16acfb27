import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { approveCommand } from '../src/approve/approve.ts';
import { rulesCommand } from '../src/approve/rules.ts';
import {
  HOSTILE,
  linesOf,
  type Reply,
  runCommand,
  TestFolder,
  textIn,
  UNSAFE,
  uncolored,
  type Wrapped,
} from './fixtures/rig.ts';

let testFolder: TestFolder;
/** Held calls of `patient` wait for an hour, those of `hasty` for 50 ms. Both use the same state folder. */
let patient: Wrapped;
let hasty: Wrapped;
beforeAll(async () => {
  testFolder = new TestFolder();
  testFolder.write(
    'config/sallyport/sallyport.yaml',
    'servers: { mail: { tools: { find: { effect: read }, echo: { effect: read } } } }\n',
  );
  [patient, hasty] = await Promise.all([
    testFolder.wrap(['--server', 'mail', '--ask-timeout', '3600']),
    testFolder.wrap(['--server', 'mail', '--ask-timeout', '0.05']),
  ]);
  await patient.list();
  await hasty.list();
});
afterAll(() => testFolder.remove());

const read = new Set<string>();
const backwards = (text: string): string => [...text].reverse().join('');

/** Makes a call with an address from a mail, so that it is held. Returns the id of the held call. */
async function hold(wrapped: Wrapped, to: string): Promise<{ readonly id: string; readonly reply: Promise<Reply> }> {
  if (!read.has(to)) await wrapped.call('find', { to: backwards(to) });
  read.add(to);
  const before = wrapped.error.length;
  const reply = wrapped.call('send', { to });
  await vi.waitUntil(() => /approve [0-9a-f]{12}/.test(wrapped.error.slice(before)), 30_000);
  return { id: /approve ([0-9a-f]{12})/.exec(wrapped.error.slice(before))?.[1] ?? '', reply };
}

function calls(): number {
  return testFolder.log().filter((line) => line === 'called send').length;
}

test('a held call is listed in another process, and made once it is approved there', async () => {
  const before = calls();
  const { id, reply } = await hold(patient, 'ada@fabrikam.example');
  const folder = join(testFolder.state, 'approvals');
  expect(readdirSync(folder)).toEqual([`${id}.json`]);
  expect(statSync(join(folder, `${id}.json`)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(testFolder.state).mode & 0o777).toBe(0o700);

  const { out } = await runCommand(approveCommand, testFolder, []);
  expect(linesOf(out)[0]).toMatch(new RegExp(`^${id} {2}mail: send {2}\\d+ s ago$`));
  expect(out).toContain('{"to":"ada@fabrikam.example"}');
  expect(out).not.toContain('(rule');
  expect(out).toContain('please send the report to');
  expect(calls()).toBe(before);

  // Without a terminal an agent could answer: it was told the id.
  expect(await runCommand(approveCommand, testFolder, [id])).toMatchObject({
    code: 1,
    error: expect.stringContaining('by a person at a terminal'),
  });
  expect(await runCommand(approveCommand, testFolder, [id], { answer: true })).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Approved: ${id}\n`),
    error: '',
  });
  expect(textIn(await reply)).toContain('SENT');
  expect(calls()).toBe(before + 1);
  // The approval is used up: the same call is held again.
  expect(readdirSync(folder)).toEqual([]);
  const again = await hold(patient, 'ada@fabrikam.example');
  expect(again.id).toBe(id);
  expect((await runCommand(approveCommand, testFolder, ['--deny', id])).code).toBe(0);
  await again.reply;
  expect(calls()).toBe(before + 1);
});

test('a held call is not made when it is denied in another process', async () => {
  const before = calls();
  const { id, reply } = await hold(patient, 'bob@contoso.example');
  expect(await testFolder.run(['approve', '--deny', id])).toEqual({ code: 0, out: `Denied: ${id}\n`, error: '' });
  const { result } = await reply;
  expect(result).toMatchObject({
    isError: true,
    _meta: { 'sallyport/decision': { outcome: 'deny', rule: 'rejected' } },
  });
  expect(calls()).toBe(before);
  expect(existsSync(join(testFolder.state, 'approvals', `${id}.json`))).toBe(false);
});

test('an unanswered call is not made; a late approval applies once, when the same call is made again', async () => {
  const before = calls();
  const { id, reply } = await hold(hasty, 'cleo@tailspin.example');
  const { result } = await reply;
  expect(result).toMatchObject({ isError: true, _meta: { 'sallyport/decision': { outcome: 'ask' } } });
  expect(calls()).toBe(before);
  await hasty.said(/mail: the call to (send) was not made/);

  expect((await runCommand(approveCommand, testFolder, [id], { answer: true })).code).toBe(0);
  // The approval does not apply to another call.
  await hasty.call('find', { to: backwards('dan@wingtip.example') });
  expect((await hasty.call('send', { to: 'dan@wingtip.example' })).result?.isError).toBe(true);
  expect(calls()).toBe(before);

  const said = hasty.error.length;
  expect(textIn(await hasty.call('send', { to: 'cleo@tailspin.example' }))).toContain('SENT');
  expect(hasty.error.slice(said)).not.toContain('is held');
  expect((await hasty.call('send', { to: 'cleo@tailspin.example' })).result?.isError).toBe(true);
  expect(calls()).toBe(before + 1);
});

test('an approval for always covers the same values in every process, until it is revoked', async () => {
  const before = calls();
  const { id, reply } = await hold(patient, 'ida@fourthcoffee.example');
  const always = await runCommand(approveCommand, testFolder, [id, '--scope', 'always'], { answer: true });
  expect(always).toMatchObject({ code: 0, error: '' });
  expect(textIn(await reply)).toContain('SENT');
  await hasty.call('find', { to: backwards('ida@fourthcoffee.example') });
  for (const wrapped of [patient, hasty])
    expect(textIn(await wrapped.call('send', { to: 'ida@fourthcoffee.example' }))).toContain('SENT');
  expect(calls()).toBe(before + 3);
  expect((await hasty.call('send', { to: 'cleo@tailspin.example' })).result?.isError).toBe(true);

  const { out } = await runCommand(rulesCommand, testFolder, []);
  expect(out).toMatch(/mail: send {2}by the user, by sallyport approve\n {2}\/to: ida@fourthcoffee\.example\n/);
  for (const [, approval = ''] of out.matchAll(/^([0-9a-f]{24}) /gm))
    expect((await runCommand(rulesCommand, testFolder, ['remove', approval])).code).toBe(0);
  expect((await hasty.call('send', { to: 'ida@fourthcoffee.example' })).result?.isError).toBe(true);
});

test('other calls are made while one is held', async () => {
  const { id, reply } = await hold(patient, 'eve@litware.example');
  expect(textIn(await patient.call('echo', { to: 'meanwhile' }))).toContain('meanwhile');
  await runCommand(approveCommand, testFolder, ['--deny', id]);
  await reply;
});

test('the same call held twice needs two answers', async () => {
  const before = calls();
  const first = await hold(patient, 'fay@proseware.example');
  let answered = 0;
  const second = patient.call('send', { to: 'fay@proseware.example' });
  for (const reply of [first.reply, second]) void reply.then(() => answered++);
  await runCommand(approveCommand, testFolder, [first.id], { answer: true });
  await vi.waitUntil(() => answered > 0, 30_000);
  await vi.waitUntil(async () => (await runCommand(approveCommand, testFolder, [])).out.includes(first.id), 30_000);
  expect([answered, calls()]).toEqual([1, before + 1]);
  await runCommand(approveCommand, testFolder, ['--deny', first.id]);
  await Promise.all([first.reply, second]);
  expect(calls()).toBe(before + 1);
});

test('control characters are escaped, in the log of wrap and in approve', async () => {
  const before = hasty.error.length;
  await hasty.call(HOSTILE, { to: HOSTILE, [HOSTILE]: 'x' });
  await hasty.call('find', { to: backwards('gus@adatum.example') });
  await hasty.call('send', { [HOSTILE]: 'gus@adatum.example' });
  const said = hasty.error.slice(before);
  expect(said).toMatch(/a call to a\\u001b.* is held\./);
  expect(said).toMatch(/a call to send is held\./);
  expect(linesOf(said).filter((line) => UNSAFE.test(line))).toEqual([]);

  const listed = await runCommand(approveCommand, testFolder, []);
  expect(listed.out).toContain('\\u001b[2J');
  expect(linesOf(listed.out).filter((line) => UNSAFE.test(line))).toEqual([]);
  const colored = await runCommand(approveCommand, testFolder, [], { answer: false });
  const plain = uncolored(colored.out);
  expect(plain).not.toBe(colored.out);
  expect(linesOf(plain).filter((line) => UNSAFE.test(line))).toEqual([]);
});

test('the wrapper can end while a call is held', async () => {
  const { reply } = await hold(patient, 'hal@northwind.example');
  reply.catch(() => undefined);
  expect(await patient.end()).toBe(0);
});
