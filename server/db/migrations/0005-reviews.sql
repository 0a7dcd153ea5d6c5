-- Reviews. The author is only a keyed hash; docs/anonymity.md gives the reason for each column.
-- Triggers take their locks in one order: docs/architecture.md, "Lock order".

-- The lower bound of the 95 % score interval for the share of good votes (E. B. Wilson, Probable
-- Inference, 1927, with z = 1.96). So 1 of 1 scores lower than 40 of 45.
create function wilson_lower_bound(good integer, total integer) returns real
  language sql immutable parallel safe
  return case when good = 0 then 0 else
    (good + 1.9208 - 1.96 * sqrt(good * (total - good)::double precision / total + 0.9604))
      / (total + 3.8416) end;

-- Terms in the search index for the orders of reviews. Tenth 2 is (0.1, 0.2]; tenth 0 is exactly 0.
create function month_number(moment timestamptz) returns integer language sql immutable parallel safe
  return 12 * extract(year from moment at time zone 'UTC')::integer
    + extract(month from moment at time zone 'UTC')::integer;
create function helpful_tenth(score real) returns integer language sql immutable parallel safe
  return ceil(10 * score)::integer;

-- The concerns of contract/concerns.ts, and the words and phrases for each
-- (docs/product/reviews.md, "Concerns"). A migration that changes them must add the column
-- `concerns` of `reviews` again, and call employer_ratings_recompute.
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

-- The concerns that a text mentions. Linear in its length: it is parsed into words once.
create function concerns_of(told text) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  words tsvector := to_tsvector('simple', public.plain_words(told));
begin
  return array(
    select concern from public.concern_vocabulary() where words @@ phrases order by concern);
end $$;

create table reviews (
  id uuid primary key default gen_random_uuid(),
  -- HMAC-SHA-256 of the author's id under a dedicated key; random bytes once disowned
  author_key bytea not null check (octet_length(author_key) = 32),
  employer_id integer not null references employers,
  -- the employer that the author named, if a merge has moved the review to another one
  merged_from integer references employers,
  written_for integer not null generated always as (coalesce(merged_from, employer_id)) stored,
  created_at timestamptz not null check (created_at = date_trunc('minute', created_at)),
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
  overall_experience text,
  position_title text not null check (position_title <> ''),
  position_key text not null generated always as (name_key(position_title)) stored,
  -- a name of contract/specialties.ts, chosen by the author or derived from the title
  specialty text,
  start_year smallint not null,
  end_year smallint check (end_year >= start_year),
  would_recommend boolean not null,
  is_current_employee boolean not null,
  -- set by a moderator: hidden from everyone but the author
  removed_reason text,
  -- kept equal to the employer's by triggers: filters by place need it in the same index as the
  -- sort order, and one index serves a search over both
  employer_name text not null default '',
  employer_state text,
  employer_city text,
  city_key text generated always as (fold(employer_city)) stored,
  -- maintained by a trigger
  helpful_count integer not null default 0 check (helpful_count >= 0),
  not_helpful_count integer not null default 0 check (not_helpful_count >= 0),
  helpful_score real not null generated always as
    (wilson_lower_bound(helpful_count, helpful_count + not_helpful_count)) stored,
  -- false from each change until the nightly rewrite has moved the row
  settled boolean not null default false,
  concerns text[] not null generated always as (concerns_of(
    review_text || ' ' || pros || ' ' || cons || ' ' || coalesce(overall_experience, ''))) stored,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(employer_name || ' ' || position_title)), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(employer_city, '') || ' ' || coalesce(employer_state, '') || ' '
      || coalesce(state_name(employer_state), '') || ' ' || coalesce(specialty, ''))), 'B')
    || to_tsvector('simple', plain_words(
      review_text || ' ' || pros || ' ' || cons || ' ' || coalesce(overall_experience, '')))
    -- Filter terms, so that one index serves a search with its filters. No word of a text begins
    -- with '='.
    || array_to_tsvector(array_remove(array[
      '=m' || employer_id::text,
      '=s' || name_key(employer_state),
      '=c' || name_key(employer_city),
      '=p' || name_key(position_title),
      '=x' || name_key(specialty),
      '=r' || overall_rating::text,
      case when would_recommend then '=wtrue' else '=wfalse' end,
      case when is_current_employee then '=etrue' else '=efalse' end,
      -- the position of a review in an order, approximately
      '=t' || month_number(created_at)::text,
      '=h' || helpful_tenth(wilson_lower_bound(helpful_count, helpful_count + not_helpful_count))::text
    ], null))
  ) stored,
  check (is_current_employee = (end_year is null)),
  -- One review per author, employer and position title. Merged employers still count separately, so
  -- a merge deletes nothing and does not reveal that one person wrote two of the reviews.
  constraint reviews_once unique (author_key, written_for, position_key)
)
-- Rows are not split: a search that scans an order reads `search` row by row.
with (toast_tuple_target = 8160);

-- Every change clears `settled`. A review gets the name and place of its employer; if the employer
-- has been merged into another one, the review moves there.
create function reviews_prepare() returns trigger language plpgsql as $$
declare
  kept record;
begin
  new.settled := false;
  if tg_op = 'UPDATE' and new.employer_id = old.employer_id then
    return new;
  end if;
  select kept_employer.id, kept_employer.name, kept_employer.state, kept_employer.city into kept
    from public.employers named
    join public.employers kept_employer on kept_employer.id = coalesce(named.merged_into, named.id)
    where named.id = new.employer_id;
  if kept.id <> new.employer_id then
    new.merged_from := coalesce(new.merged_from, new.employer_id);
    new.employer_id := kept.id;
  end if;
  new.employer_name := kept.name;
  new.employer_state := kept.state;
  new.employer_city := kept.city;
  return new;
end $$;
create trigger reviews_prepare before insert or update on reviews
  for each row execute function reviews_prepare();

create function reviews_follow_place() returns trigger language plpgsql as $$
declare
  moved integer[] := array(
    select after.id from after_update after join before_update before using (id)
    where (before.name, before.state, before.city)
      is distinct from (after.name, after.state, after.city));
begin
  if cardinality(moved) > 0 then
    -- The reviews of all these employers, locked in id order.
    perform from public.reviews where employer_id = any(moved) order by id for update;
    update public.reviews
      set employer_name = name, employer_state = state, employer_city = city
      from public.employers
      where employers.id = employer_id and employer_id = any(moved);
  end if;
  return null;
end $$;
create trigger reviews_follow_place after update on employers
  referencing old table as before_update new table as after_update
  for each statement execute function reviews_follow_place();

-- Lists. Each index includes the columns that filters read, so even a late page is found in the
-- index alone, and only the rows of the page are read. Rating orders read one rating at a time, so
-- one index serves both directions. The matches of a rare filter are sorted.
create index reviews_newest on reviews (created_at desc, id)
  include (employer_state, position_key, specialty, overall_rating, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_by_rating on reviews (overall_rating, created_at desc, id)
  include (employer_state, position_key, specialty, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_helpful on reviews (helpful_score desc, created_at desc, id)
  include (employer_state, position_key, specialty, overall_rating, would_recommend,
    is_current_employee)
  where removed_reason is null;
create index reviews_by_state on reviews (employer_state, created_at desc, id)
  include (position_key, specialty, overall_rating, would_recommend, is_current_employee,
    helpful_score)
  where removed_reason is null;
create index reviews_by_position on reviews (position_key, created_at desc, id)
  include (employer_state, specialty, overall_rating, would_recommend, is_current_employee,
    helpful_score)
  where removed_reason is null;
create index reviews_by_city on reviews (city_key, created_at desc, id)
  include (employer_state, position_key, specialty, overall_rating, would_recommend,
    is_current_employee, helpful_score)
  where removed_reason is null;
-- Also counts an employer's positions. A rare specialty is found by its term in `search`.
create index reviews_by_employer on reviews (employer_id, position_key, created_at desc, id)
  include (position_title, specialty, overall_rating, helpful_score, concerns)
  where removed_reason is null;
create index reviews_search on reviews using gin (search) where removed_reason is null;
-- A sample of one in 32, because ids are random: for estimating how many reviews a search finds.
-- The cost makes the planner use the index, even for a word that most reviews have.
create function in_search_sample(id uuid) returns boolean
  language plpgsql immutable parallel safe cost 10000 as
  $$ begin return get_byte(uuid_send(id), 0) < 8; end $$;
create index reviews_search_sample on reviews using gin (search)
  where removed_reason is null and in_search_sample(id);
-- Removed reviews, for moderators, and reviews that the nightly rewrite moves.
create index reviews_set_apart on reviews (id) where removed_reason is not null or not settled;

-- The planner must know that few doctors recommend an employer that they gave one star.
create statistics reviews_kinds (mcv)
  on overall_rating, would_recommend, is_current_employee from reviews;
