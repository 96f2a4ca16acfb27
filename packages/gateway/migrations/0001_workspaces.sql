-- The role under which the gateway asks, the workspaces, and the keys that lead to them.
-- The connecting role owns everything here. It needs CREATE on the database, and CREATEROLE
-- unless somebody has made the role sallyport_app before.

do $$
begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database is encoded as %: make one with ENCODING ''UTF8''.', current_setting('server_encoding');
  end if;
  if not exists (select from pg_roles where rolname = 'sallyport_app') then
    begin
      create role sallyport_app nologin;
    exception when duplicate_object or unique_violation then
      null; -- Another database of this server was migrated at the same moment.
    end;
  end if;
  if exists (select from pg_roles where rolname = 'sallyport_app' and (rolsuper or rolbypassrls)) then
    raise exception 'The role sallyport_app passes by row-level security: alter role sallyport_app nosuperuser nobypassrls.';
  end if;
  if not pg_has_role(current_user, 'sallyport_app', 'member') then
    execute format('grant sallyport_app to %I', current_user);
  end if;
end $$;

grant usage on schema sallyport to sallyport_app;

-- The workspace of this transaction; null where none was entered, and then no row is visible.
create function workspace() returns uuid language sql stable parallel safe
return nullif(current_setting('sallyport.workspace', true), '')::uuid;

-- Enters a workspace until the transaction ends. Nobody goes on to another one within it.
create function enter(ws uuid) returns void language plpgsql as $$
declare
  entered text := nullif(current_setting('sallyport.workspace', true), '');
begin
  if entered is not null and entered <> ws::text then
    raise exception 'This transaction is within another workspace.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('sallyport.workspace', ws::text, true);
end $$;

create table workspaces (
  workspace_id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9-]{1,40}$'),
  made_at timestamptz not null default now()
);
alter table workspaces enable row level security;
create policy own on workspaces using (workspace_id = workspace());
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
alter table keys enable row level security;
create policy own on keys using (workspace_id = workspace());
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
