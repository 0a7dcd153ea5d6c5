-- What an account has saved, and whether it wants the weekly mail. One value, sealed under the
-- authorship key and bound to the account, always of the same length: neither the row nor a change
-- of it shows what is in it, or how much.
create table saved_lists (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null,
  constraint saved_lists_length check (octet_length(sealed) = 3622)
);
-- Two rows fit a page. In place, so that a row is rewritten with its value every night.
alter table saved_lists alter column sealed set storage plain;

-- How far the weekly mail has got. Accounts get theirs in the order of their random ids, in the
-- transaction that moves this on. So each gets one, however many servers there are.
create table saved_mailings (
  -- the Monday on which it began
  week date primary key check (extract(isodow from week) = 1),
  -- accounts up to this id have theirs
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_done boolean not null default false
);
