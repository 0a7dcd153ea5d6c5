-- Decisions that take the NPI from an account that has proven it need two verifiers, on two days
-- (docs/verification.md). This is the first of them. No reviews are held for a lost NPI anymore.
create table shared_decisions (
  -- the account that the decision is about
  account_id uuid not null references users on delete cascade,
  decision text not null check (decision in ('verify', 'refuse', 'deny_posting', 'evict', 'ban')),
  -- the id of a verifier's account, or cli
  actor text not null,
  decided_on date not null,
  reason text,
  -- not twice by one verifier
  primary key (account_id, decision, actor),
  -- nor twice on one day
  constraint shared_decisions_one_a_day unique (account_id, decision, decided_on)
)
-- A row stays whole: ids of values out of line would show the order in which they were written.
with (toast_tuple_target = 8160);
-- Statistics would keep the accounts of deleted rows.
alter table shared_decisions
  alter column account_id set statistics 0,
  alter column actor set statistics 0;

drop table npi_disputes;
