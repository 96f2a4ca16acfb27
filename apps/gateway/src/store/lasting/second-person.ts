import type postgres from 'postgres';

/** A key that may be of any person who logs in. */
interface LooseKey {
  readonly id: string;
  readonly label: string;
  readonly principal: string;
  readonly person: string | null;
  readonly hasEnded: boolean;
}

/** The possible authors of a held call, compared with the person who answers it. */
export interface PersonsRow {
  readonly second_person: boolean;
  /** Null unless the call needs a second person and it is known who answers. */
  readonly are_apart: boolean | null;
  readonly are_same: boolean | null;
  readonly loose: readonly LooseKey[] | null;
}

/** The columns of a `PersonsRow`, selected from `approvals`. */
export function personsOf(sql: postgres.TransactionSql, by: string | null): postgres.PendingQuery<postgres.Row[]> {
  const asker = sql`persons_of(approvals.workspace_id, approvals.principal, asked_at)`;
  const other = sql`persons_of(approvals.workspace_id, ${by}, asked_at)`;
  return sql`second_person,
    case when second_person and ${by}::text is not null then are_apart(${asker}, ${other}) end as are_apart,
    case when second_person and ${by}::text is not null then ${asker} && ${other} end as are_same,
    case when second_person and ${by}::text is not null then (
      select json_agg(json_build_object('id', one.public_id, 'label', one.label, 'principal', one.principal, 'person', one.person,
          'hasEnded', coalesce(least(one.expires_at, one.revoked_at) <= now(), false)) order by one.made_at)
        from keys one where one.workspace_id = approvals.workspace_id and one.principal in (approvals.principal, ${by})
          and not starts_with(one.principal, 'sub:') and not starts_with(coalesce(one.person, one.principal), 'sub:')
          and coalesce(least(one.expires_at, one.revoked_at) > asked_at, true)) end as loose`;
}

const RULE = 'The policy lets only a second person answer this call';

function adviceFor(keys: readonly LooseKey[], { id, label, principal, person, hasEnded }: LooseKey): string {
  const names = person === null ? 'names no person' : `names ${person} in place of a login such as sub:ada`;
  const more = keys.length === 1 ? '' : ` (and ${keys.length - 1} more)`;
  const next = hasEnded
    ? 'it was valid when the call was held. Calls that are held from now on can be answered.'
    : 'revoke it, or revoke it and make it again with --person. Calls that are held after that can be answered.';
  return `the key ${id} ("${label}") of ${principal} ${names}${more}: ${next}`;
}

/** Why a held call may not be answered by a person, and what to do; undefined if it may. `of`: the only principal they may answer for. */
export function whyRefused(
  { second_person: needsOther, are_apart: isOther, are_same: isSame, loose }: PersonsRow,
  of: string | null,
): string | undefined {
  if (!needsOther) return undefined;
  if (of !== null) return `${RULE}, with the scope approve:any.`;
  if (isOther === true) return undefined;
  const keys = loose ?? [];
  const first = keys.find(({ hasEnded }) => !hasEnded) ?? keys[0];
  if (isSame === true || first === undefined)
    return `${RULE}: not by a key or a login that may be of the person who called. A key is of the \`person\` that it was made with.`;
  return `${RULE}, and who called may be you: ${adviceFor(keys, first)}`;
}
