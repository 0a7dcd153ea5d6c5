-- Ratings of employers: the number of published reviews by stars, and the averages.

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
