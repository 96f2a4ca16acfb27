// Keeps the unreleased section of CHANGELOG.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { readNotes, withUnreleased } from './change-notes.mjs';

const options = readOptions(
  `
Compares the unreleased section of CHANGELOG.md with the notes in .changeset. npm run release:version makes a version of it.

  node tools/release/changelog.mjs          exit 1 when they differ
  node tools/release/changelog.mjs --write  writes the section
`,
  { write: { type: 'boolean' } },
);

const file = join(root, 'CHANGELOG.md');
const notes = readNotes();
const written = readFileSync(file, 'utf8');
const updated = withUnreleased(written, notes);
if (options.write) writeFileSync(file, updated);
else if (updated !== written)
  fail('CHANGELOG.md differs from .changeset', 'run node tools/release/changelog.mjs --write, and commit the file');
console.log(`OK - ${notes.length} unreleased changes`);
