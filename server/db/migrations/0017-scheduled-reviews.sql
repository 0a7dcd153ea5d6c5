-- Reviews that go live at a random minute. They are kept separate from `reviews`, so that no list,
-- count, index or trigger of the public pages ever sees one. No column says when a row was written.
create table scheduled_reviews (
  -- becomes the id of the published review
  id uuid primary key default gen_random_uuid(),
  -- as in `reviews`
  author_key bytea not null check (octet_length(author_key) = 32),
  -- the employer, or the name of one that is created when the review is published
  employer_id integer references employers,
  custom_employer text check (custom_employer <> ''),
  custom_employer_key text generated always as (name_key(custom_employer)) stored,
  publish_at timestamptz not null check (publish_at = date_trunc('minute', publish_at)),
  -- its minute came, but it could not be published (OwnReview in contract/reviews.ts)
  held boolean not null default false,
  overall_rating smallint not null check (overall_rating between 1 and 5),
  work_life_balance_rating smallint not null check (work_life_balance_rating between 1 and 5),
  mentorship_growth_rating smallint not null check (mentorship_growth_rating between 1 and 5),
  team_collaboration_rating smallint not null check (team_collaboration_rating between 1 and 5),
  compensation_benefits_rating smallint not null
    check (compensation_benefits_rating between 1 and 5),
  immigration_support_rating smallint check (immigration_support_rating between 1 and 5),
  review_text text not null check (review_text <> ''),
  pros text not null default '',
  cons text not null default '',
  position_title text not null check (position_title <> ''),
  position_key text not null generated always as (name_key(position_title)) stored,
  specialty text,
  start_year smallint not null,
  end_year smallint check (end_year >= start_year),
  would_recommend boolean not null,
  is_current_employee boolean not null,
  check (is_current_employee = (end_year is null)),
  check (num_nonnulls(employer_id, custom_employer) = 1),
  constraint scheduled_reviews_once unique nulls not distinct
    (author_key, employer_id, custom_employer_key, position_key)
);
create index scheduled_reviews_due on scheduled_reviews (publish_at) where not held;

-- Locks an author until the transaction ends, and returns the author's scheduled reviews. "One
-- review per author, employer and position" spans two tables, so no constraint can enforce it
-- alone, and nothing may be written once the account is being deleted.
-- During a key rotation, an author has several keys. Every server knows at least one that every
-- other server knows, so locking all of them is enough; the order prevents deadlocks.
create function hold_author(author_keys bytea[]) returns setof scheduled_reviews
  language plpgsql as $$
declare
  key bytea;
begin
  for key in select distinct k from unnest(author_keys) as k order by k loop
    perform pg_advisory_xact_lock(('x' || encode(substring(key for 8), 'hex'))::bit(64)::bigint);
  end loop;
  -- A new statement, so it sees what the previous holder committed.
  return query select * from public.scheduled_reviews where author_key = any (author_keys);
end $$;
