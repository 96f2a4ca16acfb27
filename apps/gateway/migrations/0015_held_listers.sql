-- To whom a held definition is offered: principals that have a process or an account of their own, or '' if all share one. A
-- definition is withdrawn when none of them is offered it any more.
alter table held add column listers text[] not null default array[''] check (cardinality(listers) > 0);

-- The application reads the table.
drop function held_as(uuid, text, text);
