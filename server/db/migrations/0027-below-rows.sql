-- What PostgreSQL keeps of rows outside of them (docs/anonymity.md, "The nightly rewrite").

-- Values out of line have ids in the order in which they were written, and keep them through an
-- update and through CLUSTER. Rows that fit a page stay whole. `scheduled_reviews` and
-- `review_appeals` may be longer: the nightly rewrite writes their values anew.
do $$
declare
  whole text;
  fresh text;
begin
  foreach whole in array array[
    'users', 'doctors', 'sessions', 'one_time_codes', 'password_resets', 'email_changes',
    'email_undos', 'letters', 'mailbox_codes', 'mailbox_marks', 'npi_tombstones', 'npi_disputes',
    'saved_lists', 'staff_factors', 'representatives', 'review_votes', 'review_reports',
    'review_decisions', 'review_replies', 'reply_reports', 'departing_reviews',
    'employer_corrections', 'legal_demands', 'cases', 'audit_log', 'rate_limits', 'rate_limit_salts'
  ] loop
    execute format('alter table %I set (toast_tuple_target = 8160)', whole);
    -- Only a new value leaves its old place.
    select string_agg(format(case atttypid
        when 'jsonb'::regtype then '%1$I = %1$I::text::jsonb'
        else '%1$I = %1$I || ''''::%2$s'
      end, attname, atttypid::regtype), ', ')
    into fresh
    from pg_attribute
    where attrelid = whole::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid in ('text'::regtype, 'bytea'::regtype, 'jsonb'::regtype);
    if fresh is not null then execute format('update %I set %s', whole, fresh); end if;
  end loop;
end $$;

-- Statistics for the planner keep values after their rows are gone. There are none of keys, salts,
-- marks, blind indexes, hashes, sealed values, and ids of accounts. The ids of reviews are public.
-- Changing a column's type, even to the same one, removes the statistics that it has.
do $$
declare
  kept record;
begin
  for kept in
    select attrelid::regclass as of, string_agg(format(
      'alter column %1$I type %2$s, alter column %1$I set statistics 0',
      attname, atttypid::regtype), ', ') as changes
    from pg_attribute join pg_class on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0
      and not attisdropped
      and (atttypid = 'bytea'::regtype
        or atttypid = 'uuid'::regtype
          and not (relname in ('reviews', 'lineage') and attname = 'id')
          and not (relname <> 'departing_reviews' and attname = 'review_id')
        or (relname, attname) in (('users', 'password_hash'), ('audit_log', 'actor'),
          ('audit_log', 'subject'), ('rate_limits', 'points'), ('rate_limits', 'blocked_until'),
          ('rate_limits', 'ends_at'), ('rate_limit_salts', 'window_length'),
          ('rate_limit_salts', 'ends_at')))
    group by attrelid
  loop
    execute format('alter table %s %s', kept.of, kept.changes);
  end loop;
end $$;

-- A foreign key locks the account's row, and so leaves the saving transaction in it (`xmax`). The
-- account's lock orders saving and deletion (lockAccounts in account-queries.ts).
alter table saved_lists drop constraint saved_lists_user_id_fkey;
create function saved_lists_gone() returns trigger language plpgsql as $$
begin
  delete from public.saved_lists where user_id in (select id from gone);
  return null;
end
$$;
create trigger saved_lists_gone after delete on users
  referencing old table as gone
  for each statement execute function saved_lists_gone();
