-- Ratings of employers: sums over their published reviews, by stars, specialty, year, and concern, and
-- the averages. A change to reviews changes them (reviews_changed).

-- The number of reviews by stars.
create table employer_stars (
  employer_id integer not null references employers on delete cascade,
  -- one of the six ratings; or 'would_recommend', with 1 for yes and 0 for no
  category text not null,
  stars smallint not null,
  number integer not null,
  primary key (employer_id, category, stars)
);

-- Every employer has a row, so that the directory can be sorted by it.
create table employer_ratings (
  employer_id integer primary key references employers on delete cascade,
  total_reviews integer not null default 0 check (total_reviews >= 0),
  overall_rating numeric(5, 4),
  -- The score of the order "Best established": a Bayesian average of the overall ratings, not
  -- rounded, so that only equal scores tie. Null without reviews.
  established double precision,
  avg_work_life_balance_rating numeric(5, 4),
  avg_mentorship_growth_rating numeric(5, 4),
  avg_team_collaboration_rating numeric(5, 4),
  avg_compensation_benefits_rating numeric(5, 4),
  avg_immigration_support_rating numeric(5, 4)
);
create index employer_ratings_by_overall
  on employer_ratings (overall_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_established
  on employer_ratings (established desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_total on employer_ratings (total_reviews desc, employer_id);
-- The directory's orders by one category.
create index employer_ratings_by_work_life_balance on employer_ratings
  (avg_work_life_balance_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_mentorship_growth on employer_ratings
  (avg_mentorship_growth_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_team_collaboration on employer_ratings
  (avg_team_collaboration_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_compensation_benefits on employer_ratings
  (avg_compensation_benefits_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_immigration_support on employer_ratings
  (avg_immigration_support_rating desc nulls last, total_reviews desc, employer_id);

create function employer_ratings_begin() returns trigger language plpgsql as $$
begin
  insert into public.employer_ratings (employer_id) select id from added;
  return null;
end $$;
create trigger employer_ratings_begin after insert on employers
  referencing new table as added
  for each statement execute function employer_ratings_begin();

-- What one review adds to its employer's stars (sign 1), or subtracts (-1).
create function stars_given(employer_id integer, sign integer, overall smallint,
  work_life_balance smallint, mentorship_growth smallint, team_collaboration smallint,
  compensation_benefits smallint, immigration_support smallint, would_recommend boolean
) returns setof employer_stars language sql immutable parallel safe
begin atomic
  select employer_id, category, stars, sign from (values
    ('overall', overall),
    ('work_life_balance', work_life_balance),
    ('mentorship_growth', mentorship_growth),
    ('team_collaboration', team_collaboration),
    ('compensation_benefits', compensation_benefits),
    ('immigration_support', immigration_support),
    ('would_recommend', would_recommend::integer::smallint)
  ) given (category, stars) where stars is not null;
end;

-- The totals and averages of these employers, from their stars. The weight 5 and the prior 3 of
-- `established` are ESTABLISHED_WEIGHT and ESTABLISHED_PRIOR (docs/product/employers.md); a
-- migration that changes them must recompute the column.
create function employer_ratings_average(employers integer[]) returns void language plpgsql as $$
begin
  update public.employer_ratings kept set
    total_reviews = coalesce(overall, 0),
    overall_rating = average_overall,
    established = (5 * 3 + overall_stars)::double precision / (5 + overall),
    avg_work_life_balance_rating = work_life_balance,
    avg_mentorship_growth_rating = mentorship_growth,
    avg_team_collaboration_rating = team_collaboration,
    avg_compensation_benefits_rating = compensation_benefits,
    avg_immigration_support_rating = immigration_support
  from (
    select id,
      max(number) filter (where category = 'overall') as overall,
      max(average) filter (where category = 'overall') as average_overall,
      max(sum_of_stars) filter (where category = 'overall') as overall_stars,
      max(average) filter (where category = 'work_life_balance') as work_life_balance,
      max(average) filter (where category = 'mentorship_growth') as mentorship_growth,
      max(average) filter (where category = 'team_collaboration') as team_collaboration,
      max(average) filter (where category = 'compensation_benefits') as compensation_benefits,
      max(average) filter (where category = 'immigration_support') as immigration_support
    from unnest(employers) id left join (
      select employer_id, category, sum(number) as number, sum(stars * number) as sum_of_stars,
        round(sum(stars * number)::numeric / sum(number), 4) as average
      from public.employer_stars where employer_id = any (employers)
      group by employer_id, category
    ) averages on employer_id = id
    group by id
  ) given where kept.employer_id = id;
end $$;

-- The row of an employer is locked before its stars are read: the second transaction computes the
-- averages from what the first one committed. The order of ids prevents deadlocks.
create function employer_ratings_add(changes employer_stars[]) returns void language plpgsql as $$
declare
  changed integer[] := array(
    select distinct employer_id
    from (select employer_id from unnest(changes)
      group by employer_id, category, stars having sum(number) <> 0) netted
    order by employer_id);
begin
  if cardinality(changed) = 0 then
    return;
  end if;
  perform from public.employer_ratings
    where employer_id = any (changed) order by employer_id for no key update;
  insert into public.employer_stars as kept
    select employer_id, category, stars, sum(number) from unnest(changes)
    group by employer_id, category, stars having sum(number) <> 0
    on conflict (employer_id, category, stars) do update set number = kept.number + excluded.number;
  if exists (select from unnest(changes) where number < 0) then
    delete from public.employer_stars where employer_id = any (changed) and number = 0;
  end if;
  perform public.employer_ratings_average(changed);
end $$;

-- For a specialty's averages, and to find employers with reviews of a specialty.
create table employer_specialties (
  employer_id integer not null references employers on delete cascade,
  specialty text not null,
  total integer not null,
  recommended integer not null,
  overall integer not null,
  work_life_balance integer not null,
  mentorship_growth integer not null,
  team_collaboration integer not null,
  compensation_benefits integer not null,
  immigration_support integer not null,
  -- reviews that rate immigration support
  immigration_answers integer not null,
  primary key (employer_id, specialty)
);
create index employer_specialties_by_specialty on employer_specialties (specialty, employer_id);

-- What one review adds to its employer's sums (sign 1), or subtracts (-1).
create function specialty_given(employer_id integer, specialty text, sign integer, overall smallint,
  work_life_balance smallint, mentorship_growth smallint, team_collaboration smallint,
  compensation_benefits smallint, immigration_support smallint, would_recommend boolean
) returns employer_specialties language sql immutable parallel safe
begin atomic
  select employer_id, specialty, sign, sign * would_recommend::integer, sign * overall,
    sign * work_life_balance, sign * mentorship_growth, sign * team_collaboration,
    sign * compensation_benefits, sign * coalesce(immigration_support, 0),
    sign * (immigration_support is not null)::integer;
end;

-- In key order, which prevents deadlocks. Sums without reviews are deleted.
create function employer_specialties_add(changes employer_specialties[]) returns void
  language plpgsql as $$
begin
  insert into public.employer_specialties as kept
    select * from (
      select employer_id, specialty, sum(total) as total, sum(recommended) as recommended,
        sum(overall) as overall, sum(work_life_balance) as work_life_balance,
        sum(mentorship_growth) as mentorship_growth,
        sum(team_collaboration) as team_collaboration,
        sum(compensation_benefits) as compensation_benefits,
        sum(immigration_support) as immigration_support,
        sum(immigration_answers) as immigration_answers
      from unnest(changes) group by employer_id, specialty
    ) netted
    where (total, recommended, overall, work_life_balance, mentorship_growth, team_collaboration,
      compensation_benefits, immigration_support, immigration_answers)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
    order by employer_id, specialty
    on conflict (employer_id, specialty) do update set
      total = kept.total + excluded.total,
      recommended = kept.recommended + excluded.recommended,
      overall = kept.overall + excluded.overall,
      work_life_balance = kept.work_life_balance + excluded.work_life_balance,
      mentorship_growth = kept.mentorship_growth + excluded.mentorship_growth,
      team_collaboration = kept.team_collaboration + excluded.team_collaboration,
      compensation_benefits = kept.compensation_benefits + excluded.compensation_benefits,
      immigration_support = kept.immigration_support + excluded.immigration_support,
      immigration_answers = kept.immigration_answers + excluded.immigration_answers;
  if exists (select from unnest(changes) where total < 0) then
    delete from public.employer_specialties kept using unnest(changes) change
      where kept.total = 0
        and (kept.employer_id, kept.specialty) = (change.employer_id, change.specialty);
  end if;
end $$;

-- Sums over an employer's published reviews in each year (UTC), by current and former employees.
create table employer_years (
  employer_id integer not null references employers on delete cascade,
  year smallint not null,
  is_current_employee boolean not null,
  total integer not null,
  -- the sum of the overall ratings
  overall integer not null,
  primary key (employer_id, year, is_current_employee)
);

-- How many of an employer's published reviews mention each concern.
create table employer_concerns (
  employer_id integer not null references employers on delete cascade,
  concern text not null,
  total integer not null,
  primary key (employer_id, concern)
);

-- What one review adds to its employer's sums (sign 1), or subtracts (-1).
create function year_given(employer_id integer, sign integer, created_at timestamptz,
  is_current_employee boolean, overall smallint
) returns employer_years language sql immutable parallel safe
begin atomic
  select employer_id, extract(year from created_at at time zone 'UTC')::smallint,
    is_current_employee, sign, sign * overall;
end;

-- Both in key order, which prevents deadlocks. Zero counts are deleted.
create function employer_years_add(changes employer_years[]) returns void language plpgsql as $$
begin
  insert into public.employer_years as kept
    select employer_id, year, is_current_employee, sum(total), sum(overall) from unnest(changes)
    group by 1, 2, 3 having (sum(total), sum(overall)) <> (0, 0) order by 1, 2, 3
    on conflict (employer_id, year, is_current_employee) do update set
      total = kept.total + excluded.total, overall = kept.overall + excluded.overall;
  if exists (select from unnest(changes) where total < 0) then
    delete from public.employer_years kept using unnest(changes) change
      where kept.total = 0
        and (kept.employer_id, kept.year, kept.is_current_employee)
        = (change.employer_id, change.year, change.is_current_employee);
  end if;
end $$;

create function employer_concerns_add(changes employer_concerns[]) returns void
  language plpgsql as $$
begin
  insert into public.employer_concerns as kept
    select employer_id, concern, sum(total) from unnest(changes)
    group by 1, 2 having sum(total) <> 0 order by 1, 2
    on conflict (employer_id, concern) do update set total = kept.total + excluded.total;
  if exists (select from unnest(changes) where total < 0) then
    delete from public.employer_concerns kept using unnest(changes) change
      where kept.total = 0
        and (kept.employer_id, kept.concern) = (change.employer_id, change.concern);
  end if;
end $$;

-- All ratings from the reviews themselves, after a bulk load without triggers.
create function employer_ratings_recompute() returns void language plpgsql as $$
begin
  truncate public.employer_stars, public.employer_ratings, public.employer_specialties,
    public.employer_years, public.employer_concerns;
  insert into public.employer_stars
    select given.employer_id, given.category, given.stars, count(*)
    from public.reviews review, public.stars_given(review.employer_id, 1, overall_rating,
      work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
      compensation_benefits_rating, immigration_support_rating, would_recommend) given
    where removed_reason is null group by 1, 2, 3;
  insert into public.employer_specialties
    select employer_id, specialty, count(*), count(*) filter (where would_recommend),
      sum(overall_rating), sum(work_life_balance_rating), sum(mentorship_growth_rating),
      sum(team_collaboration_rating), sum(compensation_benefits_rating),
      coalesce(sum(immigration_support_rating), 0), count(immigration_support_rating)
    from public.reviews where removed_reason is null and specialty is not null group by 1, 2;
  insert into public.employer_years
    select given.employer_id, year, given.is_current_employee, sum(total), sum(overall)
    from public.reviews review, public.year_given(review.employer_id, 1, created_at,
      review.is_current_employee, overall_rating) given
    where removed_reason is null group by 1, 2, 3;
  insert into public.employer_concerns
    select employer_id, concern, count(*) from public.reviews, unnest(concerns) concern
    where removed_reason is null group by 1, 2;
  insert into public.employer_ratings (employer_id) select id from public.employers;
  perform public.employer_ratings_average(array(select id from public.employers));
end $$;
