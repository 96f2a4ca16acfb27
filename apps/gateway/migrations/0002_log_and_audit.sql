-- What conversations have read, and the audit chain. Both are written by append_entries alone: the gateway's role
-- may read these tables, and neither insert nor change a row.

create table log (
  workspace_id uuid not null,
  conversation text not null check (octet_length(conversation) between 1 and 2000),
  id bigint generated always as identity,
  body text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, conversation, id)
);
-- For the removal of what is old.
create index on log (workspace_id, at);
alter table log enable row level security, force row level security;
create policy own on log using (workspace_id = workspace());
grant select on log to sallyport_app;

-- Written by append_entries alone. The gateway computes hash and mac, with a key that the database does not have.
create table audit (
  workspace_id uuid not null,
  seq bigint not null,
  -- In whole milliseconds: it is hashed.
  at timestamptz not null,
  payload text not null,
  hash bytea not null,
  mac bytea not null,
  primary key (workspace_id, seq, at)
) partition by range (at);
alter table audit enable row level security, force row level security;
create policy own on audit using (workspace_id = workspace());
create policy owner on audit for select to current_user using (true);
grant select on audit to sallyport_app;

-- For a clock that jumps: a row of an unforeseen month is kept too.
create table audit_default partition of audit default;
alter table audit_default enable row level security, force row level security;

-- `head`: the chain had this hash then. `start`: what was before it was removed on purpose.
create table audit_checkpoints (
  workspace_id uuid not null references workspaces,
  seq bigint not null,
  kind text not null check (kind in ('head', 'start')),
  hash bytea not null,
  signature bytea not null,
  at timestamptz not null default now(),
  primary key (workspace_id, seq, kind)
);
alter table audit_checkpoints enable row level security, force row level security;
create policy own on audit_checkpoints using (workspace_id = workspace());
create policy owner on audit_checkpoints for select to current_user using (true);
grant select on audit_checkpoints to sallyport_app;

create function create_workspace(ws uuid, named text) returns void language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  insert into workspaces (workspace_id, name) values (ws, named);
end $$;

-- The one way to write. Writers of a workspace wait for each other, so that places and numbers become visible in their order.
-- The last row is the head of the chain: no row is ever updated, which an old snapshot would make slow. Rows are written only
-- after the one that the gateway has seen; otherwise nothing is written.
create function append_entries(ws uuid, conversations text[], bodies text[], after bigint, after_hash text, moment bigint,
  audits text[], hashes text[], macs text[], out is_written boolean, out places bigint[]) language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp set lock_timeout = '5s' as $$
declare
  last record;
begin
  perform enter(ws);
  perform pg_advisory_xact_lock(hashtextextended('sallyport chain ' || ws::text, 0));
  if not exists (select from workspaces where workspace_id = ws) then
    raise exception 'There is no workspace %.', ws using errcode = 'no_data_found';
  end if;
  if cardinality(audits) > 0 then
    select audit.seq, encode(audit.hash, 'hex') as hash into last from audit
      where audit.workspace_id = ws order by audit.seq desc limit 1;
    -- Where retention has removed all rows, the gateway goes on after the signed start.
    is_written := (found and last.seq = after and last.hash = after_hash) or (not found and
      (after = 0 or exists (select from audit_checkpoints point where point.workspace_id = ws and point.seq = after and kind = 'start')));
    if not is_written then
      return;
    end if;
    insert into audit (workspace_id, seq, at, payload, hash, mac)
      select ws, after + given.place, to_timestamp(moment / 1000.0), given.payload, decode(given.hash, 'hex'), decode(given.mac, 'hex')
        from unnest(audits, hashes, macs) with ordinality as given (payload, hash, mac, place);
  end if;
  is_written := true;
  if cardinality(bodies) > 0 then
    with written as (
      insert into log (workspace_id, conversation, body)
      select ws, given.conversation, given.body
        from unnest(conversations, bodies) with ordinality as given (conversation, body, place)
        order by given.place
      returning id
    ) select array_agg(id order by id) into places from written;
  end if;
end $$;

-- Rows after a number, and the clock by which they are dated.
create function rows_after(ws uuid, after bigint, most int)
returns table (seq bigint, at bigint, payload text, hash text, mac text, clock bigint) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query select one.seq, (extract(epoch from one.at) * 1000)::bigint, one.payload, encode(one.hash, 'hex'),
      encode(one.mac, 'hex'), (extract(epoch from clock_timestamp()) * 1000)::bigint
    from audit one where one.workspace_id = ws and one.seq > after order by one.seq, one.at limit most;
end $$;

-- The newest signatures, and the newest signed start.
create function last_checkpoints(ws uuid) returns table (seq bigint, kind text, hash text, signature text) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query (select one.seq, one.kind, encode(one.hash, 'hex'), encode(one.signature, 'hex') from audit_checkpoints one
      where one.workspace_id = ws order by one.seq desc, one.kind limit 10)
    union all (select one.seq, one.kind, encode(one.hash, 'hex'), encode(one.signature, 'hex') from audit_checkpoints one
      where one.workspace_id = ws and one.kind = 'start' order by one.seq desc limit 1);
end $$;

-- The last bytes of a conversation, in order. An empty entry stands for what is older and is left out.
create function log_since(ws uuid, of text, after bigint, most bigint) returns table (place bigint, entry text) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  left_out bigint;
begin
  perform enter(ws);
  select max(one.id) into left_out from (
    select log.id, sum(octet_length(log.body)) over (order by log.id desc) as bytes from log
      where log.workspace_id = ws and log.conversation = of and log.id > after) one
    where one.bytes > most;
  return query select left_out, '' where left_out is not null;
  return query select log.id, log.body from log
    where log.workspace_id = ws and log.conversation = of and log.id > coalesce(left_out, after) order by log.id;
end $$;

-- Workspaces whose last rows no checkpoint covers: left by a replica that was killed, or written with a change.
create function unsigned_chains(most int) returns setof uuid
language sql stable security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select one.workspace_id from sallyport.workspaces one
    where coalesce((select row.seq from sallyport.audit row where row.workspace_id = one.workspace_id order by row.seq desc limit 1), 0)
      > coalesce((select point.seq from sallyport.audit_checkpoints point where point.workspace_id = one.workspace_id
        order by point.seq desc limit 1), 0)
    limit most;
end;

create function add_checkpoint(ws uuid, seq bigint, hash text, signature text) returns void language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  insert into audit_checkpoints (workspace_id, seq, kind, hash, signature)
    values (ws, add_checkpoint.seq, 'head', decode(add_checkpoint.hash, 'hex'), decode(add_checkpoint.signature, 'hex'))
    on conflict do nothing;
end $$;

-- Makes the partitions of this month and of some ahead. A month whose rows stand in the default one stays there.
create function audit_ahead(months int) returns void language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  first timestamptz;
  named text;
begin
  if months not between 0 and 24 then
    raise exception 'Between 0 and 24 months are made ahead.';
  end if;
  perform pg_advisory_xact_lock(hashtext('sallyport audit_ahead'));
  for ahead in 0..months loop
    first := (date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead)) at time zone 'utc';
    named := to_char(first at time zone 'utc', '"audit_"YYYY"_"MM');
    continue when to_regclass('sallyport.' || named) is not null;
    begin
      execute format('create table sallyport.%I partition of sallyport.audit for values from (%L) to (%L)', named, first,
        ((first at time zone 'utc') + interval '1 month') at time zone 'utc');
      execute format('alter table sallyport.%I enable row level security, force row level security', named);
    exception when check_violation then
      null;
    end;
  end loop;
end $$;
