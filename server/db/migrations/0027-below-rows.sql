-- What PostgreSQL keeps of rows outside of them (docs/anonymity.md, "Below the rows").

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
