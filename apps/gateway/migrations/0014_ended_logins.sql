-- The workspaces where a principal has sessions that allow something else than the principal may do now. Removes some sessions that have expired.
-- The arrays have the workspaces and, in the same order, the scopes there, with blanks between. A replica ends the sessions in each workspace,
-- with a row in its audit; replicas of earlier versions use end_changed_logins.
create function changed_logins(of_principal text, kept uuid[], kept_scopes text[]) returns setof uuid language sql volatile security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  delete from sallyport.logins where digest in (select digest from sallyport.logins where expires_at < now() limit 100);
  select distinct one.workspace_id from sallyport.logins one where one.principal = of_principal and not exists (
    select from unnest(kept, kept_scopes) as role (ws, scopes)
      where role.ws = one.workspace_id and role.scopes = array_to_string(one.scopes, ' '));
end;
