import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typescriptOptions } from '../../../../tools/command.mjs';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { POLICY } from '../properties/attacker.ts';
import { playMany, renderedDigest } from './restart/conversations.ts';

const COUNT = Number(process.env.SALLYPORT_RUNS ?? 250);
const folder = mkdtempSync(join(tmpdir(), 'sallyport-restart-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('random conversations', () => {
  let conversations: readonly Conversation[];
  let stored: string;
  beforeAll(async () => {
    conversations = await playMany(COUNT, 20_261_115);
    stored = JSON.stringify(conversations.map((conversation) => conversation.snapshot()));
  });

  test('store no frame and no nonce', async () => {
    let nonces = 0;
    for (const conversation of conversations) {
      const { text } = await conversation.request({ policy: POLICY });
      for (const [, nonce] of text.matchAll(/<[a-z_]+ ([a-z]+(?: [a-z]+){3})[ >]/g)) {
        nonces++;
        expect(stored.includes(nonce as string)).toBe(false);
      }
    }
    expect(nonces).toBeGreaterThan(COUNT);
  });

  test('render to the same bytes in another process', async () => {
    const file = join(folder, 'snapshots.json');
    writeFileSync(file, stored);
    const child = fileURLToPath(new URL('./restart/child.ts', import.meta.url));
    const output = execFileSync(process.execPath, [...typescriptOptions, child, file], { encoding: 'utf8' });
    const expected = await Promise.all(conversations.map(renderedDigest));
    expect(JSON.parse(output)).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(COUNT / 2);
  });
});
