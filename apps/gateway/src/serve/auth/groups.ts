import type { GroupRoles } from '../../operate/identity.ts';
import type { Scope } from '../../store/secrets/keys.ts';

const MAX_GROUPS = 10_000;

/** The groups in a claim: a list of names, or one name. */
export function groupsIn(value: unknown): readonly string[] {
  const names = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  return names.slice(0, MAX_GROUPS).filter((name): name is string => typeof name === 'string');
}

/** The scopes that groups give, by the name of the workspace. Groups without a role do not count. */
export function rolesOf(roles: GroupRoles, groups: readonly string[]): ReadonlyMap<string, ReadonlySet<Scope>> {
  const found = new Map<string, Set<Scope>>();
  for (const group of groups) {
    const role = Object.hasOwn(roles, group) ? roles[group] : undefined;
    if (role === undefined) continue;
    const scopes = found.get(role.workspace) ?? new Set();
    for (const scope of role.scopes) scopes.add(scope);
    found.set(role.workspace, scopes);
  }
  return found;
}
