-- Who may do what: scopes of people, answers of a second person, rejected definitions, and logins.

-- The scope `approve` was for everything that waits. Whoever administers could give it, so they keep all of it; others keep
-- their own calls. The owner updates rows of all workspaces, so row-level security does not bind it meanwhile.
alter table keys no force row level security;
update keys set scopes = array_remove(scopes, 'approve')
  || case when 'admin' = any (scopes) then '{approve:any,pins,policy}'::text[] when 'approve' = any (scopes) then '{approve:own}' else '{}' end;
alter table keys force row level security;

-- `second_person`: only another principal answers. `note`: what the person has written to their answer.
alter table approvals add column second_person boolean not null default false, add column note text;
create index on approvals (workspace_id, answered_at) where answer is not null;

drop function ask_approval(uuid, text, text, text, text, int, int);

-- Takes the answer to a call if there is one, which uses it up. Otherwise the question waits, and is stored if it is new.
create function ask_approval(ws uuid, of_digest text, of_question text, of_principal text, of_conversation text, is_second boolean,
  seconds int, most int,
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
    insert into approvals as one (workspace_id, digest, question, principal, conversation, second_person, until)
      values (ws, of_digest, of_question, of_principal, of_conversation, is_second, clock_timestamp() + make_interval(secs => seconds))
      returning one.id, one.until into id, until;
  end if;
end $$;

-- A row for each definition that was held, since a person may reject one and the server may offer it again. `withdrawn_at`: when
-- the server offered something else under that name; null while it offers this one.
alter table held add column withdrawn_at timestamptz, add column rejected_by text, add column rejected_at timestamptz,
  drop constraint held_pkey, add primary key (workspace_id, server, kind, key, digest);

drop function is_held(uuid, text, text);

-- 'waits' or 'rejected' if calls of a tool are refused because of the definition that its server offers; otherwise null.
create function held_as(ws uuid, of text, tool text) returns text language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
begin
  perform enter(ws);
  return (select max(case when rejected_at is null then 'waits' else 'rejected' end) from held
    where workspace_id = ws and server = of and key = tool and withdrawn_at is null
      and (kind = 'tool' or (kind = 'flagged' and rejected_at is not null)));
end $$;

-- Sessions of people who have logged in. The digest is of a secret that only the browser has.
create table logins (
  workspace_id uuid not null references workspaces,
  digest bytea not null primary key check (octet_length(digest) = 32),
  principal text not null,
  scopes text[] not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on logins (principal);
create index on logins (expires_at);
alter table logins enable row level security, force row level security;
create policy own on logins using (workspace_id = workspace());
create policy owner on logins to current_user using (true) with check (true);
grant select, insert, delete on logins to sallyport_app;

-- Asked before a workspace is known. It gives one row to who knows the secret.
create function find_login(of_digest bytea) returns setof logins language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select * from sallyport.logins where digest = of_digest and expires_at > now();
end;

-- Ends the sessions of a principal that allow something else than the principal may do now, in any workspace, and some that have expired.
-- The arrays have the workspaces and, in the same order, the scopes there, with blanks between.
create function end_changed_logins(of_principal text, kept uuid[], kept_scopes text[]) returns void language sql volatile security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  delete from sallyport.logins one where one.principal = of_principal and not exists (
    select from unnest(kept, kept_scopes) as role (ws, scopes)
      where role.ws = one.workspace_id and role.scopes = array_to_string(one.scopes, ' '));
  delete from sallyport.logins where digest in (select digest from sallyport.logins where expires_at < now() limit 100);
end;
