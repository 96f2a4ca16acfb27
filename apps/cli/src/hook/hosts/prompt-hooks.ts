import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folders of a project that may hold hooks of Copilot CLI, and the names of the files. */
const FOLDERS = [
  ['.github/hooks', /\.json$/],
  ['.github/copilot', /^settings.*\.json$/],
  ['.claude', /^settings.*\.json$/],
] as const;

function filesIn(folder: string, name: RegExp): readonly string[] {
  try {
    return readdirSync(folder).flatMap((each) => (name.test(each) ? [join(folder, each)] : []));
  } catch {
    // Most projects have none.
    return [];
  }
}

/** The project's folder, or the given one. */
function projectOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (dirname(each) === each) return folder;
  }
}

/** The values of `prompt` anywhere in a JSON value. */
function promptsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === 'prompt' ? [each] : promptsIn(each)));
}

function promptsOfFile(path: string): readonly unknown[] {
  try {
    return promptsIn(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Copilot CLI does not run what it cannot read.
    return [];
  }
}

/** Recognizes a prompt that a hook of the project submits, as if the user had typed it. */
export function isOfProject(prompt: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const project = projectOf(folder);
  const paths = FOLDERS.flatMap(([path, name]) => filesIn(join(project, path), name));
  return paths.flatMap(promptsOfFile).some((each) => typeof each === 'string' && each.trim() === prompt.trim());
}
