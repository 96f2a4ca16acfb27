// Joins what a hook loads into one file, dist/main.cjs. Hooks run on every tool call of an agent, and it took Node.js longer to load
// thirteen modules than to ask the local process. A CommonJS file is loaded in less time than a module. `import.meta.url` is that of the
// joined file, so only files in src itself may use it.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What other commands load, or a hook that has to decide by itself. */
const LATER = ['program', 'hook/sessions', 'hook/session-log'];

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: ['dist/main.js'],
  outfile: 'dist/main.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
  external: LATER.map((name) => `./dist/${name}.js`),
  banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'ownUrl' },
});
