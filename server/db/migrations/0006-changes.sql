-- What follows from employers and reviews: ratings, the words of searches, and the triggers that keep
-- them and all other tables about employers and reviews up to date. One trigger per event: its steps
-- take their locks in the order of docs/architecture.md, "Lock order".

-- The ratings of these employers, from their published reviews. Their rows are locked before the
-- reviews are read, so the second of two transactions sees what the first one committed. The order of
-- ids prevents deadlocks. The weight 5 and the prior 3 of `established` are ESTABLISHED_WEIGHT and
-- ESTABLISHED_PRIOR (docs/product/employers.md).
create function employer_ratings_recompute(changed integer[]) returns void language plpgsql as $$
begin
  perform from public.employer_ratings
    where employer_id = any (changed) order by employer_id for no key update;
  with sums as materialized (
    select employer_id, specialty, count(*) as total,
      count(*) filter (where would_recommend) as recommended, sum(overall_rating) as overall,
      sum(work_life_balance_rating) as work_life_balance,
      sum(mentorship_growth_rating) as mentorship_growth,
      sum(team_collaboration_rating) as team_collaboration,
      sum(compensation_benefits_rating) as compensation_benefits,
      coalesce(sum(immigration_support_rating), 0) as immigration_support,
      count(immigration_support_rating) as immigration_answers
    from public.reviews where removed_reason is null and employer_id = any (changed)
    group by employer_id, specialty
  ),
  dropped as (
    delete from public.employer_specialties kept
    where employer_id = any (changed) and not exists (
      select from sums where sums.employer_id = kept.employer_id and sums.specialty = kept.specialty)
  ),
  written as (
    insert into public.employer_specialties
    select * from sums where specialty is not null
    except select * from public.employer_specialties where employer_id = any (changed)
    on conflict (employer_id, specialty) do update set
      total = excluded.total,
      recommended = excluded.recommended,
      overall = excluded.overall,
      work_life_balance = excluded.work_life_balance,
      mentorship_growth = excluded.mentorship_growth,
      team_collaboration = excluded.team_collaboration,
      compensation_benefits = excluded.compensation_benefits,
      immigration_support = excluded.immigration_support,
      immigration_answers = excluded.immigration_answers
  )
  update public.employer_ratings kept set
    total_reviews = coalesce(total, 0),
    overall_rating = round(overall / total, 4),
    established = (5 * 3 + overall)::double precision / (5 + total),
    avg_work_life_balance_rating = round(work_life_balance / total, 4),
    avg_mentorship_growth_rating = round(mentorship_growth / total, 4),
    avg_team_collaboration_rating = round(team_collaboration / total, 4),
    avg_compensation_benefits_rating = round(compensation_benefits / total, 4),
    avg_immigration_support_rating = round(immigration_support / nullif(immigration_answers, 0), 4)
  from unnest(changed) id left join (
    select employer_id as reviewed, sum(total) as total, sum(overall) as overall,
      sum(work_life_balance) as work_life_balance, sum(mentorship_growth) as mentorship_growth,
      sum(team_collaboration) as team_collaboration,
      sum(compensation_benefits) as compensation_benefits,
      sum(immigration_support) as immigration_support,
      sum(immigration_answers) as immigration_answers
    from sums group by employer_id
  ) of_employer on reviewed = id
  where kept.employer_id = id;
end $$;

-- What an employer's page counts. No list is ordered by these, so they are read from the reviews.

-- Reviews by stars: of each rating; and of 'would_recommend', with 1 for yes and 0 for no.
create view employer_stars as
  select employer_id, category, stars, count(*)::integer as number
  from reviews, lateral (values
    ('overall', overall_rating),
    ('work_life_balance', work_life_balance_rating),
    ('mentorship_growth', mentorship_growth_rating),
    ('team_collaboration', team_collaboration_rating),
    ('compensation_benefits', compensation_benefits_rating),
    ('immigration_support', immigration_support_rating),
    ('would_recommend', would_recommend::integer::smallint)
  ) given (category, stars)
  where removed_reason is null and stars is not null
  group by employer_id, category, stars;

-- Reviews by year (UTC), and by current and former employees.
create view employer_years as
  select employer_id, extract(year from created_at at time zone 'UTC')::smallint as year,
    is_current_employee, count(*)::integer as total, sum(overall_rating)::integer as overall
  from reviews where removed_reason is null group by 1, 2, 3;

-- Reviews that mention a concern.
create view employer_concerns as
  select employer_id, concern, count(*)::integer as total
  from reviews, unnest(concerns) concern where removed_reason is null group by 1, 2;

-- The words of reviews, for correcting searches, in the shape of `employer_words`.
create table search_words (
  word text collate "C" not null,
  -- only for words that a search may be corrected to: the number of spellings grows with the length
  spellings text[] not null generated always as
    (case when word ~ '^[a-z]{4,30}$' then spellings(word) else '{}' end) stored
);
create index search_words_word on search_words (word);
create index search_words_spellings on search_words using gin (spellings);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

-- Deletes duplicates, and words that no published review has anymore; adds those of reviews that were
-- loaded without triggers.
create function words_recompute() returns void language plpgsql as $$
begin
  -- One at a time; inserts continue.
  lock table public.search_words, public.employer_words in share update exclusive mode;
  create temporary table words_now on commit drop as
    select word collate "C" as word from ts_stat(
      'select search from public.reviews where removed_reason is null')
    where word not like '=%';
  delete from public.search_words
    where not exists (select from words_now where words_now.word = search_words.word);
  delete from public.search_words again using public.search_words first
    where again.word = first.word and again.ctid > first.ctid;
  insert into public.search_words (word) select word from words_now
    where not exists (select from public.search_words known where known.word = words_now.word);
  drop table words_now;
  delete from public.employer_words again using public.employer_words first
    where again.word = first.word and again.ctid > first.ctid;
end $$;

-- What a change to employers changes elsewhere, in the same transaction.
create function employers_changed() returns trigger language plpgsql as $$
declare
  moved integer[];
begin
  if tg_op = 'INSERT' then
    insert into public.employer_ratings (employer_id) select id from new_rows;
    -- A curator reviews every employer that a doctor has added.
    insert into public.cases (kind, employer_id, priority, opened_on)
      select 'employer', id, 3, (created_at at time zone 'UTC')::date
      from new_rows where source = 'user';
  else
    moved := array(
      select after.id from new_rows after join old_rows before using (id)
      where (before.name, before.state, before.city)
        is distinct from (after.name, after.state, after.city));
    if cardinality(moved) > 0 then
      -- The reviews of all these employers, locked in id order.
      perform from public.reviews where employer_id = any(moved) order by id for update;
      update public.reviews
        set employer_name = name, employer_state = state, employer_city = city, settled = false
        from public.employers
        where employers.id = employer_id and employer_id = any(moved);
    end if;
  end if;
  insert into public.employer_words (word)
    select distinct lexeme from new_rows, unnest(search)
    where weights && '{A,B,C}' and lexeme ~ '^[a-z]{4,30}$'
      and not exists (select from public.employer_words known where known.word = lexeme);
  return null;
end $$;
create trigger employers_inserted after insert on employers
  referencing new table as new_rows
  for each statement execute function employers_changed();
create trigger employers_updated after update on employers
  referencing old table as old_rows new table as new_rows
  for each statement execute function employers_changed();

-- What a change to reviews changes elsewhere, in the same transaction; and what the deletion of waiting
-- ones does. Refuses to make a review of a rejected employer public: a rejection locks `reviews`, so
-- this either sees it, or its review is hidden with the others. One plan serves all values: planning
-- again would take longer than running.
create function reviews_changed() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan as $$
declare
  gone uuid[];
  -- The employers of reviews that become public.
  shown integer[] := '{}';
  -- Read first: with the reviews in its query, adding words could read all known words for each vote.
  lexemes text[] := '{}';
begin
  if tg_op = 'INSERT' then
    shown := array(
      select distinct employer_id from new_rows where removed_reason is null order by 1);
    perform public.employer_ratings_recompute(shown);
    lexemes := array(select distinct unnest(tsvector_to_array(search)) from new_rows);
  elsif tg_op = 'UPDATE' then
    -- Every change clears `settled`, even by a statement that does not say so.
    if exists (select from new_rows where settled) then
      update public.reviews set settled = false where id = any (array(select id from new_rows));
    end if;
    shown := array(
      select after.employer_id from old_rows before join new_rows after using (id)
      where after.removed_reason is null
        and (before.removed_reason is not null or before.employer_id <> after.employer_id));
    -- Votes change no rating.
    perform public.employer_ratings_recompute(array(
      select distinct changed from old_rows before join new_rows after using (id),
        unnest(array[before.employer_id, after.employer_id]) changed
      where (before.employer_id, before.removed_reason is null, before.specialty,
          before.would_recommend, before.overall_rating, before.work_life_balance_rating,
          before.mentorship_growth_rating, before.team_collaboration_rating,
          before.compensation_benefits_rating, before.immigration_support_rating)
        is distinct from (after.employer_id, after.removed_reason is null, after.specialty,
          after.would_recommend, after.overall_rating, after.work_life_balance_rating,
          after.mentorship_growth_rating, after.team_collaboration_rating,
          after.compensation_benefits_rating, after.immigration_support_rating)
      order by 1));
    lexemes := array(
      select distinct unnest(tsvector_to_array(after.search))
      from old_rows before join new_rows after using (id) where before.search <> after.search);
  else
    gone := array(select id from old_rows);
    if tg_table_name = 'reviews' then
      delete from public.departing_reviews where review_id = any (gone);
      perform public.employer_ratings_recompute(array(
        select distinct employer_id from old_rows where removed_reason is null order by 1));
      delete from public.review_votes where review_id = any (gone);
      delete from public.review_reports where review_id = any (gone);
      delete from public.cases where review_id = any (gone);
      delete from public.review_decisions where review_id = any (gone);
      delete from public.review_replies where review_id = any (gone);
    end if;
    -- The author's row goes with the review, published or waiting. In id order, which prevents
    -- deadlocks with a key rotation.
    perform from public.review_authors where review_id = any (gone) order by review_id for update;
    delete from public.review_authors where review_id = any (gone);
  end if;
  if exists (
    select from public.employers where id = any (shown) and rejected_for is not null)
  then
    raise exception using errcode = 'check_violation', constraint = 'reviews_of_rejected',
      message = 'the employer has been rejected';
  end if;
  insert into public.search_words (word)
    select lexeme from unnest(lexemes) lexeme
    where lexeme not like '=%'
      and not exists (select from public.search_words known where known.word = lexeme);
  return null;
end $$;
create trigger reviews_inserted after insert on reviews
  referencing new table as new_rows
  for each statement execute function reviews_changed();
create trigger reviews_updated after update on reviews
  referencing old table as old_rows new table as new_rows
  for each statement execute function reviews_changed();
create trigger reviews_deleted after delete on reviews
  referencing old table as old_rows
  for each statement execute function reviews_changed();
create trigger scheduled_reviews_deleted after delete on scheduled_reviews
  referencing old table as old_rows
  for each statement execute function reviews_changed();
