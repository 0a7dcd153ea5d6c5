-- Accounts. The owner of an account is sealed (users.sealed) and found through keyed blind indexes;
-- nothing in this schema names the author of a review. docs/anonymity.md gives the reason for each
-- column.

create table users (
  id uuid primary key default gen_random_uuid(),
  -- email, username, names, NPI, day of joining, and the verification result: AES-256-GCM, with the
  -- key id inside, bound to the id
  sealed bytea not null,
  email_index bytea not null,
  password_hash text not null,
  -- for an account with locked reviews, what keys them: wrapped under the password and under the
  -- recovery code. For any other account, the same number of random bytes
  author_secret bytea not null check (octet_length(author_secret) = 60),
  recovery_secret bytea not null check (octet_length(recovery_secret) = 60),
  -- for every account, sealed under the authorship key
  author_salt bytea not null,
  is_admin boolean not null default false,
  constraint users_email_unique unique (email_index)
);

create table doctors (
  user_id uuid primary key references users on delete cascade,
  npi_index bytea not null,
  verified boolean not null default false,
  can_post_reviews boolean not null default false,
  verification_status text not null default 'pending'
    check (verification_status in ('pending', 'needs_proof', 'needs_review', 'passed')),
  -- the first day of a month: reviews of a former account under this NPI stay public until then
  posting_from date check (posting_from = date_trunc('month', posting_from))
);
create index doctors_npi on doctors (npi_index);
-- Anyone can type a published number. Only the verified account owns it.
create unique index doctors_npi_verified on doctors (npi_index) where verified;

-- A session names its account only by a keyed hash. Token hashes and exact times are sealed.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_key bytea not null,
  sealed bytea not null,
  expires_on date not null
);
create index sessions_account on sessions (account_key);
create index sessions_expiry on sessions (expires_on);

-- Several sign-ups may wait for one address. Each is bound to the exact details that requested it:
-- a keyed hash of address, names, NPI and the argon2id hash of the password.
create table one_time_codes (
  details_key bytea primary key,
  address_key bytea not null,
  -- the code's hash and its expiry
  sealed bytea not null,
  -- wrong codes since the last one was sent, and in total
  attempts smallint not null default 0,
  attempts_total smallint not null default 0
);
create index one_time_codes_address on one_time_codes (address_key);

create table password_resets (
  token_hash bytea primary key,
  account_key bytea not null,
  sealed bytea not null
);
create index password_resets_account on password_resets (account_key);

-- Changes of email addresses that wait for the link in the new mailbox: one per account. The
-- account is named by a keyed hash that joins to no other table, the links by keyed hashes of their
-- tokens. The account, the address, and the expiry are sealed.
create table email_changes (
  account_key bytea primary key,
  confirm_hash bytea not null,
  stop_hash bytea not null,
  sealed bytea not null,
  constraint email_changes_confirm unique (confirm_hash),
  constraint email_changes_stop unique (stop_hash)
);

-- Rate limits. A window ends on the hour or at midnight. Its salt is deleted with it, so nobody can
-- recompute the keys of its counters. Unlogged: neither the write-ahead log nor a base backup has
-- any of it.
create unlogged table rate_limit_salts (
  window_length text not null check (window_length in ('hour', 'day')),
  ends_at timestamptz not null,
  salt bytea not null,
  primary key (window_length, ends_at)
);

create unlogged table rate_limits (
  -- HMAC of the window's salt, the limit's name, and the subject
  key bytea primary key,
  points integer not null,
  -- rounded up to five minutes; only if a limit backs off and its points are used up
  blocked_until timestamptz,
  ends_at timestamptz not null
);
create index rate_limits_end on rate_limits (ends_at);

-- What administrators and commands did. It names no author and no reader.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  happened_on date not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_log_day on audit_log (happened_on, id);
