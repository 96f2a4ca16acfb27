-- What people say of flagged spans, and the thresholds that follow from it.

create table feedback (
  workspace_id uuid not null references workspaces,
  server text not null,
  tag text not null check (tag ~ '^[a-z0-9-]{1,40}$'),
  -- Of the span's text, which itself is not kept.
  digest text not null,
  likelihood text not null check (likelihood in ('low', 'medium', 'high')),
  verdict text not null check (verdict in ('false-alarm', 'attack')),
  said_by text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, server, tag, digest, said_by)
);
alter table feedback enable row level security, force row level security;
create policy own on feedback using (workspace_id = workspace());
grant select, insert, update on feedback to sallyport_app;

create table thresholds (
  workspace_id uuid not null references workspaces,
  server text not null,
  tag text not null check (tag ~ '^[a-z0-9-]{1,40}$'),
  minimum text not null check (minimum in ('low', 'medium', 'high')),
  set_by text not null,
  at timestamptz not null default now(),
  until timestamptz not null,
  primary key (workspace_id, server, tag)
);
alter table thresholds enable row level security, force row level security;
create policy own on thresholds using (workspace_id = workspace());
grant select, insert, update, delete on thresholds to sallyport_app;

create function current_thresholds(ws uuid, of text) returns table (tag text, minimum text) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select one.tag, one.minimum from thresholds one
    where one.workspace_id = ws and one.server = of and one.until > now();
end $$;
