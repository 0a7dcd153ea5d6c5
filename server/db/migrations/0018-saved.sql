-- What an account has saved, and whether it wants the weekly mail. One value, sealed under the
-- authorship key and bound to the account, always of the same length: neither the row nor a change
-- to it shows what is in it, or how much.
create table saved_lists (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null,
  constraint saved_lists_length check (octet_length(sealed) = 3622)
);
-- Two rows fit on a page. Stored inline, so that the nightly rewrite also rewrites the value.
alter table saved_lists alter column sealed set storage plain;

-- Progress of the weekly mail. Accounts get theirs in the order of their random ids, in the
-- transaction that advances this. So each gets one, however many servers there are.
create table saved_mailings (
  -- the Monday on which it began
  week date primary key check (extract(isodow from week) = 1),
  -- accounts up to this id have been mailed
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_done boolean not null default false
);
