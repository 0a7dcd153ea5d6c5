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

create function helpful_counts_follow() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update public.reviews set
      helpful_count = helpful_count - old.helpful::integer,
      not_helpful_count = not_helpful_count - (not old.helpful)::integer
    where id = old.review_id;
  end if;
  if tg_op <> 'DELETE' then
    update public.reviews set
      helpful_count = helpful_count + new.helpful::integer,
      not_helpful_count = not_helpful_count + (not new.helpful)::integer
    where id = new.review_id;
  end if;
  return null;
end $$;
create trigger helpful_counts_follow after insert or delete or update of helpful on review_votes
  for each row execute function helpful_counts_follow();
