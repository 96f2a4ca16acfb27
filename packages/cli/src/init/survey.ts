import type { Place } from './config/clients.ts';
import { type Planned, type PlanOptions, plan, syntaxOf } from './plan.ts';
import { load } from './store.ts';

/** A configuration that is there, and what is to be done with it. */
export interface Found {
  readonly place: Place;
  /** Where it lies once links are followed. */
  readonly path: string;
  readonly planned: Planned;
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

/** Reads every configuration that is there, each once, and plans the change of each. */
export async function survey(
  places: readonly Place[],
  options: Pick<PlanOptions, 'action' | 'launcher'>,
): Promise<Survey> {
  const found: Found[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const place of places) {
    const loaded = await load(place.path);
    if (loaded.type === 'unreadable') problems.push({ path: place.path, line: undefined, reason: loaded.reason });
    if (loaded.type === 'absent' && place.client === 'file')
      problems.push({ path: place.path, line: undefined, reason: 'there is no such file' });
    // Two places may lead to one file: the project may be the home folder, or one may be a link to the other.
    if (loaded.type !== 'loaded' || seen.has(loaded.path)) continue;
    seen.add(loaded.path);
    const syntax = syntaxOf(place.path, loaded.text);
    const planned = plan(loaded.text, syntax, { ...options, tables: place.tables });
    if (planned.type === 'planned') found.push({ place, path: loaded.path, planned });
    else problems.push({ path: place.path, line: planned.line, reason: planned.reason });
  }
  return { found, problems };
}
