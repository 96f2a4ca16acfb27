-- The servers of a workspace, what is pinned of them, and the policy.

create table servers (
  workspace_id uuid not null references workspaces,
  name text not null check (name ~ '^[a-z0-9-]{1,40}$'),
  kind text not null check (kind in ('http', 'stdio')),
  url text,
  command text,
  args text[] not null default '{}',
  env jsonb not null default '{}',
  -- Sealed by the gateway, whose key is not in the database.
  credentials text,
  changed_at timestamptz not null default now(),
  primary key (workspace_id, name),
  check ((kind = 'http') = (url is not null)),
  check ((kind = 'stdio') = (command is not null))
);
alter table servers enable row level security, force row level security;
create policy own on servers using (workspace_id = workspace());
grant select, insert, update, delete on servers to sallyport_app;

create function find_server(ws uuid, named text) returns setof servers language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select * from servers where workspace_id = ws and name = named;
end $$;

-- `accepted`: shown without a frame. `key` is a digest of the name, since a name of others may be of any length; `name` and `body` are JSON.
create table pins (
  workspace_id uuid not null references workspaces,
  server text not null,
  kind text not null check (kind in ('seen', 'tool', 'instructions', 'accepted')),
  key text not null,
  name text not null,
  body text not null,
  accepted_by text,
  at timestamptz not null default now(),
  primary key (workspace_id, server, kind, key)
);
alter table pins enable row level security, force row level security;
create policy own on pins using (workspace_id = workspace());
grant select, insert, update, delete on pins to sallyport_app;

-- What waits until a person accepts it. `flagged`: shown in a frame meanwhile.
create table held (
  workspace_id uuid not null references workspaces,
  server text not null,
  kind text not null check (kind in ('tool', 'instructions', 'flagged')),
  key text not null,
  body text not null,
  digest text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, server, kind, key)
);
alter table held enable row level security, force row level security;
create policy own on held using (workspace_id = workspace());
grant select, insert, update, delete on held to sallyport_app;

create function load_pins(ws uuid, of text) returns table (kind text, name text, body text) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select pins.kind, pins.name, pins.body from pins where pins.workspace_id = ws and pins.server = of;
end $$;

create function is_held(ws uuid, of text, tool text) returns boolean language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return exists (select from held
    where workspace_id = ws and server = of and kind = 'tool' and key = tool);
end $$;

create function other_tools(ws uuid, of text) returns table (name text, server text) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select pins.name, pins.server from pins
    where pins.workspace_id = ws and pins.server <> of and pins.kind = 'tool' order by pins.at desc;
end $$;

create table policies (
  workspace_id uuid not null references workspaces,
  version int not null check (version > 0),
  body jsonb not null,
  made_by text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, version)
);
alter table policies enable row level security, force row level security;
create policy own on policies using (workspace_id = workspace());
-- A version is never changed.
grant select, insert on policies to sallyport_app;

create function current_policy(ws uuid) returns setof policies language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select * from policies where workspace_id = ws order by version desc limit 1;
end $$;
