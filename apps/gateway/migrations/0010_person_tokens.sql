-- The tokens of each person for a server, for calls of this person only. Sealed by the gateway, whose key is not in the database.
create table person_tokens (
  workspace_id uuid not null references workspaces,
  server text not null,
  principal text not null,
  body text not null,
  changed_at timestamptz not null default now(),
  primary key (workspace_id, server, principal)
);
alter table person_tokens enable row level security, force row level security;
create policy own on person_tokens using (workspace_id = workspace());
grant select, insert, update, delete on person_tokens to sallyport_app;
