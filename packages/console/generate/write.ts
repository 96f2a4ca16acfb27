// Writes the types of the gateway's API and core's tables into src/api: npm run generate
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

for (const [name, text] of Object.entries(await generatedFiles()))
  writeFileSync(new URL(`../src/api/${name}`, import.meta.url), text);
