import { refuse, requireOption } from './option.ts';

/** The part of Node, Bun and Deno that reads a file. It is asked for when needed, so that a browser bundle never is. */
interface Platform {
  readonly process?: { getBuiltinModule?(name: 'node:fs'): { readFileSync(path: string, encoding: 'utf8'): string } };
}

/** The parsed content of a JSON file. */
export function readJsonFile(path: string): unknown {
  const files = (globalThis as Platform).process?.getBuiltinModule?.('node:fs');
  requireOption(files !== undefined, `${path} cannot be read here: give its content instead of its path.`);
  try {
    return JSON.parse(files.readFileSync(path, 'utf8'));
  } catch (cause) {
    return refuse(`${path} cannot be read as JSON.`, cause);
  }
}
