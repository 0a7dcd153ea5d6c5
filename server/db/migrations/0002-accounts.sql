-- Accounts. Who an account belongs to is sealed (users.sealed) and found through keyed blind
-- indexes; nothing in this schema names the author of a review. docs/anonymity.md says why each
-- column is as it is.

create table users (
  id uuid primary key default gen_random_uuid(),
  -- e-mail, username, names, NPI, day of joining, and what verification came to: AES-256-GCM, key
  -- id inside, bound to the id
  sealed bytea not null,
  email_index bytea not null,
  password_hash text not null,
  -- what keys the reviews of an account that has locked them: wrapped under the password and under
  -- the recovery code. Of any other account as many random bytes
  author_secret bytea not null check (octet_length(author_secret) = 60),
  recovery_secret bytea not null check (octet_length(recovery_secret) = 60),
  -- of every account, sealed under the authorship key
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
  -- the first day of a month: reviews of a former account under this NPI stand until then
  posting_from date check (posting_from = date_trunc('month', posting_from))
);
create index doctors_npi on doctors (npi_index);
-- Anyone can type a number that the government publishes: it belongs to whoever is verified.
create unique index doctors_npi_verified on doctors (npi_index) where verified;

-- A session names its account by a keyed hash alone. Token hashes and exact times are sealed.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_key bytea not null,
  sealed bytea not null,
  expires_on date not null
);
create index sessions_account on sessions (account_key);
create index sessions_expiry on sessions (expires_on);

-- Several sign-ups may wait for one address. Each is bound to the very details that asked for it:
-- a keyed hash of address, names, NPI and the argon2id hash of the password.
create table one_time_codes (
  details_key bytea primary key,
  address_key bytea not null,
  -- the code's hash and its expiry
  sealed bytea not null,
  -- wrong codes since the last one was sent, and in all
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

-- Changes of e-mail addresses that wait for the link in the new mailbox: one per account. The
-- account is named by a keyed hash that joins to no other table, the links by keyed hashes of
-- their tokens. Who, which address and until when is sealed.
create table email_changes (
  account_key bytea primary key,
  confirm_hash bytea not null,
  stop_hash bytea not null,
  sealed bytea not null,
  constraint email_changes_confirm unique (confirm_hash),
  constraint email_changes_stop unique (stop_hash)
);

-- Rate limits. A window ends at a full hour or day; its salt goes with it, and nobody can make the
-- keys of its counters again. Unlogged: neither the write-ahead log nor a base backup has any of it.
create unlogged table rate_limit_salts (
  window_length text not null check (window_length in ('hour', 'day')),
  ends_at timestamptz not null,
  salt bytea not null,
  primary key (window_length, ends_at)
);

create unlogged table rate_limits (
  -- HMAC of the window's salt, the limit's name, and whom it is about
  key bytea primary key,
  points integer not null,
  -- at a full five minutes; only where a limit backs off, and its points are used up
  blocked_until timestamptz,
  ends_at timestamptz not null
);
create index rate_limits_end on rate_limits (ends_at);

-- What administrators and commands did. It names no author, and no reader.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  happened_on date not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_log_day on audit_log (happened_on, id);
