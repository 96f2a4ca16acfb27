import type { Planned } from '../plan.ts';
import { load } from '../store.ts';
import type { Found, Problem, Survey } from '../survey.ts';
import type { HookLocation } from './locations.ts';
import { type HookPlanOptions, planHooks } from './plan.ts';

/** A file whose servers were planned already, with its hooks too. */
function joined({ planned: servers }: Found, hooks: Planned): Planned {
  const sum = (name: 'before' | 'after'): number => servers.wrapped[name] + hooks.wrapped[name];
  return {
    ...hooks,
    text: servers.text,
    outcomes: [...servers.outcomes, ...hooks.outcomes],
    masked: { before: servers.masked.before, after: hooks.masked.after },
    wrapped: { before: sum('before'), after: sum('after') },
  };
}

type Options = Omit<HookPlanOptions, 'tables'>;

/** The file of one host with its hooks, in place of what was planned for its servers. Undefined if there is nothing to do. */
async function foundHooks(
  location: HookLocation,
  found: readonly Found[],
  options: Options,
): Promise<Found | Problem | undefined> {
  const loaded = await load(location.path);
  const problem = { path: location.path, line: undefined };
  if (location.tooOld !== undefined && options.action === 'wrap') return { ...problem, reason: location.tooOld };
  if (loaded.type === 'unreadable') return { ...problem, reason: loaded.reason };
  if (loaded.type === 'absent' && options.action === 'unwrap') return undefined;
  const path = loaded.type === 'loaded' ? loaded.path : location.path;
  const servers = found.find((each) => each.path === path);
  const text = servers?.planned.after ?? (loaded.type === 'loaded' ? loaded.text : undefined);
  const planned = planHooks(text, location.host, { ...options, tables: servers?.location.tables ?? [] });
  if (planned.type === 'malformed') return { ...problem, line: planned.line, reason: planned.reason };
  const whole = { ...planned, after: planned.after ?? '' };
  const file = loaded.type === 'absent' ? 'created' : planned.after === undefined ? 'deleted' : 'changed';
  return servers === undefined
    ? { location, path, planned: whole, file }
    : { ...servers, planned: joined(servers, whole), file };
}

/** Adds the hooks of each host to what is planned for servers: a file may have both. */
export async function surveyHooks(
  survey: Survey,
  locations: readonly HookLocation[],
  options: Options,
): Promise<Survey> {
  const found = [...survey.found];
  const problems = [...survey.problems];
  for (const location of locations) {
    const each = await foundHooks(location, found, options);
    // A file that cannot be read may be reported with its servers.
    if (each === undefined || problems.some(({ path }) => path === location.path)) continue;
    if (!('planned' in each)) problems.push(each);
    else found.splice(indexOf(found, each), 1, each);
  }
  return { found, problems };
}

/** Where a file is in the list, or its end. */
function indexOf(found: readonly Found[], { path }: Found): number {
  const index = found.findIndex((each) => each.path === path);
  return index < 0 ? found.length : index;
}
