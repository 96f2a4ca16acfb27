import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that name the packages, the hosts and the remotes which a project has anyway. */
const FILES =
  '.git/config package.json requirements.txt pyproject.toml go.mod Cargo.toml Gemfile composer.json pom.xml build.gradle build.gradle.kts Package.swift mix.exs Dockerfile .npmrc'.split(
    ' ',
  );
const MAX_BYTES = 200_000;

/** What a project says of itself at the start of a session, before anything else was read. */
export function textsOfProject(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  return FILES.flatMap((name) => {
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
