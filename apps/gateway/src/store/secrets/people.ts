import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { Scope } from './keys.ts';

/** Someone who has logged in, or who has a valid key. */
export interface Person {
  /** The principal of their login, such as `sub:ada`, or the person of their keys. */
  readonly principal: string;
  /** Their last login, and what it allowed. */
  readonly login?: { readonly at: Date; readonly scopes: readonly Scope[] };
  /** Sessions that have not ended. */
  readonly sessions: number;
  /** Valid keys, and what they allow in total. */
  readonly keys: number;
  readonly keyScopes: readonly Scope[];
  readonly groups: readonly string[];
}

const MAX_PEOPLE = 1000;

interface PersonRow {
  readonly principal: string;
  readonly login_scopes: Scope[] | null;
  readonly logged_in_at: Date | null;
  readonly sessions: number;
  readonly keys: number;
  readonly key_scopes: Scope[] | null;
  readonly groups: string[] | null;
}

function personOf({ principal, login_scopes: scopes, logged_in_at: at, sessions, keys, ...row }: PersonRow): Person {
  return {
    principal,
    ...(at === null || scopes === null ? {} : { login: { at, scopes } }),
    sessions,
    keys,
    keyScopes: row.key_scopes ?? [],
    groups: row.groups ?? [],
  };
}

/**
 * A doubt about the person that a key is made for; undefined if they have logged in to the workspace. Throws if no
 * login can match the person, although people log in there.
 */
export async function doubtAbout(
  database: Database,
  workspace: { readonly id: string; readonly name: string },
  person: string,
): Promise<string | undefined> {
  const [row] = await database.inWorkspace(
    workspace.id,
    (sql) => sql<{ is_known: boolean | null; has_people: boolean }[]>`
      select bool_or(principal = ${person}) as is_known, count(*) > 0 as has_people
        from people where workspace_id = ${workspace.id}`,
  );
  if (row?.is_known === true) return undefined;
  if (person.startsWith('sub:'))
    return `${person} has not logged in to ${workspace.name}: the name must be exactly "sub:" and the claim \`sub\` of their login. GET /api/v1/people lists who has logged in.`;
  if (row?.has_people === true)
    throw new StoreError(
      'invalid',
      `\`person\` must begin with "sub:" where people log in, and is ${JSON.stringify(person)}: take the name from GET /api/v1/people.`,
    );
  return `no login matches ${person}, only other keys with the same \`person\`: if people will log in to ${workspace.name}, make the key again with "sub:" and the claim \`sub\` of their login.`;
}

/** The people of a workspace, sorted by name. */
export async function listPeople(database: Database, workspace: string): Promise<readonly Person[]> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<PersonRow[]>`
      with valid as (
        select coalesce(person, principal) as name, scopes, groups from keys
          where workspace_id = ${workspace} and revoked_at is null and (expires_at is null or expires_at > now())
      ), holders as (
        select name, count(*)::int as keys,
            (select array_agg(distinct scope order by scope) from valid own, unnest(own.scopes) scope where own.name = valid.name) as scopes,
            (select array_agg(distinct member order by member) from valid own, unnest(own.groups) member where own.name = valid.name) as groups
          from valid group by name
      ), sessions as (
        select principal, count(*)::int as count from logins
          where workspace_id = ${workspace} and expires_at > now() group by principal
      )
      select coalesce(people.principal, holders.name) as principal, people.scopes as login_scopes, people.logged_in_at,
          coalesce(sessions.count, 0) as sessions, coalesce(holders.keys, 0) as keys, holders.scopes as key_scopes, holders.groups
        from (select * from people where workspace_id = ${workspace}) people
        full join holders on holders.name = people.principal
        left join sessions on sessions.principal = people.principal
        order by 1 limit ${MAX_PEOPLE}`,
  );
  return rows.map(personOf);
}
