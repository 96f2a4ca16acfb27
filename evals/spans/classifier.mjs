// Loads the built classifier for the evals. It is compiled first, so that no old build is measured.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, runNode } from '../../tools/command.mjs';

/**
 * Compiles @sallyport/classifier and loads modules of it by name.
 * @param {...string} names
 */
export async function loadClassifier(...names) {
  const { code, output } = await runNode('node_modules/typescript/bin/tsc', ['-b', 'packages/classifier']);
  if (code !== 0) fail(`the classifier does not compile:\n${output}`, 'run npm run typecheck', 2);
  const directory = join(root, 'packages', 'classifier', 'dist');
  return Promise.all(names.map((name) => import(pathToFileURL(join(directory, `${name}.js`)).href)));
}
