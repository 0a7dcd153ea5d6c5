-- What follows from reviews: counts, the words of searches, and the trigger that keeps them and all
-- other tables about reviews up to date.

-- The number of published reviews for each combination of the common filters: a few rows to add up
-- instead of counting reviews.
create table review_counts (
  -- '*' for all positions combined: no key has punctuation
  position_key text not null,
  -- '*' for all specialties combined, and '' for none
  specialty text not null,
  state text not null,
  overall_rating smallint not null,
  would_recommend boolean not null,
  is_current_employee boolean not null,
  total integer not null,
  primary key (position_key, specialty, state, overall_rating, would_recommend, is_current_employee)
);

-- In key order, which prevents deadlocks. Titles without reviews are deleted.
create function review_counts_add(changes review_counts[]) returns void language plpgsql as $$
begin
  insert into public.review_counts as kept
    select position_key, specialty, state, overall_rating, would_recommend, is_current_employee,
      sum(total)
    from unnest(changes)
    group by 1, 2, 3, 4, 5, 6 having sum(total) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict
      (position_key, specialty, state, overall_rating, would_recommend, is_current_employee)
    do update set total = kept.total + excluded.total;
  if exists (select from unnest(changes) where total < 0) then
    delete from public.review_counts kept using unnest(changes) change
      where kept.total = 0
        and (kept.position_key, kept.specialty, kept.state, kept.overall_rating,
          kept.would_recommend, kept.is_current_employee)
        = (change.position_key, change.specialty, change.state, change.overall_rating,
          change.would_recommend, change.is_current_employee);
  end if;
end $$;

-- All counts from the reviews themselves, after a bulk load without triggers.
create function review_counts_recompute() returns void language plpgsql as $$
begin
  truncate public.review_counts;
  insert into public.review_counts
    select one_title, one_field, coalesce(employer_state, ''), overall_rating, would_recommend,
      is_current_employee, count(*)
    from public.reviews, unnest(array[position_key, '*']) one_title,
      unnest(array[coalesce(specialty, ''), '*']) one_field
    where removed_reason is null group by 1, 2, 3, 4, 5, 6;
end $$;

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

create function search_words_add(lexemes text[]) returns void language plpgsql as $$
begin
  insert into public.search_words (word)
    select lexeme from unnest(lexemes) lexeme
    where lexeme not like '=%'
      and not exists (select from public.search_words known where known.word = lexeme);
end $$;

-- Deletes words that no published review has anymore, and duplicates; adds those from a bulk load
-- without triggers.
create function search_words_recompute() returns void language plpgsql as $$
begin
  -- One at a time; inserts continue.
  lock table public.search_words in share update exclusive mode;
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
end $$;

-- What a change to reviews changes elsewhere, in the same transaction. One trigger per event: the
-- steps take their locks in the order of docs/architecture.md, "Lock order". One plan serves all
-- values: planning again would take longer than running.
create function reviews_changed() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan as $$
declare
  stars public.employer_stars[] := '{}';
  counts public.review_counts[] := '{}';
  specialties public.employer_specialties[] := '{}';
  years public.employer_years[] := '{}';
  concerns public.employer_concerns[] := '{}';
begin
  if tg_op <> 'INSERT' then
    stars := array(select given from old_rows, public.stars_given(employer_id, -1, overall_rating,
      work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
      compensation_benefits_rating, immigration_support_rating, would_recommend) given
      where removed_reason is null);
    counts := array(select row(one_title, one_field, coalesce(employer_state, ''),
      overall_rating, would_recommend, is_current_employee, -1)::public.review_counts
      from old_rows, unnest(array[position_key, '*']) one_title,
        unnest(array[coalesce(specialty, ''), '*']) one_field
      where removed_reason is null);
    specialties := array(select public.specialty_given(employer_id, specialty, -1,
      overall_rating, work_life_balance_rating, mentorship_growth_rating,
      team_collaboration_rating, compensation_benefits_rating, immigration_support_rating,
      would_recommend)
      from old_rows where removed_reason is null and specialty is not null);
    years := array(select public.year_given(employer_id, -1, created_at, is_current_employee,
      overall_rating) from old_rows where removed_reason is null);
    concerns := array(select row(employer_id, concern, -1)::public.employer_concerns
      from old_rows, unnest(old_rows.concerns) concern where removed_reason is null);
  end if;
  if tg_op <> 'DELETE' then
    stars := stars || array(select given from new_rows, public.stars_given(employer_id, 1,
      overall_rating, work_life_balance_rating, mentorship_growth_rating,
      team_collaboration_rating, compensation_benefits_rating, immigration_support_rating,
      would_recommend) given
      where removed_reason is null);
    counts := counts || array(select row(one_title, one_field, coalesce(employer_state, ''),
      overall_rating, would_recommend, is_current_employee, 1)::public.review_counts
      from new_rows, unnest(array[position_key, '*']) one_title,
        unnest(array[coalesce(specialty, ''), '*']) one_field
      where removed_reason is null);
    specialties := specialties || array(select public.specialty_given(employer_id, specialty, 1,
      overall_rating, work_life_balance_rating, mentorship_growth_rating,
      team_collaboration_rating, compensation_benefits_rating, immigration_support_rating,
      would_recommend)
      from new_rows where removed_reason is null and specialty is not null);
    years := years || array(select public.year_given(employer_id, 1, created_at,
      is_current_employee, overall_rating) from new_rows where removed_reason is null);
    concerns := concerns || array(select row(employer_id, concern, 1)::public.employer_concerns
      from new_rows, unnest(new_rows.concerns) concern where removed_reason is null);
  end if;

  if tg_op = 'DELETE' then
    delete from public.departing_reviews where review_id in (select id from old_rows);
  end if;
  perform public.employer_ratings_add(stars);
  perform public.employer_specialties_add(specialties);
  perform public.employer_years_add(years);
  perform public.employer_concerns_add(concerns);
  perform public.review_counts_add(counts);
  if tg_op = 'DELETE' then
    delete from public.review_votes where review_id in (select id from old_rows);
    delete from public.review_reports where review_id in (select id from old_rows);
    delete from public.cases where review_id in (select id from old_rows);
    delete from public.review_decisions where review_id in (select id from old_rows);
    delete from public.review_replies where review_id in (select id from old_rows);
    perform public.review_authors_drop(array(select id from old_rows));
  elsif tg_op = 'INSERT' then
    perform public.search_words_add(tsvector_to_array(search)) from new_rows;
  else
    perform public.search_words_add(tsvector_to_array(new_rows.search))
      from new_rows join old_rows using (id) where new_rows.search <> old_rows.search;
  end if;
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
