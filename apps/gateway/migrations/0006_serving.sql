-- What replicas must agree on while they serve: approvals that were used in the place of a result, and tokens of the
-- gateway's own at servers.

create table claims (
  workspace_id uuid not null references workspaces,
  id text not null check (octet_length(id) between 1 and 200),
  until timestamptz not null,
  primary key (workspace_id, id)
);
create index on claims (until);
alter table claims enable row level security, force row level security;
create policy own on claims using (workspace_id = workspace());
grant select, insert, delete on claims to sallyport_app;

-- Whether nobody has used it before. What ended long ago, by whichever clock, is removed with it, a few at a time.
create function claim(ws uuid, claimed text, ends timestamptz) returns boolean language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  is_first boolean;
begin
  perform enter(ws);
  delete from claims where ctid in (select ctid from claims where workspace_id = ws and claims.until < now() - interval '1 day' limit 10);
  insert into claims (workspace_id, id, until) values (ws, claimed, ends) on conflict do nothing;
  get diagnostics is_first = row_count;
  return is_first;
end $$;

create table tokens (
  workspace_id uuid not null references workspaces,
  server text not null,
  body text not null,
  changed_at timestamptz not null default now(),
  primary key (workspace_id, server)
);
alter table tokens enable row level security, force row level security;
create policy own on tokens using (workspace_id = workspace());
grant select, insert, update, delete on tokens to sallyport_app;
