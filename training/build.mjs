// Compiles the training, which runs the classifier's own sources, and loads parts of it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, runNode } from '../tools/command.mjs';

/** Returns a loader of compiled modules by their path without extension. */
export async function buildTraining() {
  for (const args of [
    ['-b', 'packages/core'],
    ['-p', 'training/tsconfig.json'],
  ]) {
    const { code, output } = await runNode('node_modules/typescript/bin/tsc', args);
    if (code !== 0) fail(`the training does not compile:\n${output}`, 'run npm run typecheck');
  }
  return (...path) => import(pathToFileURL(`${join(root, '.train', ...path)}.js`).href);
}
