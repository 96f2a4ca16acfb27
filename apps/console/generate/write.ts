// Writes the types of the gateway's API and core's tables into src/api: npm run generate. With --check it writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

const stale: string[] = [];
for (const [name, text] of Object.entries(await generatedFiles())) {
  const file = new URL(`../src/api/${name}`, import.meta.url);
  if (readFileSync(file, 'utf8') === text) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`error: ${stale.join(' and ')} of apps/console/src/api are out of date`);
  console.error(' next: run npm run generate -w @sallyport/console');
  process.exit(1);
}
console.log(stale.length === 0 ? 'OK - the generated files are current' : `written: ${stale.join(', ')}`);
