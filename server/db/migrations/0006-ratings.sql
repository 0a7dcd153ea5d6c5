-- Ratings: how many reviews gave 1 to 5 stars. Totals and averages follow from that.

create function spread_total(spread integer[]) returns integer
  language sql immutable parallel safe
  return spread[1] + spread[2] + spread[3] + spread[4] + spread[5];
create function spread_average(spread integer[]) returns numeric
  language sql immutable parallel safe
  return round(
    (spread[1] + 2 * spread[2] + 3 * spread[3] + 4 * spread[4] + 5 * spread[5])::numeric
      / nullif(spread[1] + spread[2] + spread[3] + spread[4] + spread[5], 0), 2);
create function spread_plus(spread integer[], more integer[]) returns integer[]
  language sql immutable parallel safe
  return array[spread[1] + more[1], spread[2] + more[2], spread[3] + more[3], spread[4] + more[4],
    spread[5] + more[5]];
create function spread_count(spread integer[], stars smallint, sign integer) returns integer[]
  language plpgsql immutable parallel safe as $$
begin
  if stars is not null then spread[stars] := spread[stars] + sign; end if;
  return spread;
end $$;
-- How many gave each number of stars; what a sign of -1 comes with is taken away.
create aggregate spread(stars smallint, sign integer) (
  sfunc = spread_count, stype = integer[], initcond = '{0,0,0,0,0}', parallel = safe
);

create table employer_ratings (
  employer_id integer primary key references employers on delete cascade,
  overall_spread integer[] not null default '{0,0,0,0,0}',
  work_life_balance_spread integer[] not null default '{0,0,0,0,0}',
  mentorship_growth_spread integer[] not null default '{0,0,0,0,0}',
  team_collaboration_spread integer[] not null default '{0,0,0,0,0}',
  compensation_benefits_spread integer[] not null default '{0,0,0,0,0}',
  immigration_support_spread integer[] not null default '{0,0,0,0,0}',
  recommended_count integer not null default 0 check (recommended_count >= 0),
  total_reviews integer not null generated always as (spread_total(overall_spread)) stored,
  overall_rating numeric(3, 2) generated always as (spread_average(overall_spread)) stored,
  avg_work_life_balance_rating numeric(3, 2)
    generated always as (spread_average(work_life_balance_spread)) stored,
  avg_mentorship_growth_rating numeric(3, 2)
    generated always as (spread_average(mentorship_growth_spread)) stored,
  avg_team_collaboration_rating numeric(3, 2)
    generated always as (spread_average(team_collaboration_spread)) stored,
  avg_compensation_benefits_rating numeric(3, 2)
    generated always as (spread_average(compensation_benefits_spread)) stored,
  avg_immigration_support_rating numeric(3, 2)
    generated always as (spread_average(immigration_support_spread)) stored,
  check (0 <= all (overall_spread || work_life_balance_spread || mentorship_growth_spread
    || team_collaboration_spread || compensation_benefits_spread || immigration_support_spread))
);
create index employer_ratings_by_overall
  on employer_ratings (overall_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_total on employer_ratings (total_reviews desc, employer_id);

create function employer_ratings_begin() returns trigger language plpgsql as $$
begin
  insert into public.employer_ratings (employer_id) select id from added;
  return null;
end $$;
create trigger employer_ratings_begin after insert on employers
  referencing new table as added
  for each statement execute function employer_ratings_begin();

-- What one review adds to its employer's ratings (sign 1), or takes away (-1).
create type review_figures as (
  employer_id integer,
  sign integer,
  overall smallint,
  work_life_balance smallint,
  mentorship_growth smallint,
  team_collaboration smallint,
  compensation_benefits smallint,
  immigration_support smallint,
  recommends boolean
);

-- One employer after the other in the order of their ids: two who change the same employers wait
-- for each other's end, and never in a circle. Whose figures come out even is not touched.
create function employer_ratings_add(figures review_figures[]) returns void
  language plpgsql as $$
declare
  change record;
begin
  for change in
    select employer_id,
      public.spread(overall, sign) as overall,
      public.spread(work_life_balance, sign) as work_life_balance,
      public.spread(mentorship_growth, sign) as mentorship_growth,
      public.spread(team_collaboration, sign) as team_collaboration,
      public.spread(compensation_benefits, sign) as compensation_benefits,
      public.spread(immigration_support, sign) as immigration_support,
      coalesce(sum(sign) filter (where recommends), 0) as recommended
    from unnest(figures) group by employer_id order by employer_id
  loop
    continue when change.recommended = 0 and 0 = all (
      change.overall || change.work_life_balance || change.mentorship_growth
      || change.team_collaboration || change.compensation_benefits || change.immigration_support);
    update public.employer_ratings set
      overall_spread = public.spread_plus(overall_spread, change.overall),
      work_life_balance_spread =
        public.spread_plus(work_life_balance_spread, change.work_life_balance),
      mentorship_growth_spread =
        public.spread_plus(mentorship_growth_spread, change.mentorship_growth),
      team_collaboration_spread =
        public.spread_plus(team_collaboration_spread, change.team_collaboration),
      compensation_benefits_spread =
        public.spread_plus(compensation_benefits_spread, change.compensation_benefits),
      immigration_support_spread =
        public.spread_plus(immigration_support_spread, change.immigration_support),
      recommended_count = recommended_count + change.recommended
    where employer_id = change.employer_id;
  end loop;
end $$;

create function employer_ratings_follow() returns trigger language plpgsql as $$
declare
  gone public.review_figures[] := '{}';
  come public.review_figures[] := '{}';
begin
  if tg_op <> 'INSERT' then
    gone := array(
      select row(employer_id, -1, overall_rating, work_life_balance_rating,
        mentorship_growth_rating, team_collaboration_rating, compensation_benefits_rating,
        immigration_support_rating, would_recommend)::public.review_figures
      from old_rows where removed_reason is null);
  end if;
  if tg_op <> 'DELETE' then
    come := array(
      select row(employer_id, 1, overall_rating, work_life_balance_rating,
        mentorship_growth_rating, team_collaboration_rating, compensation_benefits_rating,
        immigration_support_rating, would_recommend)::public.review_figures
      from new_rows where removed_reason is null);
  end if;
  perform public.employer_ratings_add(gone || come);
  return null;
end $$;
create trigger employer_ratings_follow_insert after insert on reviews
  referencing new table as new_rows
  for each statement execute function employer_ratings_follow();
create trigger employer_ratings_follow_update after update on reviews
  referencing old table as old_rows new table as new_rows
  for each statement execute function employer_ratings_follow();
create trigger employer_ratings_follow_delete after delete on reviews
  referencing old table as old_rows
  for each statement execute function employer_ratings_follow();

-- All ratings from the reviews themselves: after a bulk load without triggers.
create function employer_ratings_recompute() returns void language plpgsql as $$
begin
  truncate public.employer_ratings;
  insert into public.employer_ratings (employer_id, overall_spread, work_life_balance_spread,
    mentorship_growth_spread, team_collaboration_spread, compensation_benefits_spread,
    immigration_support_spread, recommended_count)
  select employers.id,
    public.spread(overall_rating, 1), public.spread(work_life_balance_rating, 1),
    public.spread(mentorship_growth_rating, 1), public.spread(team_collaboration_rating, 1),
    public.spread(compensation_benefits_rating, 1), public.spread(immigration_support_rating, 1),
    count(*) filter (where would_recommend)
  from public.employers
  left join public.reviews on employer_id = employers.id and removed_reason is null
  group by employers.id;
end $$;
