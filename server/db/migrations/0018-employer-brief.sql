-- What the page of an employer says at a glance: ratings by year and employment, and the concerns
-- that its reviews share. Kept as counts, so that the page adds up a few rows.

-- The concerns of contract/concerns.ts, and the words and phrases that mean each (docs/product/reviews.md,
-- "Concerns"). A migration that changes them must add the column `concerns` of `reviews` again, and
-- call employer_ratings_recompute.
create function concern_vocabulary() returns table (concern text, phrases tsquery)
  language sql immutable parallel safe
begin atomic
  values
    ('autonomy', 'autonomy | autonomous | micromanage | micromanaged | micromanagement'::tsquery),
    ('backup', 'backup | (back <-> up) | consultants | subspecialty | subspecialists'),
    ('benefits', 'benefits | pto | vacation | retirement | 401k | 403b | cme
      | (time <-> off) | (health <-> insurance) | (continuing <-> education)'),
    ('boarding', 'boarding | boarders | (boards <-> patients) | (boarded <-> patients)'),
    ('burnout', 'burnout | (burn <-> out) | (burned <-> out) | (burnt <-> out) | exhausted
      | exhausting | exhaustion'),
    ('call', 'call | calls | oncall'),
    ('charting', 'charting | charts | documentation | ehr | emr | inbox | inboxes | scribe | scribes
      | (electronic <-> record) | (electronic <-> records)'),
    ('contract', 'contract | contracts | noncompete | (non <-> compete)
      | (restrictive <-> covenant) | (tail <-> coverage)'),
    ('culture', 'culture | collegial | collegiality | camaraderie | toxic | bullying'),
    ('leadership', 'leadership | leaders | administration | administrators | management
      | executives'),
    ('mentorship', 'mentorship | mentoring | mentor | mentors'),
    ('nursing', 'nurse | nurses | nursing'),
    ('pay', 'pay | salary | salaries | compensation | bonus | bonuses | rvu | rvus | wrvu | wrvus
      | underpaid'),
    ('research', 'research | (protected <-> time)'),
    ('safety', 'safety | unsafe | violence | violent | assault | assaulted'),
    ('schedule', 'schedule | schedules | scheduling | shift | shifts | weekend | weekends'),
    ('staffing', 'staffing | staffed | understaffed | locum | locums'),
    ('teaching', 'teaching | didactics | curriculum | (grand <-> rounds)'),
    ('turnover', 'turnover | attrition | exodus'),
    ('visa', 'visa | visas | h1b | (h <-> 1b) | j1 | (j <-> 1) | immigration
      | (green <-> card)'),
    ('workload', 'workload | census | overworked | productivity | (patient <-> volume)
      | (patient <-> volumes) | (patient <-> load)');
end;

-- The concerns that a text speaks of. Linear in its length: it is read into words once.
create function concerns_of(told text) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  words tsvector := to_tsvector('simple', public.plain_words(told));
begin
  return array(
    select concern from public.concern_vocabulary() where words @@ phrases order by concern);
end $$;

-- `search` gets a term for the employer, so that one index serves a search within its reviews. The
-- expression of a generated column cannot change, so the column is replaced, and with it its indexes.
alter table reviews
  drop column search,
  add column concerns text[] not null generated always as (concerns_of(
    review_text || ' ' || pros || ' ' || cons || ' ' || coalesce(overall_experience, ''))) stored,
  add column search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(employer_name || ' ' || position_title)), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(employer_city, '') || ' ' || coalesce(employer_state, '') || ' '
      || coalesce(state_name(employer_state), '') || ' ' || coalesce(specialty, ''))), 'B')
    || to_tsvector('simple', plain_words(
      review_text || ' ' || pros || ' ' || cons || ' ' || coalesce(overall_experience, '')))
    || array_to_tsvector(array_remove(array[
      '=m' || employer_id::text,
      '=s' || name_key(employer_state),
      '=c' || name_key(employer_city),
      '=p' || name_key(position_title),
      '=x' || name_key(specialty),
      '=r' || overall_rating::text,
      case when would_recommend then '=wtrue' else '=wfalse' end,
      case when is_current_employee then '=etrue' else '=efalse' end
    ], null))
  ) stored;
create index reviews_search on reviews using gin (search) where removed_reason is null;
create index reviews_search_sample on reviews using gin (search)
  where removed_reason is null and in_search_sample(id);

drop index reviews_by_employer;
-- Also counts an employer's positions. A rare specialty is found by its term in `search`.
create index reviews_by_employer on reviews (employer_id, position_key, created_at desc, id)
  include (position_title, specialty, overall_rating, helpful_score, concerns)
  where removed_reason is null;

-- Sums over an employer's published reviews of each year (UTC), by current and former employees.
create table employer_years (
  employer_id integer not null references employers on delete cascade,
  year smallint not null,
  is_current_employee boolean not null,
  total integer not null,
  -- the sum of the overall ratings
  overall integer not null,
  primary key (employer_id, year, is_current_employee)
);

-- How many of an employer's published reviews speak of each concern.
create table employer_concerns (
  employer_id integer not null references employers on delete cascade,
  concern text not null,
  total integer not null,
  primary key (employer_id, concern)
);

-- What one review adds to its employer's sums (sign 1), or takes away (-1).
create function year_given(employer_id integer, sign integer, created_at timestamptz,
  is_current_employee boolean, overall smallint
) returns employer_years language sql immutable parallel safe
begin atomic
  select employer_id, extract(year from created_at at time zone 'UTC')::smallint,
    is_current_employee, sign, sign * overall;
end;

-- Both in the order of keys, which prevents deadlocks. Counts of no reviews are deleted.
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

-- What a change of reviews changes elsewhere, in the same transaction. One trigger for each event:
-- the steps take their locks in the order of docs/architecture.md, "Lock order". One plan serves all
-- values: planning again would take longer than running.
create or replace function reviews_changed() returns trigger language plpgsql
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
  elsif tg_op = 'INSERT' then
    perform public.search_words_add(tsvector_to_array(search)) from new_rows;
  else
    perform public.search_words_add(tsvector_to_array(new_rows.search))
      from new_rows join old_rows using (id) where new_rows.search <> old_rows.search;
  end if;
  return null;
end $$;

-- All ratings from the reviews themselves: after a bulk load without triggers.
create or replace function employer_ratings_recompute() returns void language plpgsql as $$
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

-- The reviews that exist already.
select employer_ratings_recompute();
