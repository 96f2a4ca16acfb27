import { Disk } from '../guarded/real-path.ts';

/** VS Code and Cursor write a folder of Windows as in a URL. */
function realPath(folder: string): string {
  return new Disk().realPath(folder.replace(/^\/(?=[a-z]:)/i, ''));
}

/** A folder as seen from a project, if it is another one. Hosts spell the same folder in several ways: `/tmp/p`, `/private/tmp/p/`. */
export function placeIn(project: string | undefined, folder: string | undefined): string | undefined {
  if (project === undefined || folder === undefined || folder === '' || folder === project) return undefined;
  const [base, real] = [realPath(project), realPath(folder)];
  if (real === base) return undefined;
  const rest = real.startsWith(base) ? real.slice(base.length) : '';
  return /^[\\/]/.test(rest) ? `${project.replace(/[\\/]+$/, '')}${rest}` : folder;
}
