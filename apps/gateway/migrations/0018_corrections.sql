-- The tool that said it and, if the policy keeps content, the beginning of its text. A passage that was not flagged has the
-- likelihood `none`.
alter table feedback add column tool text, add column text text;
alter table feedback drop constraint feedback_likelihood_check,
  add constraint feedback_likelihood_check check (likelihood in ('none', 'low', 'medium', 'high'));

-- What people say of decisions. The arguments of the calls are in the log alone.
create table corrected_decisions (
  workspace_id uuid not null references workspaces,
  -- Of the principal, the conversation and the id of the call.
  digest text not null,
  principal text not null,
  server text not null,
  tool text not null,
  outcome text not null check (outcome in ('allow', 'ask', 'deny')),
  rule text not null,
  cell text,
  was_made boolean not null,
  verdict text not null check (verdict in ('false-alarm', 'attack')),
  said_by text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, digest, said_by)
);
alter table corrected_decisions enable row level security, force row level security;
create policy own on corrected_decisions using (workspace_id = workspace());
grant select, insert, update on corrected_decisions to sallyport_app;
