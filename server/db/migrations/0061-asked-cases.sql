-- What a verifier or a curator has asked the person of a case for. Deleted with the case.
alter table cases
  -- a key of contract/proof-requests.ts
  add column asked text,
  add column asked_on date,
  add column asked_by uuid references users on delete set null,
  -- The person has done something since. When is not stored.
  add column answered boolean not null default false,
  add constraint cases_asked check (
    (asked is null) = (asked_on is null)
    and (asked is not null or (asked_by is null and not answered))
    and (asked is null or account_id is not null)),
  drop column sorted_on;

-- As before. A case that waits for an answer comes after the others of its priority.
alter table cases add column sorted_on date not null generated always as (
  case
    when asked is not null and not answered then date '9999-12-31'
    when account_id is not null then opened_on + 6
    when kind in ('reply', 'correction', 'appeal')
      or (kind = 'report' and extract(day from opened_on) = 1)
    then (opened_on + interval '1 month' - interval '1 day')::date
    else opened_on
  end
) stored;
create index cases_queue on cases (priority, sorted_on, id);
-- Statistics would keep the accounts of deleted rows.
alter table cases alter column asked_by set statistics 0;
