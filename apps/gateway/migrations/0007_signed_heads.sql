-- The newest signed head of each workspace, whichever replica has signed it: each replica keeps all of them outside of the database.
create function signed_heads() returns table (ws uuid, seq bigint, hash text, signature text)
language sql stable security definer set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select one.workspace_id, last.seq, encode(last.hash, 'hex'), encode(last.signature, 'hex') from sallyport.workspaces one
    cross join lateral (select point.seq, point.hash, point.signature from sallyport.audit_checkpoints point
      where point.workspace_id = one.workspace_id and point.kind = 'head' order by point.seq desc limit 1) last;
end;
