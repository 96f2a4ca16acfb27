import { afterEach, beforeEach, expect, test } from 'vitest';
import { Machine } from './shell.ts';

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.remove());

test('a block runs to its end, and the next one knows its variables', async () => {
  const shell = machine.shell();
  await shell.run('name=Ann; false');
  const { output, failed } = await shell.run('echo "Hi $name"');
  expect([output, failed]).toEqual(['Hi Ann\n', []]);
});

test.each([
  { block: 'echo before; exit 3', expected: 'the shell ended (3): before' },
  { block: 'echo before; kill -9 $$', expected: 'the shell ended (SIGKILL): before' },
])('a shell that ends is reported with what it has printed: $block', async ({ block, expected }) => {
  await expect(machine.shell().run(block)).rejects.toThrow(expected);
  await expect(machine.shell().runUntil(block, 'after')).rejects.toThrow(expected);
});
