-- What moderators decided on a review, and why. Deleted with the review; the audit log keeps the rule
-- and the outcome. Checked at commit, like votes and reports (0010-feedback.sql).
create table review_decisions (
  id uuid primary key default gen_random_uuid(),
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  -- 1, 2, 3, … for each review: the day does not show which came first
  number smallint not null,
  decided_on date not null,
  outcome text not null check (outcome in ('keep', 'remove', 'restore', 'hold')),
  rule text not null,
  -- for the author
  note text not null default '',
  source text not null check (source in ('report', 'screening', 'moderator')),
  -- another administrator decides the appeal; null for a command
  decided_by uuid references users on delete set null,
  constraint review_decisions_order unique (review_id, number)
);
create index review_decisions_by_administrator on review_decisions (decided_by)
  where decided_by is not null;

-- When a moderator answered a report, and with which decision about the review.
alter table review_reports
  add column closed_on date,
  add column decision smallint,
  add check (closed_on is null or closed);
create index review_reports_answered on review_reports (closed_on, review_id)
  where closed_on is not null;

-- An author's appeal, once per decision. It has only the day of its answer: the day it was written
-- would show when the author was online.
create table review_appeals (
  decision_id uuid primary key references review_decisions on delete cascade,
  text text not null,
  outcome text check (outcome in ('uphold', 'overturn')),
  answer text not null default '',
  answered_on date,
  check ((outcome is null) = (answered_on is null))
);
