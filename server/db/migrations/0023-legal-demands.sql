-- Legal demands and their outcomes. The demanding party is not stored.
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
  check ((outcome is null) = (decided_on is null))
);
-- Authors read the demands about their reviews with every list of their reviews.
create index legal_demands_by_review on legal_demands (review_id) where review_id is not null;

-- A case may be about a demand.
alter table cases
  add column demand_id uuid references legal_demands on delete cascade,
  drop constraint cases_check,
  add constraint cases_one_subject
    check (num_nonnulls(review_id, account_id, employer_id, demand_id) = 1),
  drop constraint cases_once,
  add constraint cases_once
    unique nulls not distinct (kind, review_id, account_id, employer_id, demand_id);
create index cases_by_demand on cases (demand_id) where demand_id is not null;

-- Whether there has ever been a demand, for the public record.
create index audit_log_demands on audit_log (happened_on) where action = 'legal.receive';
