-- Reviews: search over the employer's name and place too, counts that are kept, votes, reports,
-- and what the nightly rewrite needs. docs/anonymity.md says why each key is as it is.

alter table reviews drop column search;
alter table reviews
  -- kept equal to the employer's by triggers, so that one index serves a search over both
  add column employer_name text not null default '',
  add column city_key text generated always as (fold(employer_city)) stored,
  add column helpful_count integer not null default 0 check (helpful_count >= 0),
  -- false from each change until the nightly rewrite has given the row another place
  add column settled boolean not null default false,
  add column search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(employer_name || ' ' || position_title)), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(employer_city, '') || ' ' || coalesce(employer_state, '') || ' '
      || coalesce(state_name(employer_state), '') || ' ' || coalesce(specialty, ''))), 'B')
    || to_tsvector('simple', plain_words(
      review_text || ' ' || pros || ' ' || cons || ' ' || coalesce(overall_experience, '')))
  ) stored;

create or replace function reviews_take_place() returns trigger language plpgsql as $$
begin
  select name, state, city into new.employer_name, new.employer_state, new.employer_city
    from public.employers where id = new.employer_id;
  return new;
end $$;

create or replace function reviews_follow_place() returns trigger language plpgsql as $$
begin
  update public.reviews
    set employer_name = new.name, employer_state = new.state, employer_city = new.city
    where employer_id = new.id;
  return null;
end $$;
drop trigger reviews_follow_place on employers;
create trigger reviews_follow_place after update of name, state, city on employers
  for each row
  when ((old.name, old.state, old.city) is distinct from (new.name, new.state, new.city))
  execute function reviews_follow_place();

update reviews set employer_name = employers.name
  from employers where employers.id = reviews.employer_id;

-- Lists. Each index holds what the common filters ask, so that pages far down are found without
-- the rows; the rows of the page alone are then read.
drop index reviews_newest, reviews_by_rating, reviews_by_state, reviews_by_city,
  reviews_by_position;
create index reviews_newest on reviews (created_at desc, id)
  include (employer_state, overall_rating, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_highest on reviews (overall_rating desc, created_at desc, id)
  include (employer_state, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_lowest on reviews (overall_rating, created_at desc, id)
  include (employer_state, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_helpful on reviews (helpful_count desc, created_at desc, id)
  include (employer_state, overall_rating, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_by_recommendation
  on reviews (would_recommend, overall_rating desc, created_at desc, id)
  include (employer_state, is_current_employee)
  where removed_reason is null;
create index reviews_by_state on reviews (employer_state, created_at desc, id)
  include (overall_rating, would_recommend, is_current_employee, helpful_count)
  where removed_reason is null;
create index reviews_by_city on reviews (city_key, created_at desc, id)
  include (employer_state, overall_rating, would_recommend, is_current_employee, helpful_count)
  where removed_reason is null;
create index reviews_by_position on reviews (position_key, created_at desc, id)
  include (employer_state, overall_rating, would_recommend, is_current_employee, helpful_count)
  where removed_reason is null;
create index reviews_search on reviews using gin (search) where removed_reason is null;
create index reviews_removed on reviews (created_at desc, id) where removed_reason is not null;
create index reviews_unsettled on reviews (id) where not settled;

-- Few recommend what they gave one star: without this, the planner would look for such reviews
-- among the newest.
create statistics reviews_kinds (mcv)
  on overall_rating, would_recommend, is_current_employee from reviews;

-- How many published reviews there are of each kind that the common filters tell apart: a few
-- rows to add up, where counting would read the table.
create table review_counts (
  state text not null,
  overall_rating smallint not null,
  would_recommend boolean not null,
  is_current_employee boolean not null,
  total integer not null check (total >= 0),
  primary key (state, overall_rating, would_recommend, is_current_employee)
);

-- What one review adds to the count of its kind (sign 1), or takes away (-1).
create type review_kind as (
  state text,
  overall_rating smallint,
  would_recommend boolean,
  is_current_employee boolean,
  sign integer
);

-- A statement's changes together, in one order for all: two who change the same kinds wait for each
-- other's end, and never in a circle.
create function review_counts_follow() returns trigger language plpgsql as $$
declare
  changes public.review_kind[] := '{}';
  change record;
begin
  if tg_op <> 'INSERT' then
    changes := array(
      select row(coalesce(employer_state, ''), overall_rating, would_recommend,
        is_current_employee, -1)::public.review_kind
      from old_rows where removed_reason is null);
  end if;
  if tg_op <> 'DELETE' then
    changes := changes || array(
      select row(coalesce(employer_state, ''), overall_rating, would_recommend,
        is_current_employee, 1)::public.review_kind
      from new_rows where removed_reason is null);
  end if;
  for change in
    select state, overall_rating, would_recommend, is_current_employee, sum(sign) as more
    from unnest(changes) group by 1, 2, 3, 4 having sum(sign) <> 0 order by 1, 2, 3, 4
  loop
    update public.review_counts kept set total = total + change.more
      where (kept.state, kept.overall_rating, kept.would_recommend, kept.is_current_employee)
        = (change.state, change.overall_rating, change.would_recommend,
          change.is_current_employee);
    if not found then
      insert into public.review_counts
        values (change.state, change.overall_rating, change.would_recommend,
          change.is_current_employee, change.more)
        on conflict (state, overall_rating, would_recommend, is_current_employee)
        do update set total = review_counts.total + excluded.total;
    end if;
  end loop;
  return null;
end $$;
create trigger review_counts_follow_insert after insert on reviews
  referencing new table as new_rows
  for each statement execute function review_counts_follow();
create trigger review_counts_follow_update after update on reviews
  referencing old table as old_rows new table as new_rows
  for each statement execute function review_counts_follow();
create trigger review_counts_follow_delete after delete on reviews
  referencing old table as old_rows
  for each statement execute function review_counts_follow();

-- All counts from the reviews themselves: after a bulk load without triggers.
create function review_counts_recompute() returns void language plpgsql as $$
begin
  truncate public.review_counts;
  insert into public.review_counts
    select coalesce(employer_state, ''), overall_rating, would_recommend, is_current_employee,
      count(*)
    from public.reviews where removed_reason is null group by 1, 2, 3, 4;
end $$;
select review_counts_recompute();

-- The words that reviews are made of: what a mistyped word of a search may have meant.
create table search_words (word text collate "C" primary key);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

create function search_words_learn() returns trigger language plpgsql as $$
begin
  -- Sorted, so that two who bring the same new words do not wait for each other.
  insert into public.search_words
    select lexeme from unnest(new.search) order by lexeme
    on conflict do nothing;
  return null;
end $$;
create trigger search_words_learn after insert or update of employer_name, employer_state,
    employer_city, position_title, specialty, review_text, pros, cons, overall_experience
  on reviews for each row execute function search_words_learn();

-- Forgets the words that no published review has any more, and learns those that a bulk load
-- without triggers has brought.
create function search_words_recompute() returns void language plpgsql as $$
begin
  create temporary table words_now on commit drop as
    select word collate "C" as word from ts_stat(
      'select search from public.reviews where removed_reason is null');
  delete from public.search_words
    where not exists (select from words_now where words_now.word = search_words.word);
  insert into public.search_words select word from words_now order by word
    on conflict do nothing;
  drop table words_now;
end $$;
select search_words_recompute();

-- A search as a query: each word stands for the known words that begin with it or, if there are
-- none, for those most like it. Whole words are found far faster than what begins with something.
create function forgiving_query(search text) returns tsquery language plpgsql stable as $$
declare
  given text;
  meant text[];
  whole tsquery;
  part tsquery;
begin
  foreach given in array string_to_array(public.plain_words(search), ' ')
  loop
    continue when given = '';
    meant := array(
      select word from public.search_words where word like given || '%' order by word limit 31);
    if cardinality(meant) = 0 and length(given) >= 4 then
      meant := array(
        select word from public.search_words
          where word operator(public.%) given and public.similarity(word, given) >= 0.4
          order by public.similarity(word, given) desc, word limit 3);
    end if;
    if cardinality(meant) between 1 and 30 then
      select string_agg(quote_literal(word), ' | ')::tsquery into part from unnest(meant) word;
    else
      part := to_tsquery('simple', quote_literal(given) || ':*');
    end if;
    whole := coalesce(whole && part, part);
  end loop;
  return whole;
end $$;

-- Votes and reports. Who did it is an HMAC bound to the one review: keys of two reviews, or of
-- these two tables, do not tell whether one account is behind both. Checked at commit: the
-- nightly rewrite takes a review out and puts it back.
create table review_votes (
  review_id uuid not null references reviews on delete no action deferrable initially deferred,
  voter_key bytea not null check (octet_length(voter_key) = 32),
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

create function helpful_count_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update public.reviews set helpful_count = helpful_count + 1 where id = new.review_id;
  else
    update public.reviews set helpful_count = helpful_count - 1 where id = old.review_id;
  end if;
  return null;
end $$;
create trigger helpful_count_follow after insert or delete on review_votes
  for each row execute function helpful_count_follow();

-- Every change leaves the row where and when it was made: until the nightly rewrite.
create function reviews_unsettle() returns trigger language plpgsql as $$
begin
  new.settled := false;
  return new;
end $$;
create trigger reviews_unsettle before update on reviews
  for each row execute function reviews_unsettle();

-- Every server hears of every committed change to what the public reads.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('curbside_changed', tg_argv[0]);
  return null;
end $$;
create trigger changed after insert or update or delete or truncate on employers
  for each statement execute function notify_changed('employers');
create trigger changed after insert or update or delete or truncate on position_titles
  for each statement execute function notify_changed('position_titles');
create trigger changed after insert or delete or truncate
  or update of employer_id, employer_name, employer_state, employer_city, overall_rating,
    work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
    compensation_benefits_rating, immigration_support_rating, review_text, pros, cons,
    overall_experience, position_title, specialty, start_year, end_year, would_recommend,
    is_current_employee, removed_reason
  on reviews for each statement execute function notify_changed('reviews');
create trigger changed after insert or delete or truncate on review_votes
  for each statement execute function notify_changed('votes');
