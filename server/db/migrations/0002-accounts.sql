-- Accounts. The owner of an account is sealed (users.sealed) and found through keyed blind indexes;
-- nothing in this schema names the author of a review. docs/anonymity.md gives the reason for each
-- column.
--
-- PostgreSQL also keeps something of rows outside of them (docs/anonymity.md, "The nightly rewrite").
-- Two settings in these files prevent that:
-- - `toast_tuple_target = 8160`: a row that fits a page stays whole. Values out of line have ids in the
--   order in which they were written, and keep them through an update and through CLUSTER.
--   `scheduled_reviews` and `review_appeals` may be longer: the nightly rewrite writes their values anew.
-- - `statistics 0`: the planner keeps no statistics, which would outlive the rows, of keys, salts,
--   marks, blind indexes, hashes, sealed values, and ids of accounts. The ids of reviews are public.

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
  -- What staff members may do. An account with a role belongs to staff (is_admin), and nobody may
  -- both verify doctors and see reports about their reviews. An office of one is exempt, without
  -- anything in this column: see staff_roles().
  roles text[] not null default '{}',
  -- which of the two ends (roles_end) a staff member left last, and on which day
  end_left text check (end_left in ('doctors', 'reviews')),
  end_left_on date,
  constraint users_email_unique unique (email_index),
  check ((end_left is null) = (end_left_on is null)),
  constraint users_roles_known
    check (roles <@ '{owner,moderator,verifier,curator,auditor}'::text[]),
  constraint users_roles_apart check (not roles @> '{verifier,moderator}'::text[]),
  constraint users_roles_staff check (is_admin = (cardinality(roles) > 0))
)
with (toast_tuple_target = 8160);
alter table users
  alter column id set statistics 0,
  alter column sealed set statistics 0,
  alter column email_index set statistics 0,
  alter column password_hash set statistics 0,
  alter column author_secret set statistics 0,
  alter column recovery_secret set statistics 0,
  alter column author_salt set statistics 0;
create index users_staff on users (id) where is_admin;

-- The roles that count. The only staff account has all of them, whatever is stored. A function, because
-- the planner, which keeps no count of staff, would read all accounts in a query of one.
create function staff_roles(is_admin boolean, roles text[]) returns text[]
language sql stable as $$
  select case
    when is_admin and (select count(*) from (select from users where users.is_admin limit 2) as staff) = 1
    then '{owner,moderator,verifier,curator,auditor}'::text[]
    else roles
  end
$$;

-- If there are two or more staff accounts, one must be an owner. Changes to staff wait for each
-- other, so that two owners cannot leave at the same time.
create function users_keep_owner() returns trigger language plpgsql as $$
begin
  if not (coalesce(old.is_admin, false) or coalesce(new.is_admin, false)) then
    return null;
  end if;
  perform pg_advisory_xact_lock(7346219);
  if (select count(*) from users where is_admin) > 1
    and not exists (select from users where is_admin and roles @> '{owner}'::text[])
  then
    raise exception using errcode = 'check_violation', constraint = 'users_owner',
      message = 'two or more accounts of staff need an owner';
  end if;
  return null;
end
$$;
create trigger users_keep_owner after insert or delete or update of is_admin, roles on users
  for each row execute function users_keep_owner();

-- The end that roles belong to: who a doctor is, or what is decided about reviews. An auditor who
-- is also a verifier reads nothing about reviews.
create function roles_end(roles text[]) returns text language sql immutable as $$
  select case
    when roles @> '{verifier}'::text[] then 'doctors'
    when roles && '{moderator,auditor}'::text[] then 'reviews'
  end
$$;

-- Nobody switches ends before ROLE_SWITCH_DAYS have passed: what somebody has just seen of doctors
-- must not be combined with reports about their reviews. An office of one has all roles anyway.
create function users_roles_wait() returns trigger language plpgsql as $$
declare
  left_end constant text := roles_end(old.roles);
  new_end constant text := roles_end(new.roles);
  today constant date := (now() at time zone 'UTC')::date;
begin
  perform pg_advisory_xact_lock(7346219);
  if left_end is distinct from new_end and left_end is not null then
    new.end_left := left_end;
    new.end_left_on := today;
  end if;
  if new_end <> new.end_left
    and new.end_left_on > today - 30
    and left_end is distinct from new_end
    and exists (select from users where is_admin and id <> new.id)
  then
    raise exception using errcode = 'check_violation', constraint = 'users_roles_wait',
      message = 'whoever knows doctors sees reports only after a while, and the other way round';
  end if;
  return new;
end
$$;
create trigger users_roles_wait before update of roles on users
  for each row when (old.roles <> new.roles) execute function users_roles_wait();

-- A staff member's second factor: its secret, its last used step, the keyed hashes of its recovery
-- codes, and how many wrong codes were entered since. One value, sealed and bound to the account,
-- always of the same length: neither the row nor a change to it shows when a code was used, or how
-- many are left or were wrong.
create table staff_factors (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null
)
with (toast_tuple_target = 8160);
alter table staff_factors
  alter column user_id set statistics 0,
  alter column sealed set statistics 0;

create table doctors (
  user_id uuid primary key references users on delete cascade,
  npi_index bytea not null,
  verified boolean not null default false,
  can_post_reviews boolean not null default false,
  verification_status text not null default 'pending'
    check (verification_status in ('pending', 'needs_proof', 'needs_review', 'passed')),
  -- the first day of a month: reviews of a former account under this NPI stay public until then
  posting_from date check (posting_from = date_trunc('month', posting_from))
)
with (toast_tuple_target = 8160);
alter table doctors
  alter column user_id set statistics 0,
  alter column npi_index set statistics 0;
create index doctors_npi on doctors (npi_index);
-- Anyone can type a published number. Only the verified account owns it.
create unique index doctors_npi_verified on doctors (npi_index) where verified;

-- A session names its account only by a keyed hash. Token hashes and exact times are sealed.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_key bytea not null,
  sealed bytea not null,
  expires_on date not null
)
with (toast_tuple_target = 8160);
alter table sessions
  alter column id set statistics 0,
  alter column account_key set statistics 0,
  alter column sealed set statistics 0;
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
)
with (toast_tuple_target = 8160);
alter table one_time_codes
  alter column details_key set statistics 0,
  alter column address_key set statistics 0,
  alter column sealed set statistics 0;
create index one_time_codes_address on one_time_codes (address_key);

create table password_resets (
  token_hash bytea primary key,
  account_key bytea not null,
  sealed bytea not null
)
with (toast_tuple_target = 8160);
alter table password_resets
  alter column token_hash set statistics 0,
  alter column account_key set statistics 0,
  alter column sealed set statistics 0;
create index password_resets_account on password_resets (account_key);

-- Changes of email addresses that wait for the link in the new mailbox: one per account. The
-- account is named by a keyed hash that joins to no other table, the link by a keyed hash of its
-- token. The account, the address, and the expiry are sealed.
create table email_changes (
  account_key bytea primary key,
  confirm_hash bytea not null,
  sealed bytea not null,
  constraint email_changes_confirm unique (confirm_hash)
)
with (toast_tuple_target = 8160);
alter table email_changes
  alter column account_key set statistics 0,
  alter column confirm_hash set statistics 0,
  alter column sealed set statistics 0;

-- Links in the old mailbox that stop a change of the email address, and undo it for 7 days after it
-- was confirmed. The account and the old address are named by keyed hashes that join to no other
-- table, the link by a keyed hash of its token. The account, address, and password are sealed.
create table email_undos (
  token_hash bytea primary key,
  account_key bytea not null,
  -- while the link is valid, no other account may take the address
  address_key bytea not null,
  sealed bytea not null,
  -- 1 for the first address of the account; addresses that were replaced later rank higher
  rank smallint not null,
  expires_on date not null
)
with (toast_tuple_target = 8160);
alter table email_undos
  alter column token_hash set statistics 0,
  alter column account_key set statistics 0,
  alter column address_key set statistics 0,
  alter column sealed set statistics 0;
create index email_undos_account on email_undos (account_key);
create index email_undos_address on email_undos (address_key);
create index email_undos_expiry on email_undos (expires_on);
