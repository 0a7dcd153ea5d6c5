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
);
create index letters_printed on letters (printed_on);

-- Domains whose mailboxes belong to the staff of an institution. Curated; unrelated to accounts.
create table institution_domains (
  domain text primary key,
  kind text not null check (kind in ('employer', 'school', 'society', 'residency')),
  name text not null
);

-- Codes mailed to an institution's mailbox: one per account, valid for minutes. The address is not
-- stored; its keyed mark is, sealed with the code's hash and expiry.
create table mailbox_codes (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null,
  attempts smallint not null default 0
);

-- Mailboxes that have proven an account: a keyed hash of the address, tied to no account and no time.
create table mailbox_marks (
  mark bytea primary key
);
