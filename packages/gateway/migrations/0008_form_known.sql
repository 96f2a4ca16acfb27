-- Also a replica that does not migrate must see that a later version has changed the tables: the names, and no more.

create function forms_known() returns setof text language sql stable security definer
set search_path = pg_catalog, sallyport, pg_temp
begin atomic
  select name from sallyport.migrations;
end;
