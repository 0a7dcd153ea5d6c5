-- Reviews, published and scheduled, and what ties them to their authors. docs/anonymity.md gives the
-- reason for each column. Triggers take their locks in one order: docs/architecture.md, "Lock order".

-- The concerns of contract/concerns.ts, and the words and phrases for each
-- (docs/product/reviews.md, "Concerns"). A migration that changes them must add the column
-- `concerns` of `reviews` again.
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

-- The concerns that a review mentions, and each again with the part that does: 'call' and 'cons-call'
-- (contract/concerns.ts). The summary includes an older review's overall experience.
create function concerns_by_part(summary text, pros text, cons text) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return array(
    select distinct term
    from (values ('summary', public.concerns_of(summary)), ('pros', public.concerns_of(pros)),
        ('cons', public.concerns_of(cons))) as parts (part, told),
      unnest(told) as concern,
      lateral (values (concern), (part || '-' || concern)) as terms (term)
    order by term);
end $$;

-- What an author writes: the columns of every review, published or waiting. Both tables copy them.
create table review_content (
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
  position_title text not null check (position_title <> ''),
  position_key text not null generated always as (name_key(position_title)) stored,
  -- a name of contract/specialties.ts, chosen by the author or derived from the title
  specialty text,
  start_year smallint not null,
  end_year smallint check (end_year >= start_year),
  would_recommend boolean not null,
  is_current_employee boolean not null,
  check (is_current_employee = (end_year is null))
);

create table reviews (
  id uuid primary key default gen_random_uuid(),
  employer_id integer not null references employers,
  -- the employer that the author named, if a merge has moved the review to another one
  merged_from integer references employers,
  written_for integer not null generated always as (coalesce(merged_from, employer_id)) stored,
  created_at timestamptz not null check (created_at = date_trunc('minute', created_at)),
  like review_content including all,
  overall_experience text,
  -- set by a moderator: hidden from everyone but the author
  removed_reason text,
  -- kept equal to the employer's by triggers: filters by place need it in the same index as the
  -- sort order, and one index serves a search over both
  employer_name text not null default '',
  employer_state text,
  employer_city text,
  -- maintained by a trigger
  helpful_count integer not null default 0 check (helpful_count >= 0),
  not_helpful_count integer not null default 0 check (not_helpful_count >= 0),
  -- The lower bound of the 95 % score interval for the share of good votes (E. B. Wilson, Probable
  -- Inference, 1927, with z = 1.96). So 1 of 1 scores lower than 40 of 45.
  helpful_score real not null generated always as (
    case when helpful_count = 0 then 0 else
      (helpful_count + 1.9208 - 1.96 * sqrt(helpful_count * not_helpful_count::double precision
        / (helpful_count + not_helpful_count) + 0.9604))
        / (helpful_count + not_helpful_count + 3.8416) end
  ) stored,
  -- false from each change until the nightly rewrite has moved the row
  settled boolean not null default false,
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
      '=s' || name_key(employer_state),
      '=c' || name_key(employer_city),
      '=p' || name_key(position_title),
      '=x' || name_key(specialty),
      '=r' || overall_rating::text,
      case when would_recommend then '=wtrue' else '=wfalse' end,
      case when is_current_employee then '=etrue' else '=efalse' end
    ], null))
  ) stored,
  concerns text[] not null generated always as (concerns_by_part(
    review_text || ' ' || coalesce(overall_experience, ''), pros, cons)) stored
)
-- Rows are not split: a search that scans an order reads `search` row by row.
with (toast_tuple_target = 8160);

-- The orders of lists. The two directions of an order by rating read one rating after the other. Each
-- includes the filters that most reviews meet, or that few with the lowest ratings do, so these are
-- checked without reading the rows.
create index reviews_newest on reviews (created_at desc, id)
  include (overall_rating, would_recommend, is_current_employee) where removed_reason is null;
create index reviews_by_rating on reviews (overall_rating, created_at desc, id)
  include (would_recommend, is_current_employee) where removed_reason is null;
create index reviews_helpful on reviews (helpful_score desc, created_at desc, id)
  include (overall_rating, would_recommend, is_current_employee) where removed_reason is null;
-- The reviews of an employer, their ratings, and its positions.
create index reviews_by_employer on reviews (employer_id, position_key, created_at desc, id)
  include (position_title, specialty, overall_rating, work_life_balance_rating,
    mentorship_growth_rating, team_collaboration_rating, compensation_benefits_rating,
    immigration_support_rating, would_recommend, is_current_employee)
  where removed_reason is null;
-- The choices of filters, and the counts: each includes the other filters. Cities are counted in
-- `search`.
create index reviews_by_position on reviews (position_key, created_at desc, id)
  include (employer_state, specialty, overall_rating, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_by_state on reviews
  (employer_state, specialty, overall_rating, would_recommend, is_current_employee)
  where removed_reason is null;
create index reviews_by_specialty on reviews
  (specialty, overall_rating, would_recommend, is_current_employee) where removed_reason is null;
create index reviews_search on reviews using gin (search) where removed_reason is null;
-- Removed reviews, for moderators, and reviews that the nightly rewrite moves.
create index reviews_set_apart on reviews (id) where removed_reason is not null or not settled;

-- The planner must know that few doctors recommend an employer that they gave one star.
create statistics reviews_kinds (mcv)
  on overall_rating, would_recommend, is_current_employee from reviews;

-- A new review gets the name and place of its employer; if the employer has been merged into another
-- one, the review moves there. Only for new ones: a trigger before updates, whatever it did, would make
-- PostgreSQL compute `search` and `concerns` again for each vote. reviews_changed() does the rest.
create function reviews_prepare() returns trigger language plpgsql as $$
declare
  kept record;
begin
  new.settled := false;
  select kept_employer.id, kept_employer.name, kept_employer.state, kept_employer.city
    into kept
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
create trigger reviews_prepare before insert on reviews
  for each row execute function reviews_prepare();

-- What ties an author to a review lives here and nowhere else. The nightly rewrite, and the one after
-- a lock or a departure, write this small table into a new file. `reviews` is too large for that: in
-- its files and indexes, bytes of earlier values would remain (docs/anonymity.md).
--
-- Neither table of reviews refers to this one, or this one to them: the nightly rewrite inserts reviews
-- again. Besides, checking a foreign key locks the row that it refers to, and the lock's transaction
-- stays in that row.
--
-- Partitioned, because it has a row per review: the nightly rewrite writes one partition after another,
-- so that a request waits for one of them at most (docs/scale.md). Partitioned by the job, which only an
-- edit changes: a key rotation moves no row to another partition.
create table review_authors (
  -- of a review, published or waiting
  review_id uuid not null default gen_random_uuid(),
  -- HMAC-SHA-256 of the author's id under a dedicated key; random bytes once disowned
  author_key bytea not null
    constraint review_authors_author_key_check1 check (octet_length(author_key) = 32),
  -- review_job() of the review. It names the employer that the author named, so a merge of employers
  -- changes no row here.
  job bytea not null constraint review_authors_job_check1 check (octet_length(job) = 16),
  -- Not only the review: a key must include the column of the partitions. Ids are random.
  primary key (review_id, job),
  -- One review per author, employer, and position, in `reviews` and `scheduled_reviews` together.
  -- Merged employers still count separately, so a merge deletes nothing and does not reveal that one
  -- person wrote two of the reviews.
  constraint review_authors_once unique (author_key, job)
)
partition by hash (job);
-- The rewrite updates every row. Half-empty pages take the new versions without new index entries,
-- which is five times as fast.
create table review_authors_0 partition of review_authors
  for values with (modulus 4, remainder 0) with (fillfactor = 45);
create table review_authors_1 partition of review_authors
  for values with (modulus 4, remainder 1) with (fillfactor = 45);
create table review_authors_2 partition of review_authors
  for values with (modulus 4, remainder 2) with (fillfactor = 45);
create table review_authors_3 partition of review_authors
  for values with (modulus 4, remainder 3) with (fillfactor = 45);
-- Of the partitions too. Queries must be fast without an estimate.
alter table review_authors
  alter column review_id set statistics 0,
  alter column author_key set statistics 0,
  alter column job set statistics 0;

-- A hash of an employer and a position. The employer is an id, or the name and place of one that a
-- waiting review will create. name_key() leaves only letters and digits, so no two jobs are spelled
-- alike. In PL/pgSQL, so that a session plans it once; so is concerns_by_part().
create function
  review_job(employer integer, new_employer text, city text, state text, title text) returns bytea
language plpgsql stable parallel safe as $$
begin
  return substring(sha256(convert_to(
    coalesce(
      '#' || employer,
      public.name_key(new_employer) || coalesce('@' || public.name_key(city), '')
        || coalesce(':' || state, ''))
    || '/' || public.name_key(title), 'UTF8'
  )) for 16);
end $$;

-- Reviews that go live at a random minute. They are kept separate from `reviews`, so that no list,
-- count, index or trigger of the public pages ever sees one. No column says when a row was written.
create table scheduled_reviews (
  -- becomes the id of the published review
  id uuid primary key default gen_random_uuid(),
  -- the employer, or the name of one that is created when the review is published
  employer_id integer references employers,
  custom_employer text check (custom_employer <> ''),
  custom_employer_key text generated always as (name_key(custom_employer)) stored,
  publish_at timestamptz not null check (publish_at = date_trunc('minute', publish_at)),
  -- its minute came, but it could not be published (OwnReview in contract/reviews/reviews.ts)
  held boolean not null default false,
  like review_content including all,
  -- Where the employer is that the review will create. Null: not given. Empty: not known.
  custom_city text,
  custom_state text check (custom_state ~ '^([A-Z]{2})?$'),
  check (num_nonnulls(employer_id, custom_employer) = 1),
  check (custom_employer is not null or num_nonnulls(custom_city, custom_state) = 0)
);
alter table scheduled_reviews alter column id set statistics 0;
drop table review_content;
create index scheduled_reviews_due on scheduled_reviews (publish_at) where not held;

-- Locks an author until the transaction ends, and returns the author's scheduled reviews: some rules
-- span both tables of reviews, and nothing may be written once the account is being deleted.
-- During a key rotation, an author has several keys. Every server knows at least one that every
-- other server knows, so locking all of them is enough; the order prevents deadlocks.
-- A session plans it once: the plan fits all calls, because it looks up each key in an index.
create function hold_author(author_keys bytea[]) returns setof scheduled_reviews
language plpgsql set plan_cache_mode = 'force_generic_plan' as $$
declare
  key bytea;
begin
  for key in select distinct k from unnest(author_keys) as k order by k loop
    perform pg_advisory_xact_lock(('x' || encode(substring(key for 8), 'hex'))::bit(64)::bigint);
  end loop;
  -- A new statement, so it sees what the previous holder committed.
  return query select * from public.scheduled_reviews where id = any (array(
    select review_id from unnest(author_keys) as own_key cross join lateral (
      select review_id from public.review_authors where author_key = own_key offset 0
    ) as own_review));
end $$;

-- Reviews whose author has deleted the account and wants them deleted one at a time. A row names a
-- review and the minute of its deletion, and nobody. It does not refer to `reviews`: checking a foreign
-- key would leave its transaction in the review's row.
create table departing_reviews (
  review_id uuid primary key,
  leaves_at timestamptz not null check (leaves_at = date_trunc('minute', leaves_at))
)
with (toast_tuple_target = 8160);
alter table departing_reviews alter column review_id set statistics 0;
create index departing_reviews_due on departing_reviews (leaves_at);
