import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that name the packages, the hosts and the remotes which a project has anyway. */
const FILES =
  '.git/config package.json requirements.txt pyproject.toml go.mod Cargo.toml Gemfile composer.json pom.xml build.gradle build.gradle.kts Package.swift mix.exs Dockerfile .npmrc'.split(
    ' ',
  );
const MAX_BYTES = 200_000;

/** The owner and the name of the repository that a project is a clone of, as forges write them. */
export function repositoryOf(folder: string | undefined): string | undefined {
  const [config = ''] = folder === undefined ? [] : textsIn(folder, ['.git/config']);
  return /\burl *= *\S*?([\w.-]+\/[\w.-]+?)(?:\.git)?\s/.exec(config)?.[1]?.toLowerCase();
}

/** The files in which a project says what it uses, at the start of a session. */
export function filesOfProject(folder: string | undefined): readonly ProjectFile[] {
  if (folder === undefined) return [];
  return FILES.flatMap((name) => textsIn(folder, [name]).map((text) => ({ path: join(folder, name), text })));
}

/** A file of a project, with what it says. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

function textsIn(folder: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const path = join(folder, name);
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      // A link in a repository may lead to a device, which never ends.
      return stats?.isFile() === true && stats.size <= MAX_BYTES ? [readFileSync(path, 'utf8')] : [];
    } catch {
      // It cannot be read, so it makes nothing known.
      return [];
    }
  });
}
