-- What accounts have saved, and the weekly mail about it.

-- What an account has saved, and whether it wants the weekly mail. One value, sealed under the
-- authorship key and bound to the account, always of the same length: neither the row nor a change
-- to it shows what is in it, or how much.
create table saved_lists (
  -- A foreign key would lock the account's row, and so leave the saving transaction in it (`xmax`). The
  -- account's lock orders saving and deletion (lockAccounts in account-queries.ts).
  user_id uuid primary key,
  sealed bytea not null,
  constraint saved_lists_length check (octet_length(sealed) = 3622)
)
with (toast_tuple_target = 8160);
alter table saved_lists
  alter column user_id set statistics 0,
  alter column sealed set statistics 0;

-- In place of the foreign key.
create function saved_lists_gone() returns trigger language plpgsql as $$
begin
  delete from public.saved_lists where user_id in (select id from gone);
  return null;
end
$$;
create trigger saved_lists_gone after delete on users
  referencing old table as gone
  for each statement execute function saved_lists_gone();

-- Progress of the weekly mail. Accounts get theirs in the order of their random ids, in the
-- transaction that advances this. So each gets one, however many servers there are.
create table saved_mailings (
  -- the Monday on which it began
  week date primary key check (extract(isodow from week) = 1),
  -- accounts up to this id have been mailed
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_done boolean not null default false
);
alter table saved_mailings alter column done_to set statistics 0;
