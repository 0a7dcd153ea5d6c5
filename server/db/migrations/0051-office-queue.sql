-- Cases whose day is rounded must not come before those of an exact later day, so they count as
-- opened on the last day of their week or month. A report of the first may be a resubmission, which
-- has only the month.
alter table cases add column sorted_on date not null generated always as (
  case
    when account_id is not null then opened_on + 6
    when kind in ('reply', 'correction', 'appeal')
      or (kind = 'report' and extract(day from opened_on) = 1)
    then (opened_on + interval '1 month' - interval '1 day')::date
    else opened_on
  end
) stored;
drop index cases_queue;
create index cases_queue on cases (priority, sorted_on, id);

-- Who decided about a subject, and when.
create index audit_log_subject on audit_log (subject, happened_on);
