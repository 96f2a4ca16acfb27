// Harmless texts of 10 KB in twenty languages, from the training corpus.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/command.mjs';

const LANGUAGES = 'ar bn cs de es fr hi id it ja ko nl pl pt ru sv th tr uk zh'.split(' ');
const LENGTH = 10_000;

/** One text of each language. */
export function languages() {
  return LANGUAGES.map((language) => {
    const text = ['', '-hard', '-everyday']
      .map((suffix) => join(root, 'training', 'corpus', 'benign', `${language}${suffix}.txt`))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
      .replace(/^%% .*\n/gm, '');
    // Through a buffer, so that the string is flat.
    return Buffer.from(text.slice(0, LENGTH), 'utf16le').toString('utf16le');
  });
}
