import { refuse, requireOption, shown } from './option.ts';

/** The part of Node, Bun and Deno that reads a file. It is looked up when needed, so that a browser bundle does not import it. */
interface Platform {
  readonly process?: { getBuiltinModule?(name: 'node:fs'): { readFileSync(path: string, encoding: 'utf8'): string } };
}

/** The parsed content of a JSON file. */
export function readJsonFile(path: string): unknown {
  const files = (globalThis as Platform).process?.getBuiltinModule?.('node:fs');
  requireOption(
    files !== undefined,
    `This platform cannot read the file ${shown(path)}; pass its content instead of its path.`,
  );
  try {
    return JSON.parse(files.readFileSync(path, 'utf8'));
  } catch (cause) {
    return refuse(`The file ${shown(path)} must be readable and hold JSON; see the cause.`, cause);
  }
}
