import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation } from '../fixture/replica.ts';

const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'sallyport-anchored-'));
const installation = await Installation.make();
afterAll(async () => {
  await installation.drop();
  rmSync(folder, { recursive: true });
});

test('a replica that cannot write its anchors is not ready, and its log names the folder and what to do', async () => {
  const path = join(folder, 'anchors');
  const time = new ManualTime();
  const replica = await installation.start({ environment: { SALLYPORT_ANCHORS: path }, timer: time.timer });
  const ready = (): Promise<Response> => fetch(`${replica.origin}/ready`);
  await installation.key(await installation.workspace('acme'));
  expect((await ready()).status).toBe(200);
  // A file in place of the folder fails for every user, also for root.
  rmdirSync(path);
  writeFileSync(path, '');
  time.advance(MINUTE);
  await eventually(async () => expect((await ready()).status).toBe(503));
  const metrics = await (await fetch(`${replica.origin}/metrics`)).text();
  expect(metrics).toMatch(/sallyport_ready\{part="database"\} 1\nsallyport_ready\{part="anchors"\} 0\n/);
  const body = await (await ready()).text();
  expect([body.includes('The anchors of the audit cannot be written.'), body.includes(path)]).toEqual([true, false]);
  const line = installation.lines.find((each) => each.includes(path));
  expect(line).toContain('(ENOTDIR): SALLYPORT_ANCHORS must be a folder');
  rmSync(path);
  mkdirSync(path);
  time.advance(MINUTE);
  await eventually(async () => expect((await ready()).status).toBe(200));
  expect(readFileSync(join(path, readdirSync(path)[0] ?? ''), 'utf8')).toContain('"heads":[["');
});
