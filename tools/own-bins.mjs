// The aliases of Node 20, 22 and 24 and of TypeScript 5.4 have programs named `node` and `tsc`, and npm links the one it
// installed last. Without this program, `npm test` could run on another Node than the caller's, and `tsc` be the old compiler.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, root } from './command.mjs';

readOptions(`
Removes \`node\` from node_modules/.bin, and links \`tsc\` there to the main TypeScript. npm runs this after an install.

  node tools/own-bins.mjs
`);

const bin = join(root, 'node_modules', '.bin');
if (existsSync(bin) && process.platform !== 'win32') {
  for (const name of ['node', 'tsc']) rmSync(join(bin, name), { force: true });
  symlinkSync('../typescript/bin/tsc', join(bin, 'tsc'));
}
