-- What conversations have read, and the audit chain. Both are written by write_entries alone: the gateway's role
-- may read these tables, and neither insert nor change a row.

create table log (
  workspace_id uuid not null,
  conversation text not null check (octet_length(conversation) between 1 and 2000),
  id bigint generated always as identity,
  body text not null,
  at timestamptz not null default now(),
  primary key (workspace_id, conversation, id)
);
alter table log enable row level security;
create policy own on log using (workspace_id = workspace());
grant select on log to sallyport_app;

create table audit (
  workspace_id uuid not null,
  seq bigint not null,
  -- Where the row is kept. The payload, which is hashed, says when it happened.
  at timestamptz not null,
  payload text not null,
  hash bytea not null,
  primary key (workspace_id, seq, at)
) partition by range (at);
alter table audit enable row level security;
create policy own on audit using (workspace_id = workspace());
grant select on audit to sallyport_app;

-- For a clock that jumps: a row of an unforeseen month is kept too.
create table audit_default partition of audit default;
alter table audit_default enable row level security;

create table audit_heads (
  workspace_id uuid primary key references workspaces,
  seq bigint not null default 0,
  hash bytea not null,
  at timestamptz not null default '-infinity'
) with (fillfactor = 50);
alter table audit_heads enable row level security;
create policy own on audit_heads using (workspace_id = workspace());
grant select on audit_heads to sallyport_app;

-- `head`: the chain had this hash then. `start`: what stood up to here was removed on purpose.
create table audit_checkpoints (
  workspace_id uuid not null references workspaces,
  seq bigint not null,
  kind text not null check (kind in ('head', 'start')),
  hash bytea not null,
  mac bytea not null,
  at timestamptz not null default now(),
  primary key (workspace_id, seq, kind)
);
alter table audit_checkpoints enable row level security;
create policy own on audit_checkpoints using (workspace_id = workspace());
grant select on audit_checkpoints to sallyport_app;

-- A chain begins at the digest of its workspace, so that no row can be moved to another one.
create function create_workspace(ws uuid, named text) returns void language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  insert into workspaces (workspace_id, name) values (ws, named);
  insert into audit_heads (workspace_id, hash) values (ws, sha256(uuid_send(ws)));
end $$;

-- The one way to write. The head is locked first, so that places and numbers become visible in their order.
create function write_entries(ws uuid, conversations text[], bodies text[], audits text[],
  out places bigint[], out seq bigint, out hash bytea) language plpgsql security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  line text;
  hashes bytea[] := '{}';
  before bigint;
  moment timestamptz;
begin
  perform enter(ws);
  select head.seq, head.hash, head.at into seq, hash, moment
    from audit_heads head where head.workspace_id = ws for update;
  if not found then
    raise exception 'There is no workspace %.', ws using errcode = 'no_data_found';
  end if;
  if cardinality(bodies) > 0 then
    with written as (
      insert into log (workspace_id, conversation, body)
      select ws, given.conversation, given.body
        from unnest(conversations, bodies) with ordinality as given (conversation, body, place)
        order by given.place
      returning id
    ) select array_agg(id order by id) into places from written;
  end if;
  if cardinality(audits) > 0 then
    before := seq;
    moment := greatest(moment, clock_timestamp());
    foreach line in array audits loop
      seq := seq + 1;
      hash := sha256(hash || int8send(seq) || convert_to(line, 'UTF8'));
      hashes := hashes || hash;
    end loop;
    insert into audit (workspace_id, seq, at, payload, hash)
      select ws, before + given.place, moment, given.payload, given.hash
        from unnest(audits, hashes) with ordinality as given (payload, hash, place);
    update audit_heads head set seq = write_entries.seq, hash = write_entries.hash, at = moment
      where head.workspace_id = ws;
  end if;
end $$;

-- The last bytes of a conversation, in order. An empty entry stands for what is older and is left out.
create function log_since(ws uuid, of text, after bigint, most bigint) returns table (place bigint, entry text) language plpgsql as $$
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

-- Heads that no checkpoint covers: left by a replica that was killed.
create function unsigned_heads(most int) returns table (ws uuid, seq bigint, hash bytea)
language sql stable security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select head.workspace_id, head.seq, head.hash from sallyport.audit_heads head
    where head.seq > coalesce((select max(point.seq) from sallyport.audit_checkpoints point
      where point.workspace_id = head.workspace_id), 0)
    limit most;
end;

create function add_checkpoints(workspaces uuid[], seqs bigint[], hashes text[], macs text[]) returns void
language sql security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  insert into sallyport.audit_checkpoints (workspace_id, seq, kind, hash, mac)
    select given.ws, given.seq, 'head', decode(given.hash, 'hex'), decode(given.mac, 'hex')
      from unnest(workspaces, seqs, hashes, macs) as given (ws, seq, hash, mac)
    on conflict do nothing;
end;

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
      execute format('alter table sallyport.%I enable row level security', named);
    exception when check_violation then
      null;
    end;
  end loop;
end $$;
