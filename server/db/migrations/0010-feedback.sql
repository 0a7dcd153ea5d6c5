-- Votes and reports. The voter or reporter is an HMAC bound to one review: keys of two reviews, or
-- of these two tables, do not reveal whether they belong to one account. Checked at commit: the
-- nightly rewrite deletes a review and inserts it again.
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

-- One review at a time in id order: two statements that add votes to the same reviews wait for each
-- other, and never deadlock.
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

-- For each row, because a statement changes at most one vote. The nightly rewrite updates all
-- votes, but not this column.
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
