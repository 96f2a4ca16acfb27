-- Where people are told that a call waits for them. `sealed` has the address, which is a secret where it is that of a chat, and
-- the secret that messages are signed with.
create table webhooks (
  workspace_id uuid not null references workspaces,
  name text not null check (name ~ '^[a-z0-9-]{1,40}$'),
  format text not null check (format in ('json', 'slack', 'teams')),
  host text not null,
  sealed text not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  sent_at timestamptz,
  failure text,
  primary key (workspace_id, name)
);
alter table webhooks enable row level security, force row level security;
create policy own on webhooks using (workspace_id = workspace());
grant select, insert, update, delete on webhooks to sallyport_app;

-- Messages that were not delivered yet.
create table notices (
  workspace_id uuid not null,
  webhook text not null,
  approval uuid not null,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  primary key (workspace_id, webhook, approval),
  foreign key (workspace_id, webhook) references webhooks on delete cascade
);
create index on notices (next_at);
alter table notices enable row level security, force row level security;
create policy own on notices using (workspace_id = workspace());
create policy owner on notices to current_user using (true) with check (true);
grant select, insert, update, delete on notices to sallyport_app;

-- A message for each webhook of the workspace, in the transaction that holds the call.
create function add_notices() returns trigger language plpgsql set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  insert into notices (workspace_id, webhook, approval)
    select new.workspace_id, name, new.id from webhooks where workspace_id = new.workspace_id;
  return null;
end $$;
create trigger add_notices after insert on approvals for each row execute function add_notices();

-- The next message of each webhook, at most one: chats refuse more than one a second. Another replica takes a message that was
-- not settled within the time.
create function claim_notices(seconds int, most int) returns table (ws uuid, webhook text, approval uuid, attempts int)
language sql volatile security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  with next as (
    select distinct on (workspace_id, webhook) workspace_id, webhook, approval, next_at from sallyport.notices
      where next_at <= clock_timestamp() order by workspace_id, webhook, next_at
  ), due as (
    select one.workspace_id, one.webhook, one.approval from sallyport.notices one
      join next on (one.workspace_id, one.webhook, one.approval) = (next.workspace_id, next.webhook, next.approval)
      where one.next_at <= clock_timestamp() order by one.next_at limit most for update of one skip locked
  )
  update sallyport.notices one set attempts = one.attempts + 1, next_at = clock_timestamp() + make_interval(secs => seconds)
    from due where (one.workspace_id, one.webhook, one.approval) = (due.workspace_id, due.webhook, due.approval)
    returning one.workspace_id, one.webhook, one.approval, one.attempts;
end;
