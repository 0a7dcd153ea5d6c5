-- What staff members may do. An account with a role belongs to staff (is_admin), and nobody may
-- both verify doctors and see reports about their reviews. An office of one is exempt, without
-- anything in this column: see staff_roles().
alter table users
  add column roles text[] not null default '{}',
  -- which of the two ends (roles_end) a staff member left last, and on which day
  add column end_left text check (end_left in ('doctors', 'reviews')),
  add column end_left_on date,
  add check ((end_left is null) = (end_left_on is null));
update users set roles = '{owner,moderator,curator}' where is_admin;
alter table users
  add constraint users_roles_known
    check (roles <@ '{owner,moderator,verifier,curator,auditor}'::text[]),
  add constraint users_roles_apart check (not roles @> '{verifier,moderator}'::text[]),
  add constraint users_roles_staff check (is_admin = (cardinality(roles) > 0));
create index users_staff on users (id) where is_admin;

-- The roles that count. The only staff account has all of them, whatever is stored.
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
create trigger users_staff_added after insert on users
  for each row when (new.is_admin) execute function users_keep_owner();
create trigger users_staff_changed after update of is_admin, roles on users
  for each row when (old.is_admin or new.is_admin) execute function users_keep_owner();
create trigger users_staff_gone after delete on users
  for each row when (old.is_admin) execute function users_keep_owner();

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
);
