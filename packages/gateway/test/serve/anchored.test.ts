import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualTime } from '../../../core/test/fixture/time.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation } from '../fixture/replica.ts';

const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'sallyport-anchored-'));
const installation = await Installation.make();
afterAll(async () => {
  await installation.drop();
  rmSync(folder, { recursive: true });
});

test('a replica that cannot write its anchors is not ready, and its log names the file and what to do', async () => {
  const path = join(folder, 'anchors.jsonl');
  const time = new ManualTime();
  const replica = await installation.start({ environment: { SALLYPORT_ANCHORS: path }, timer: time.timer });
  const ready = (): Promise<Response> => fetch(`${replica.origin}/ready`);
  await installation.key(await installation.workspace('acme'));
  expect((await ready()).status).toBe(200);
  // A folder in place of the file fails for every user, also for root.
  mkdirSync(path);
  time.advance(MINUTE);
  await eventually(async () => expect((await ready()).status).toBe(503));
  const body = await (await ready()).text();
  expect([body.includes('The anchors of the audit cannot be written.'), body.includes(path)]).toEqual([true, false]);
  const line = installation.lines.find((each) => each.includes(path));
  expect(line).toContain('cannot be written (EISDIR): let the user that runs the gateway write to it');
  rmdirSync(path);
  time.advance(MINUTE);
  await eventually(async () => expect((await ready()).status).toBe(200));
  expect(readFileSync(path, 'utf8')).toContain('"kind":"head"');
});
