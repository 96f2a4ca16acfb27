-- The workspaces, and the keys that lead to them. The role that migrates owns everything here. The gateway connects as another
-- one, which is a member of sallyport_app and owns nothing. Row-level security is forced, so that it binds the owner too.

do $$
begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database is encoded as %: make one with ENCODING ''UTF8''.', current_setting('server_encoding');
  end if;
  if not exists (select from pg_roles where rolname = 'sallyport_app') then
    raise exception 'There is no role sallyport_app: let an administrator create the roles, as docs/gateway.md says.'
      using errcode = 'undefined_object';
  end if;
end $$;

grant usage on schema sallyport to sallyport_app;

-- The workspace of this transaction; null where none was entered, and then no row is visible.
create function workspace() returns uuid language sql stable parallel safe
return nullif(current_setting('sallyport.workspace', true), '')::uuid;

-- Enters a workspace until the transaction ends. Nobody goes on to another one within it. What applies to a connection is set
-- here for the transaction: a pooler shares connections.
create function enter(ws uuid) returns void language plpgsql as $$
declare
  entered text := nullif(current_setting('sallyport.workspace', true), '');
begin
  if entered is not null and entered <> ws::text then
    raise exception 'This transaction is within another workspace.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('sallyport.workspace', ws::text, true), set_config('search_path', 'sallyport, pg_catalog', true),
    set_config('idle_in_transaction_session_timeout', '10s', true);
end $$;

create table workspaces (
  workspace_id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9-]{1,40}$'),
  made_at timestamptz not null default now()
);
alter table workspaces enable row level security, force row level security;
create policy own on workspaces using (workspace_id = workspace());
create policy owner on workspaces for select to current_user using (true);
grant select on workspaces to sallyport_app;

create table keys (
  workspace_id uuid not null references workspaces,
  public_id text not null primary key check (public_id ~ '^[A-Za-z0-9]{8}$'),
  digest bytea not null,
  principal text not null,
  label text not null,
  scopes text[] not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on keys (workspace_id, made_at);
alter table keys enable row level security, force row level security;
create policy own on keys using (workspace_id = workspace());
create policy owner on keys for select to current_user using (true);
grant select, insert, update on keys to sallyport_app;

-- These two are asked before a workspace is known. Each gives one row to who knows its name.
create function find_workspace(named text) returns uuid language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
return (select workspace_id from sallyport.workspaces where name = named);

create function find_key(id text) returns setof keys language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select * from sallyport.keys where public_id = id and revoked_at is null and (expires_at is null or expires_at > now());
end;

-- By which keys this installation works: a digest of each, so that nobody writes by another one.

create table keys_known (
  digest bytea primary key check (octet_length(digest) = 32)
);
alter table keys_known enable row level security, force row level security;
create policy owner on keys_known to current_user using (true);

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

-- A replica sees by which version the tables were made: the names, and no more.

create function forms_known() returns setof text language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select name from sallyport.migrations;
end;
