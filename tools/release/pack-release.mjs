// Packs what is published, and does nothing else: only tsc and npm run between the checkout and the tarballs.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fail, readOptions } from '../command.mjs';
import { build, pack, publicPackages } from './packages.mjs';

const options = readOptions(
  `
Builds from scratch, packs every public package and prints the SHA-256 sum of each tarball. npm run check -- pack checks copies
of them. Meant for the release workflow.

  node tools/release/pack-release.mjs --out folder                            pack into an empty folder
  node tools/release/pack-release.mjs --out folder --output "$GITHUB_OUTPUT"  and append sums=... to a file, for tools/release/publish.mjs
`,
  { out: { type: 'string' }, output: { type: 'string' } },
);
if (options.out === undefined) fail('--out is required', 'see --help', 2);

const folder = resolve(options.out);
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty`, 'name another folder', 2);
mkdirSync(folder, { recursive: true });
await build();
const sums = [];
for (const { dir } of publicPackages()) {
  const { file } = await pack(dir, folder);
  sums.push(`${basename(file)}:${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
}
if (options.output !== undefined) appendFileSync(options.output, `sums=${sums.join(' ')}\n`);
for (const sum of sums) console.log(sum);
console.log(`OK - ${sums.length} packages are packed in ${folder}`);
