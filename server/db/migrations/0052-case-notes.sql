-- What staff of a case's role write for each other. Deleted with the case, once it is decided.
create table case_notes (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases on delete cascade,
  written_by uuid references users on delete set null,
  written_on date not null,
  text text not null check (text <> ''),
  -- asks for a second person
  is_question boolean not null default false
)
-- A row stays whole: ids of values out of line would show the order in which they were written.
with (toast_tuple_target = 8160);
create index case_notes_by_case on case_notes (case_id);
create index case_notes_by_author on case_notes (written_by) where written_by is not null;
-- Statistics would keep the accounts and cases of deleted rows.
alter table case_notes
  alter column id set statistics 0,
  alter column case_id set statistics 0,
  alter column written_by set statistics 0;
