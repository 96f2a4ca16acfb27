-- Spans that were flagged in what principals read, so that people can say which were false alarms. `text` is their beginning.
create table findings (
  workspace_id uuid not null references workspaces,
  id text not null check (id ~ '^[0-9a-f]{32}$'),
  principal text not null,
  server text not null,
  tool text,
  tag text not null check (tag ~ '^[a-z0-9-]{1,40}$'),
  likelihood text not null check (likelihood in ('low', 'medium', 'high')),
  digest text not null,
  text text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index on findings (workspace_id, at);
alter table findings enable row level security, force row level security;
create policy own on findings using (workspace_id = workspace());
grant select, insert, delete on findings to sallyport_app;
