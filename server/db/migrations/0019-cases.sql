-- What waits for a decision in the office. A case is about one review, account, or employer, and
-- its row is deleted once it is decided: the decision is in the audit log.
create table cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  review_id uuid references reviews on delete no action deferrable initially deferred,
  account_id uuid references users on delete cascade,
  employer_id integer references employers on delete cascade,
  -- 1 is high, 3 is low (docs/moderation.md)
  priority smallint not null check (priority between 1 and 3),
  -- for an account's case, the Monday of the week
  opened_on date not null,
  -- the administrator who has claimed it, and until when
  holder uuid references users on delete set null,
  held_until timestamptz,
  -- stays after a release, so that claiming a case again does not extend the claim
  last_holder uuid references users on delete set null,
  -- the moderator whose decision it is about: another one must decide it
  decided_by uuid references users on delete set null,
  check (num_nonnulls(review_id, account_id, employer_id) = 1),
  check (account_id is null or extract(isodow from opened_on) = 1),
  constraint cases_once unique nulls not distinct (kind, review_id, account_id, employer_id)
);
create index cases_queue on cases (priority, opened_on, id);
create index cases_by_review on cases (review_id) where review_id is not null;
create index cases_by_account on cases (account_id) where account_id is not null;
create index cases_by_employer on cases (employer_id) where employer_id is not null;

-- A curator reviews every employer that a doctor has added.
create function employer_cases_open() returns trigger language plpgsql as $$
begin
  insert into public.cases (kind, employer_id, priority, opened_on)
    select 'employer', id, 3, (created_at at time zone 'UTC')::date from added where source = 'user';
  return null;
end $$;
create trigger employer_cases_open after insert on employers
  referencing new table as added
  for each statement execute function employer_cases_open();
