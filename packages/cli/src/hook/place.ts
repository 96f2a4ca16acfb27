import { realpathSync } from 'node:fs';

function realPath(folder: string): string {
  // VS Code and Cursor write a folder of Windows as in a URL.
  const path = folder.replace(/^\/(?=[a-z]:)/i, '');
  try {
    return realpathSync(path);
  } catch {
    return path.replace(/(?<=.)[\\/]+$/, '');
  }
}

/** A folder as seen from a project, if it is another one. Hosts spell the same folder in several ways: `/tmp/p`, `/private/tmp/p/`. */
export function placeIn(project: string | undefined, folder: string | undefined): string | undefined {
  if (project === undefined || folder === undefined || folder === '' || folder === project) return undefined;
  const [base, real] = [realPath(project), realPath(folder)];
  if (real === base) return undefined;
  const rest = real.startsWith(base) ? real.slice(base.length) : '';
  return /^[\\/]/.test(rest) ? `${project.replace(/[\\/]+$/, '')}${rest}` : folder;
}
