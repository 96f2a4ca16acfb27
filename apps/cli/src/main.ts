#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

/** Hooks run on every tool call of an agent, so they load nothing else. False if this is another command. */
async function isHookDone([command, ...words]: readonly string[]): Promise<boolean> {
  if (command !== 'hook') return false;
  const { readHookCommand, runHook } = await import('./hook/run.ts');
  const hook = readHookCommand(words);
  if (hook !== undefined) await runHook(hook);
  return hook !== undefined;
}

/** No `await` outside of a function: build.mjs makes a CommonJS file of this, which Node.js loads in less time. */
async function main(): Promise<void> {
  if (!(await isHookDone(process.argv.slice(2))))
    await (await import('./program.ts')).runMain(fileURLToPath(import.meta.url));
}

void main();
