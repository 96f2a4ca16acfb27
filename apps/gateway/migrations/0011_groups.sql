-- The groups of a key's principal, by which the policy says what it reaches.
alter table keys add column groups text[] not null default '{}';

-- Again, since its rows have one more column.
create or replace function find_key(id text) returns setof keys language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select * from sallyport.keys where public_id = id and revoked_at is null and (expires_at is null or expires_at > now());
end;
