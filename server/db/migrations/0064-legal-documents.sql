-- Who sent a legal demand, its docket number, by when it must be answered, and the document itself.
alter table legal_demands
  add column sender text not null default '',
  add column docket text not null default '',
  add column due_on date;

create table legal_documents (
  demand_id uuid primary key references legal_demands on delete cascade,
  -- new whenever the document is replaced
  id uuid not null default gen_random_uuid(),
  sealed bytea not null
);
alter table legal_documents
  -- Sealed bytes cannot be compressed. The id of their key is read without the rest.
  alter column sealed set storage external,
  alter column sealed set statistics 0,
  -- Statistics would keep the ids of deleted rows.
  alter column demand_id set statistics 0,
  alter column id set statistics 0;

-- A copy of the demand's, for the order of the queue, which depends on the day: overdue demands come
-- first, so no index has that order.
alter table cases
  add column due_on date,
  add constraint cases_due check (due_on is null or demand_id is not null);
drop index cases_queue;
