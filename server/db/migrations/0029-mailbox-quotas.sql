-- How many proofs by the mailboxes of a domain count in a month: null for the setting.
alter table institution_domains
  add column proofs_per_month smallint check (proofs_per_month >= 0);

-- The proofs of a month, by a keyed hash of the domain and the month. Names no domain and no account.
create table mailbox_quotas (
  mark bytea primary key,
  -- the first day of the month
  month date not null check (month = date_trunc('month', month)),
  used smallint not null check (used > 0)
);
-- Statistics would keep the hashes of deleted rows.
alter table mailbox_quotas alter column mark set statistics 0;
