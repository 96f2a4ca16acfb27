-- Search in the audit, its figures by the hour, and the people who have logged in.

-- What an event is found by: its members, each with the workspace, so that a search reads nothing of others. Nothing may keep a row
-- from being written or found: what PostgreSQL refuses in JSON is replaced before it is read, and a long value by its hash.
create function audit_terms(ws uuid, line text) returns text[] language plpgsql immutable cost 2000 as $$
declare
  readable text := case when strpos(line, '\u') = 0 then line
    else regexp_replace(line, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g') end;
begin
  return array(select ws::text || ' ' || case when key in ('by', 'principal', 'person') then 'person' else key end || ' '
      || case when octet_length(value::text) <= 200 then replace(value::text, ', asked by the client"', '"')
        else encode(sha256(convert_to(value::text, 'UTF8')), 'hex') end
    from json_each(readable::json)
    where key in ('type', 'server', 'tool', 'rule', 'outcome', 'by', 'principal', 'person'));
exception when data_exception then
  return '{}';
end $$;

-- New rows wait in a short list, so that writing them stays fast.
create index audit_found on audit using gin (audit_terms(workspace_id, payload)) with (gin_pending_list_limit = 512);

-- The newest rows that have all members of an event. What is in many rows is found among the newest: these are read one after the
-- other, and only those that contain all of the words are compared. Then the index finds the others. As the owner, whose policy is
-- true: otherwise row-level security would keep the index from being used.
create function search_audit(ws uuid, wanted text, words text[], since timestamptz, until timestamptz, before bigint, most int)
returns table (seq bigint, at timestamptz, payload text) language plpgsql stable security definer
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  terms text[] := audit_terms(ws, wanted);
  near bigint := 0;
  plain text := 'select one.seq, one.at, one.payload from audit one where one.workspace_id = $1 and one.seq < $2 and one.seq >= $3
    and one.at >= $4 and one.at < $5';
  found int := 0;
begin
  perform enter(ws);
  if cardinality(words) > 0 then
    near := least(before, (select one.seq from audit one where one.workspace_id = ws order by one.seq desc limit 1) + 1) - 10000;
  end if;
  return query execute plain
    || (select coalesce(string_agg(format(' and strpos(one.payload, $6[%s]) > 0', place), ''), '') from generate_subscripts(words, 1) place)
    || case when cardinality(words) > 0 then ' and (audit_terms(one.workspace_id, one.payload) @> $7) is true' else '' end
    || ' order by one.seq desc limit $8'
    using ws, before, coalesce(near, 0), since, until, words, terms, most;
  get diagnostics found = row_count;
  if found < most and near > 0 then
    return query execute plain || ' and audit_terms(one.workspace_id, one.payload) @> $6 order by one.seq desc limit $7'
      using ws, near, 0, since, until, terms, most - found;
  end if;
end $$;

-- How many calls were decided in which way, counted from the audit when someone asks. `cause` is the rule.
create table audit_counts (
  workspace_id uuid not null references workspaces,
  hour timestamptz not null,
  kind text not null check (kind in ('call', 'ask', 'deny', 'would-ask', 'would-deny')),
  cause text not null,
  count bigint not null,
  primary key (workspace_id, hour, kind, cause)
);
alter table audit_counts enable row level security, force row level security;
create policy own on audit_counts using (workspace_id = workspace());
grant select, insert, update, delete on audit_counts to sallyport_app;

-- The last row that was counted.
create table audit_counted (
  workspace_id uuid primary key references workspaces,
  seq bigint not null
);
alter table audit_counted enable row level security, force row level security;
create policy own on audit_counted using (workspace_id = workspace());
grant select, insert, update on audit_counted to sallyport_app;

-- Who has logged in, when they last did, and what they might do then. Their sessions end, and their names stay.
create table people (
  workspace_id uuid not null references workspaces,
  principal text not null,
  scopes text[] not null,
  logged_in_at timestamptz not null default now(),
  primary key (workspace_id, principal)
);
alter table people enable row level security, force row level security;
create policy own on people using (workspace_id = workspace());
grant select, insert, update on people to sallyport_app;

-- Those who have a session now. The owner writes rows of all workspaces, so row-level security does not bind it meanwhile.
alter table people no force row level security;
insert into people (workspace_id, principal, scopes, logged_in_at)
  select distinct on (workspace_id, principal) workspace_id, principal, scopes, made_at from logins
    order by workspace_id, principal, made_at desc;
alter table people force row level security;
