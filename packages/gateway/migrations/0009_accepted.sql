-- Definitions that are shown unframed, by digest, and those that wait in frames until a person accepts them.
alter table pins drop constraint pins_kind_check;
alter table pins add constraint pins_kind_check check (kind in ('seen', 'tool', 'instructions', 'accepted'));
alter table held drop constraint held_kind_check;
alter table held add constraint held_kind_check check (kind in ('tool', 'instructions', 'flagged'));
