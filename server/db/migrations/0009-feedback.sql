-- Votes and reports. Who did it is an HMAC bound to the one review: keys of two reviews, or of
-- these two tables, do not tell whether one account is behind both. Checked at commit: the
-- nightly rewrite takes a review out and puts it back.
create table review_votes (
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  voter_key bytea not null check (octet_length(voter_key) = 32),
  -- or not helpful
  helpful boolean not null,
  primary key (review_id, voter_key)
);
create table review_reports (
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  reporter_key bytea not null check (octet_length(reporter_key) = 32),
  reason text not null,
  note text not null default '',
  reported_on date not null,
  -- answered by a moderator
  closed boolean not null default false,
  primary key (review_id, reporter_key)
);
create index review_reports_open on review_reports (review_id) where not closed;

create function review_feedback_goes() returns trigger language plpgsql as $$
begin
  delete from public.review_votes where review_id in (select id from gone);
  delete from public.review_reports where review_id in (select id from gone);
  return null;
end $$;
create trigger review_feedback_goes after delete on reviews
  referencing old table as gone for each statement execute function review_feedback_goes();

-- One review after the other in the order of their ids: two statements that add votes to the same
-- reviews wait for each other, and never in a circle.
create function helpful_counts_follow() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  change record;
begin
  for change in
    select review_id, sign * count(*) filter (where helpful) as helpful,
      sign * count(*) filter (where not helpful) as not_helpful
    from votes group by review_id order by review_id
  loop
    update public.reviews set
      helpful_count = helpful_count + change.helpful,
      not_helpful_count = not_helpful_count + change.not_helpful
    where id = change.review_id;
  end loop;
  return null;
end $$;
create trigger helpful_counts_follow_insert after insert on review_votes
  referencing new table as votes
  for each statement execute function helpful_counts_follow();
create trigger helpful_counts_follow_delete after delete on review_votes
  referencing old table as votes
  for each statement execute function helpful_counts_follow();

-- For each row, since a statement turns one vote at most. The nightly rewrite updates all votes, but
-- not this column.
create function helpful_counts_turn() returns trigger language plpgsql as $$
declare
  change integer := new.helpful::integer - old.helpful::integer;
begin
  update public.reviews set
    helpful_count = helpful_count + change, not_helpful_count = not_helpful_count - change
  where id = new.review_id;
  return null;
end $$;
create trigger helpful_counts_turn after update of helpful on review_votes
  for each row when (old.helpful <> new.helpful) execute function helpful_counts_turn();
