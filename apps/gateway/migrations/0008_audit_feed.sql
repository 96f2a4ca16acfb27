-- How far each chain was sent to the feed, and which replica is sending it. The gateway's role reaches it by the functions alone.
create table audit_feed (
  workspace_id uuid primary key references workspaces,
  seq bigint not null default 0,
  holder uuid not null,
  until timestamptz not null
);
alter table audit_feed enable row level security, force row level security;
create policy owner on audit_feed to current_user using (true) with check (true);

-- Workspaces with rows that were not sent, and that no other replica is sending.
create function claim_feed(me uuid, seconds int, most int) returns table (ws uuid, seq bigint)
language sql volatile security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  insert into sallyport.audit_feed as feed (workspace_id, holder, until)
    select one.workspace_id, me, now() + make_interval(secs => seconds) from sallyport.workspaces one
      left join sallyport.audit_feed known on known.workspace_id = one.workspace_id
      where coalesce((select row.seq from sallyport.audit row where row.workspace_id = one.workspace_id order by row.seq desc limit 1), 0)
        > coalesce(known.seq, 0) and (known.workspace_id is null or known.holder = me or known.until < now())
      limit most
    on conflict (workspace_id) do update set holder = excluded.holder, until = excluded.until
      where feed.holder = excluded.holder or feed.until < now()
    returning feed.workspace_id, feed.seq;
end;

create function advance_feed(ws uuid, sent bigint) returns void
language sql volatile security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  update sallyport.audit_feed set seq = greatest(seq, sent) where workspace_id = ws;
end;
