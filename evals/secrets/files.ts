import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = /\.(?:md|txt|[cm]?[jt]sx?|json|map|ya?ml|lock|html|css)$/;

/** The texts below a folder. Links are left out: they are the packages of this repository. */
export function* filesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (entry.isFile() && TEXT.test(entry.name)) yield path;
  }
}
