-- Votes on reviews, reports of them, what moderators decided, and appeals. A voter or reporter is an
-- HMAC bound to one review: keys of two reviews, or of two tables, do not reveal whether they belong to
-- one account. References to reviews are checked at commit: the nightly rewrite deletes a review and
-- inserts it again. reviews_changed() deletes the rows of a deleted review.

-- Partitioned, like review_authors (0005-reviews.sql).
create table review_votes (
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  voter_key bytea not null
    constraint review_votes_voter_key_check1 check (octet_length(voter_key) = 32),
  -- or not helpful
  helpful boolean not null,
  primary key (review_id, voter_key)
)
partition by hash (review_id);
create table review_votes_0 partition of review_votes
  for values with (modulus 4, remainder 0) with (toast_tuple_target = 8160);
create table review_votes_1 partition of review_votes
  for values with (modulus 4, remainder 1) with (toast_tuple_target = 8160);
create table review_votes_2 partition of review_votes
  for values with (modulus 4, remainder 2) with (toast_tuple_target = 8160);
create table review_votes_3 partition of review_votes
  for values with (modulus 4, remainder 3) with (toast_tuple_target = 8160);
-- Of the partitions too.
alter table review_votes alter column voter_key set statistics 0;

-- The nightly rewrite updates all votes, but not this column. The votes of a deleted review are not
-- counted one by one.
create function helpful_counts_follow() returns trigger language plpgsql as $$
begin
  if new.helpful is distinct from old.helpful
    and exists (select from public.reviews where id = coalesce(new.review_id, old.review_id))
  then
    update public.reviews set
      helpful_count = helpful_count
        + coalesce(new.helpful::integer, 0) - coalesce(old.helpful::integer, 0),
      not_helpful_count = not_helpful_count
        + coalesce((not new.helpful)::integer, 0) - coalesce((not old.helpful)::integer, 0),
      settled = false
    where id = coalesce(new.review_id, old.review_id);
  end if;
  return null;
end $$;
create trigger helpful_counts_follow after insert or delete or update of helpful on review_votes
  for each row execute function helpful_counts_follow();

create table review_reports (
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  reporter_key bytea not null check (octet_length(reporter_key) = 32),
  reason text not null,
  note text not null default '',
  reported_on date not null,
  -- answered by a moderator
  closed boolean not null default false,
  -- when, and with which decision about the review
  closed_on date,
  decision smallint,
  primary key (review_id, reporter_key),
  check (closed_on is null or closed)
)
with (toast_tuple_target = 8160);
alter table review_reports alter column reporter_key set statistics 0;
create index review_reports_open on review_reports (review_id) where not closed;
create index review_reports_answered on review_reports (closed_on, review_id)
  where closed_on is not null;

-- What moderators decided on a review, and why. Deleted with the review; the audit log keeps the rule
-- and the outcome.
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
  -- 'employer': it was hidden because its employer was rejected
  source text not null check (source in ('report', 'screening', 'moderator', 'employer')),
  -- another administrator decides the appeal
  decided_by uuid references users on delete set null,
  constraint review_decisions_order unique (review_id, number)
)
with (toast_tuple_target = 8160);
alter table review_decisions
  alter column id set statistics 0,
  alter column decided_by set statistics 0;
create index review_decisions_by_administrator on review_decisions (decided_by)
  where decided_by is not null;

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
alter table review_appeals alter column decision_id set statistics 0;
