-- Employers: search, the spread of their ratings, and their curation.

-- None of the functions here is declared strict: PostgreSQL would call them, and not put their
-- text in their place.

-- Text as the words that a search can meet: "St. Mary's" -> "st marys".
create function plain_words(value text) returns text
  language sql immutable parallel safe
  return trim(regexp_replace(translate(public.fold(value), '''`', ''), '[^a-z0-9]+', ' ', 'g'));

-- The first letters of a name, with and without its small words, marked so that they meet no word:
-- "The Children's Hospital of Philadelphia" -> {=chop,=chp}.
create function name_initials(words text) returns text[]
  language sql immutable parallel safe
  return array[
    '=' || regexp_replace(regexp_replace(words, '^the ', ''), '(\w)\w* ?', '\1', 'g'),
    '=' || regexp_replace(
      regexp_replace(words, '\m(a|and|at|for|in|of|the)\M ?', '', 'g'), '(\w)\w* ?', '\1', 'g')
  ];

create function state_name(code text) returns text
  language sql immutable parallel safe
  return case code
    when 'AL' then 'alabama' when 'AK' then 'alaska' when 'AZ' then 'arizona'
    when 'AR' then 'arkansas' when 'CA' then 'california' when 'CO' then 'colorado'
    when 'CT' then 'connecticut' when 'DE' then 'delaware' when 'DC' then 'district of columbia'
    when 'FL' then 'florida' when 'GA' then 'georgia' when 'HI' then 'hawaii'
    when 'ID' then 'idaho' when 'IL' then 'illinois' when 'IN' then 'indiana'
    when 'IA' then 'iowa' when 'KS' then 'kansas' when 'KY' then 'kentucky'
    when 'LA' then 'louisiana' when 'ME' then 'maine' when 'MD' then 'maryland'
    when 'MA' then 'massachusetts' when 'MI' then 'michigan' when 'MN' then 'minnesota'
    when 'MS' then 'mississippi' when 'MO' then 'missouri' when 'MT' then 'montana'
    when 'NE' then 'nebraska' when 'NV' then 'nevada' when 'NH' then 'new hampshire'
    when 'NJ' then 'new jersey' when 'NM' then 'new mexico' when 'NY' then 'new york'
    when 'NC' then 'north carolina' when 'ND' then 'north dakota' when 'OH' then 'ohio'
    when 'OK' then 'oklahoma' when 'OR' then 'oregon' when 'PA' then 'pennsylvania'
    when 'RI' then 'rhode island' when 'SC' then 'south carolina' when 'SD' then 'south dakota'
    when 'TN' then 'tennessee' when 'TX' then 'texas' when 'UT' then 'utah'
    when 'VT' then 'vermont' when 'VA' then 'virginia' when 'WA' then 'washington'
    when 'WV' then 'west virginia' when 'WI' then 'wisconsin' when 'WY' then 'wyoming'
    when 'AS' then 'american samoa' when 'FM' then 'micronesia' when 'GU' then 'guam'
    when 'MH' then 'marshall islands' when 'MP' then 'northern mariana islands'
    when 'PR' then 'puerto rico' when 'PW' then 'palau' when 'VI' then 'virgin islands'
    else '' end;

drop index employers_by_name, employers_by_state, employers_by_type, employers_name_trigrams;
alter table employers
  -- an employer that has been merged into another: kept, so that old links lead there
  add column merged_into integer references employers check (merged_into <> id),
  -- what an administrator has set, and an import leaves alone
  add column curated_fields text[] not null default '{}',
  -- in "C", so that names sort alike on every server
  add column sort_name text collate "C" not null
    generated always as (plain_words(name)) stored,
  drop column search;
alter table employers
  add column search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(name)), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(state_name(state), ''))), 'B')
    || setweight(to_tsvector('simple', plain_words(coalesce(specialty, ''))), 'C')
    || setweight(to_tsvector('simple', plain_words(coalesce(address, ''))), 'D')
    || array_to_tsvector(name_initials(plain_words(name)))
  ) stored;
create index employers_search on employers using gin (search);
create index employers_by_merge on employers (merged_into) where merged_into is not null;
-- The directory's own order, with what its filters read, so that the table is not touched.
create index employers_directory on employers (sort_name, id)
  include (state, employer_type, ownership_type, trauma_level, hospital_status, has_helipad,
    bed_count, staff_count)
  where merged_into is null;
create index employers_by_state on employers (state, sort_name, id) where merged_into is null;
create index employers_by_trauma on employers (trauma_level, sort_name, id)
  where merged_into is null and trauma_level is not null;
create index employers_by_staff on employers (staff_count)
  where merged_into is null and staff_count is not null;
create index employers_submitted on employers (created_at desc, id)
  where source = 'user' and merged_into is null;

-- A word and each of its forms with one letter left out. Two words that are one typing error apart
-- (a letter wrong, missing, too many, or two swapped) have a form in common.
create function spellings(word text) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct left(word, at - 1) || substr(word, at + 1)
    from generate_series(1, length(word) + 1) at
  );

-- The words of employers' names, places and specialties, to correct a search by.
create table employer_words (
  word text collate "C" primary key,
  spellings text[] not null generated always as (spellings(word)) stored
);
create index employer_words_spellings on employer_words using gin (spellings);
create index employer_words_trigrams on employer_words using gin (word gin_trgm_ops);

create function employer_words_learn() returns trigger language plpgsql as $$
begin
  -- Sorted, so that two who bring the same new words do not wait for each other.
  insert into public.employer_words (word)
    select distinct lexeme from learnt, unnest(search)
      where weights && '{A,B,C}' and lexeme ~ '^[a-z]{4,30}$'
    except select word from public.employer_words
    order by 1
    on conflict do nothing;
  return null;
end $$;
create trigger employer_words_learn after insert on employers
  referencing new table as learnt for each statement execute function employer_words_learn();
create trigger employer_words_learn_again after update on employers
  referencing new table as learnt for each statement execute function employer_words_learn();
insert into employer_words (word)
  select distinct lexeme from employers, unnest(search)
  where weights && '{A,B,C}' and lexeme ~ '^[a-z]{4,30}$';

-- Ratings: how many reviews gave 1 to 5 stars. Totals and averages follow from that. ------------

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

drop trigger employer_ratings_follow on reviews;
drop function employer_ratings_follow();
drop function employer_ratings_add(reviews, integer);
drop table employer_ratings;
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

drop trigger employer_ratings_begin on employers;
create or replace function employer_ratings_begin() returns trigger language plpgsql as $$
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
select employer_ratings_recompute();

-- A review on its way to an employer that is being merged waits for the end of that, and goes to
-- the one that is left. Fires before reviews_take_place.
create function reviews_follow_merge() returns trigger language plpgsql as $$
begin
  new.employer_id := coalesce(
    (select merged_into from public.employers where id = new.employer_id), new.employer_id);
  return new;
end $$;
create trigger reviews_follow_merge before insert or update of employer_id on reviews
  for each row execute function reviews_follow_merge();

-- Positions of one employer with their counts, and its reviews in one position, from the index.
create index reviews_by_employer_position
  on reviews (employer_id, position_key, created_at desc, id)
  include (position_title, overall_rating) where removed_reason is null;
