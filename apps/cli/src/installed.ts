import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** The version of this program. */
export const version: string = manifest.version;

/** The file that the local process is started from. It is named here, because build.mjs moves files of subfolders. */
export const MAIN: string = fileURLToPath(new URL('./main.js', import.meta.url));
