-- Proofs that an account belongs to the physician whose NPI it has, and what verifiers decide.

-- What outlives an account, one row per NPI: found by a keyed hash of it, and sealed, so that the
-- index key can be rotated.
create table npi_tombstones (
  npi_index bytea primary key,
  -- the NPI
  sealed bytea not null,
  kind text not null check (kind in ('banned', 'left_reviews')),
  -- the first day of a month; a ban has no end
  ends_on date check (ends_on = date_trunc('month', ends_on)),
  check ((kind = 'banned') = (ends_on is null))
)
with (toast_tuple_target = 8160);
alter table npi_tombstones
  alter column npi_index set statistics 0,
  alter column sealed set statistics 0;

-- Letters with a code to the practice address in the registry: one per account, waiting to be
-- printed or on its way. Address, code and the day of the request are sealed, bound to the
-- account's id.
create table letters (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null,
  -- null: waits to be printed
  printed_on date,
  -- wrong codes
  attempts smallint not null default 0
)
with (toast_tuple_target = 8160);
alter table letters
  alter column user_id set statistics 0,
  alter column sealed set statistics 0;
create index letters_printed on letters (printed_on);

-- Domains whose mailboxes belong to the staff of an institution. Curated; unrelated to accounts.
create table institution_domains (
  domain text primary key,
  kind text not null check (kind in ('employer', 'school', 'society', 'residency')),
  name text not null,
  -- how many proofs by its mailboxes count in a month: null for the setting
  proofs_per_month smallint check (proofs_per_month >= 0)
);

-- Codes mailed to an institution's mailbox: one per account, valid for minutes. The address is not
-- stored; its keyed mark is, sealed with the code's hash and expiry.
create table mailbox_codes (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null,
  attempts smallint not null default 0
)
with (toast_tuple_target = 8160);
alter table mailbox_codes
  alter column user_id set statistics 0,
  alter column sealed set statistics 0;

-- Mailboxes that have proven an account: a keyed hash of the address, tied to no account and no time.
create table mailbox_marks (
  mark bytea primary key
)
with (toast_tuple_target = 8160);
alter table mailbox_marks alter column mark set statistics 0;

-- The proofs of a month, by a keyed hash of the domain and the month. Names no domain and no account.
create table mailbox_quotas (
  mark bytea primary key,
  -- the first day of the month
  month date not null check (month = date_trunc('month', month)),
  used smallint not null check (used > 0)
);
alter table mailbox_quotas alter column mark set statistics 0;

-- Decisions that take the NPI from an account that has proven it need two verifiers, on two days
-- (docs/verification.md). This is the first of them.
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
with (toast_tuple_target = 8160);
alter table shared_decisions
  alter column account_id set statistics 0,
  alter column actor set statistics 0;
