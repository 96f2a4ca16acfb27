import type { ConfigLocation } from './config/clients.ts';
import { type Planned, type PlanOptions, plan, syntaxOf } from './plan.ts';
import { load } from './store.ts';

/** An existing configuration and its planned change. */
export interface Found {
  readonly location: ConfigLocation;
  /** The path after following symbolic links. */
  readonly path: string;
  readonly planned: Planned;
  /** The change of the file itself. @default 'changed' */
  readonly file?: 'changed' | 'created' | 'deleted';
}

export interface Problem {
  readonly path: string;
  readonly line: number | undefined;
  readonly reason: string;
}

export interface Survey {
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
}

/** Reads every existing configuration once, and plans its change. */
export async function survey(
  locations: readonly ConfigLocation[],
  options: Pick<PlanOptions, 'action' | 'launcher'> & { readonly shared: PlanOptions['launcher'] },
): Promise<Survey> {
  const found: Found[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const location of locations) {
    const loaded = await load(location.path);
    if (loaded.type === 'unreadable') problems.push({ path: location.path, line: undefined, reason: loaded.reason });
    if (loaded.type === 'absent' && location.client === 'file')
      problems.push({ path: location.path, line: undefined, reason: 'the file does not exist' });
    // Two locations may be the same file: the project may be the home folder, or one may be a link to the other.
    if (loaded.type !== 'loaded' || seen.has(loaded.path)) continue;
    seen.add(loaded.path);
    const syntax = syntaxOf(location.path, loaded.text);
    const launcher = location.isShared ? options.shared : options.launcher;
    const planned = plan(loaded.text, syntax, { action: options.action, launcher, tables: location.tables });
    if (planned.type === 'planned') found.push({ location, path: loaded.path, planned });
    else problems.push({ path: location.path, line: planned.line, reason: planned.reason });
  }
  return { found, problems };
}
