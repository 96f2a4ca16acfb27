-- What waits for a person: held calls, and what agents have written.

create table approvals (
  workspace_id uuid not null references workspaces,
  id uuid not null default gen_random_uuid(),
  -- Of server, tool, arguments, principal and conversation: an answer is for this very call.
  digest text not null,
  question text not null,
  principal text not null,
  conversation text not null,
  asked_at timestamptz not null default now(),
  until timestamptz not null,
  answer text check (answer in ('approved', 'denied')),
  answered_by text,
  answered_at timestamptz,
  used_at timestamptz,
  primary key (workspace_id, id),
  check ((answer is null) = (answered_by is null)),
  check (used_at is null or answer is not null)
);
create index on approvals (workspace_id, digest) where used_at is null;
create index on approvals (workspace_id, asked_at) where answer is null;
create index on approvals (workspace_id, principal, until) where answer is null;
alter table approvals enable row level security, force row level security;
create policy own on approvals using (workspace_id = workspace());
grant select, insert, update, delete on approvals to sallyport_app;

-- Takes the answer to a call where there is one, which uses it up; else the question waits, and is asked where it was not.
create function ask_approval(ws uuid, of_digest text, of_question text, of_principal text, of_conversation text, seconds int, most int,
  out id uuid, out answer text, out answered_by text, out until timestamptz, out is_new boolean) language plpgsql
set search_path = pg_catalog, sallyport, pg_temp as $$
declare
  taken uuid;
begin
  perform enter(ws);
  perform pg_advisory_xact_lock(hashtextextended(ws::text || of_digest, 0));
  is_new := false;
  select one.id, one.answer, one.answered_by, one.until into id, answer, answered_by, until from approvals one
    where one.workspace_id = ws and one.digest = of_digest and one.used_at is null and one.until > clock_timestamp()
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
    insert into approvals as one (workspace_id, digest, question, principal, conversation, until)
      values (ws, of_digest, of_question, of_principal, of_conversation, clock_timestamp() + make_interval(secs => seconds))
      returning one.id, one.until into id, until;
  end if;
end $$;

create table submissions (
  workspace_id uuid not null references workspaces,
  id text not null check (octet_length(id) between 1 and 2000),
  principal text not null,
  conversation text not null,
  body text not null,
  digest text not null,
  label jsonb not null,
  lifecycle text not null default 'candidate' check (lifecycle in ('candidate', 'canonical')),
  made_at timestamptz not null default now(),
  promoted_by text,
  promoted_at timestamptz,
  primary key (workspace_id, id),
  check ((lifecycle = 'canonical') = (promoted_by is not null))
);
create index on submissions (workspace_id, made_at);
alter table submissions enable row level security, force row level security;
create policy own on submissions using (workspace_id = workspace());
grant select, insert, update on submissions to sallyport_app;
