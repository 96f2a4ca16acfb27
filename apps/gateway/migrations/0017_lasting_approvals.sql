-- Answers that apply for longer than once. `keys`: by scope, the digests that a lasting answer to the question would be found by;
alter table approvals add column keys jsonb, add column terms text,
  add column scope text check (scope in ('task', 'conversation', 'always')), add column lasts_until timestamptz,
  add check ((scope is null) = (lasts_until is null));

-- Approvals that last, each under the id of the answer that gave it. Not the question: its evidence is content that was read,
-- which ends with the retention of conversations. `terms` must be those of a call that it covers: see LastingApprovals.
create table lasting_approvals (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  principal text not null,
  -- The call that was approved, as JSON: names of others may have characters that no text column takes.
  call text not null,
  -- Of the same call, as in the audit.
  digest text not null,
  scope text not null check (scope in ('task', 'conversation', 'always')),
  keys text[] not null check (cardinality(keys) > 0),
  terms text not null,
  given_by text not null,
  given_at timestamptz not null default clock_timestamp(),
  until timestamptz not null,
  uses int not null default 0,
  used_at timestamptz,
  primary key (workspace_id, id)
);
create index on lasting_approvals (workspace_id, principal, terms);
create index on lasting_approvals (workspace_id, until);
alter table lasting_approvals enable row level security, force row level security;
create policy own on lasting_approvals using (workspace_id = workspace());
grant select, insert, update, delete on lasting_approvals to sallyport_app;

-- The approval that covers a call, of which one use is counted. No row if there is none.
create function take_lasting_approval(ws uuid, of_principal text, of_terms text, of_keys text[])
returns table (id uuid, key text, scope text, call text, given_by text, given_at timestamptz, until timestamptz)
language plpgsql set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return query update lasting_approvals one set uses = one.uses + 1, used_at = clock_timestamp()
    where one.workspace_id = ws and one.id = (
      select any_one.id from lasting_approvals any_one
        where any_one.workspace_id = ws and any_one.principal = of_principal and any_one.terms = of_terms
          and any_one.keys && of_keys and any_one.until > clock_timestamp()
        order by any_one.until desc, any_one.id limit 1)
    returning one.id, (select common from unnest(one.keys) common where common = any (of_keys) limit 1),
      one.scope, one.call, one.given_by, one.given_at, one.until;
end $$;

-- As before, and keeps what a lasting answer would be found by and bound to. The one without stays for replicas of the version before.
create function ask_approval(ws uuid, of_digest text, of_question text, of_principal text, of_conversation text, is_second boolean,
  of_keys jsonb, of_terms text, seconds int, most int,
  out id uuid, out answer text, out answered_by text, out until timestamptz, out is_new boolean) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  taken uuid;
begin
  perform enter(ws);
  perform pg_advisory_xact_lock(hashtextextended(ws::text || of_digest, 0));
  is_new := false;
  select one.id, one.answer, one.answered_by, one.until into id, answer, answered_by, until from approvals one
    where one.workspace_id = ws and one.digest = of_digest and one.second_person = is_second and one.used_at is null
      and one.until > clock_timestamp()
    order by one.asked_at limit 1;
  if answer is not null then
    update approvals one set used_at = clock_timestamp()
      where one.workspace_id = ws and one.id = ask_approval.id and one.used_at is null returning one.id into taken;
    if taken is null then
      raise exception 'The answer was used already.';
    end if;
  elsif id is null then
    perform pg_advisory_xact_lock(hashtextextended(ws::text || of_principal, 1));
    if (select count(*) from approvals one where one.workspace_id = ws and one.principal = of_principal
      and one.answer is null and one.until > clock_timestamp()) >= most then
      raise exception 'Too many calls wait already.';
    end if;
    is_new := true;
    insert into approvals as one (workspace_id, digest, question, principal, conversation, second_person, keys, terms, until)
      values (ws, of_digest, of_question, of_principal, of_conversation, is_second, of_keys, of_terms,
        clock_timestamp() + make_interval(secs => seconds))
      returning one.id, one.until into id, until;
  end if;
end $$;
