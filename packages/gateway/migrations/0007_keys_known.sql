-- By which keys this installation works: a digest of each, so that nobody writes by another one.

create table keys_known (
  digest bytea primary key check (octet_length(digest) = 32)
);
alter table keys_known enable row level security;

-- Whether one of these is known. The first ones are noted, and new ones beside a known one.
create function know_keys(digests bytea[]) returns boolean language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  if exists (select from sallyport.keys_known) and
    not exists (select from sallyport.keys_known known where known.digest = any (digests)) then
    return false;
  end if;
  insert into sallyport.keys_known (digest) select unnest(digests) on conflict do nothing;
  return true;
end $$;
