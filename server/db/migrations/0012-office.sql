-- The office: legal demands, what waits for a decision, and the daily mail about it.

-- Legal demands, who sent them, and their outcomes.
create table legal_demands (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('subpoena', 'court_order', 'search_warrant',
    'preservation_request', 'informal_request', 'defamation_notice', 'copyright_notice', 'other')),
  received_on date not null,
  jurisdiction text not null default '',
  -- the review that it is about, if any. No foreign key: the demand outlives a deleted review.
  review_id uuid,
  -- the law forbids telling the author
  gagged boolean not null default false,
  -- null while it is pending
  outcome text check (outcome in ('unable', 'rejected', 'contested', 'complied_in_part', 'complied',
    'withdrawn')),
  decided_on date,
  sender text not null default '',
  docket text not null default '',
  -- by when it must be answered
  due_on date,
  check ((outcome is null) = (decided_on is null))
)
with (toast_tuple_target = 8160);
alter table legal_demands alter column id set statistics 0;
-- Authors read the demands about their reviews with every list of their reviews.
create index legal_demands_by_review on legal_demands (review_id) where review_id is not null;

-- The document of a demand.
create table legal_documents (
  demand_id uuid primary key references legal_demands on delete cascade,
  -- new whenever the document is replaced
  id uuid not null default gen_random_uuid(),
  sealed bytea not null
);
alter table legal_documents
  -- Sealed bytes cannot be compressed. The id of their key is read without the rest.
  alter column sealed set storage external,
  alter column demand_id set statistics 0,
  alter column id set statistics 0,
  alter column sealed set statistics 0;

-- What waits for a decision. A case is about one review, account, employer, or legal demand, and its
-- row is deleted once it is decided: the decision is in the audit log.
create table cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  review_id uuid references reviews on delete no action deferrable initially deferred,
  account_id uuid references users on delete cascade,
  employer_id integer references employers on delete cascade,
  -- 1 is high, 3 is low (docs/moderation.md)
  priority smallint not null check (priority between 1 and 3),
  opened_on date not null,
  -- How exactly that day is known. Otherwise, it is the first day of the week or month.
  period text not null default 'day' check (period in ('day', 'week', 'month')),
  -- the administrator who has claimed it, and until when
  holder uuid references users on delete set null,
  held_until timestamptz,
  -- stays after a release, so that claiming a case again does not extend the claim
  last_holder uuid references users on delete set null,
  -- the moderator whose decision it is about: another one must decide it
  decided_by uuid references users on delete set null,
  demand_id uuid references legal_demands on delete cascade,
  -- The reported text has changed since the report. Set once, so that later edits write nothing.
  edited boolean not null default false,
  -- what a verifier or a curator has asked the person of a case for: a key of
  -- contract/verification/proof-requests.ts
  asked text,
  asked_on date,
  asked_by uuid references users on delete set null,
  -- The person has done something since. When is not stored.
  answered boolean not null default false,
  -- Cases whose day is rounded must not come before those of an exact later day, so they count as
  -- opened on the last day of their week or month. A case that waits for an answer comes after the
  -- others of its priority.
  sorted_on date not null generated always as (
    case
      when asked is not null and not answered then date '9999-12-31'
      when period = 'week' then opened_on + 6
      when period = 'month' then (opened_on + interval '1 month -1 day')::date
      else opened_on
    end
  ) stored,
  -- A copy of the demand's, for the order of the queue, which depends on the day: overdue demands come
  -- first, so no index has that order.
  due_on date,
  constraint cases_one_subject
    check (num_nonnulls(review_id, account_id, employer_id, demand_id) = 1),
  constraint cases_period check (opened_on = date_trunc(period, opened_on::timestamp)),
  constraint cases_weeks check (account_id is null or period = 'week'),
  constraint cases_asked check (
    (asked is null) = (asked_on is null)
    and (asked is not null or (asked_by is null and not answered))
    and (asked is null or account_id is not null)),
  constraint cases_due check (due_on is null or demand_id is not null),
  constraint cases_once
    unique nulls not distinct (kind, review_id, account_id, employer_id, demand_id)
)
with (toast_tuple_target = 8160);
alter table cases
  alter column id set statistics 0,
  alter column account_id set statistics 0,
  alter column holder set statistics 0,
  alter column last_holder set statistics 0,
  alter column decided_by set statistics 0,
  alter column demand_id set statistics 0,
  alter column asked_by set statistics 0;
create index cases_by_review on cases (review_id) where review_id is not null;
create index cases_by_account on cases (account_id) where account_id is not null;
create index cases_by_employer on cases (employer_id) where employer_id is not null;
create index cases_by_demand on cases (demand_id) where demand_id is not null;

-- What staff of a case's role write for each other. Deleted with the case, once it is decided.
create table case_notes (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases on delete cascade,
  written_by uuid references users on delete set null,
  written_on date not null,
  text text not null check (text <> ''),
  -- asks for a second person
  is_question boolean not null default false
)
with (toast_tuple_target = 8160);
alter table case_notes
  alter column id set statistics 0,
  alter column case_id set statistics 0,
  alter column written_by set statistics 0;
create index case_notes_by_case on case_notes (case_id);
create index case_notes_by_author on case_notes (written_by) where written_by is not null;

-- The staff members who get the daily mail about what waits in the office.
create table staff_digests (
  user_id uuid primary key references users on delete cascade,
  -- the last day that was mailed, or had nothing to mail; at first, the day on which it was turned on
  done_on date not null
);
alter table staff_digests alter column user_id set statistics 0;
