-- The staff members who get the daily mail about what waits in the office.
create table staff_digests (
  user_id uuid primary key references users on delete cascade,
  -- the last day that was mailed, or had nothing to mail; at first, the day on which it was turned on
  done_on date not null
);
-- Statistics would keep the accounts of deleted rows.
alter table staff_digests alter column user_id set statistics 0;
