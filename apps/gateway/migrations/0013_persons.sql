-- The person whose key it is. Null: not known, so the principal counts.
alter table keys add column person text;

-- Again, since its rows have one more column.
create or replace function find_key(id text) returns setof keys language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select * from sallyport.keys where public_id = id and revoked_at is null and (expires_at is null or expires_at > now());
end;

-- The persons who may have acted as a principal since a time. A login or a token is of its own subject; keys of one name may be of several persons.
create function persons_of(ws uuid, of_principal text, since timestamptz) returns text[] language sql stable
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select case when starts_with(of_principal, 'sub:') then array[of_principal] else coalesce(
    (select array_agg(distinct coalesce(one.person, one.principal)) from sallyport.keys one
      where one.workspace_id = ws and one.principal = of_principal and coalesce(least(one.expires_at, one.revoked_at) > since, true)),
    array[of_principal]) end;
end;

-- Whether two sets of persons have nobody in common. A person of the identity provider (`sub:`) and a name that only keys have may be one person.
create function are_apart(first text[], second text[]) returns boolean language sql immutable
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select not first && second and (select count(distinct starts_with(name, 'sub:')) = 1 from unnest(first || second) as name);
end;
