-- The whole schema. Who an account belongs to is sealed (users.sealed) and found through keyed
-- blind indexes; nothing here names the author of a review. docs/anonymity.md says why each
-- column is as it is.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Text as searches compare it: without accents and case. Declared immutable, so that it can be
-- indexed: the dictionary named here is never changed.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

-- A name with case, accents, spaces and punctuation put aside: what makes two names the same.
create function name_key(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(public.fold(value), '[^a-z0-9]+', '', 'g');

-- Accounts -----------------------------------------------------------------------------------

create table users (
  id uuid primary key default gen_random_uuid(),
  -- e-mail, username, names, NPI and day of joining: AES-256-GCM, key id inside, bound to the id
  sealed bytea not null,
  email_index bytea not null,
  npi_index bytea,
  password_hash text not null,
  is_admin boolean not null default false,
  constraint users_email_unique unique (email_index),
  constraint users_npi_unique unique (npi_index)
);

create table doctors (
  user_id uuid primary key references users on delete cascade,
  verified boolean not null default false,
  can_post_reviews boolean not null default false,
  verification_status text not null default 'pending'
    check (verification_status in ('pending', 'passed', 'needs_review')),
  -- which checks of the NPI registry passed; no value that was compared
  verification_checks jsonb not null default
    '{"known": null, "active": null, "individual": null, "physician": null, "name_matches": null}'
);

-- A session names its account by a keyed hash alone. Token hashes and exact times are sealed.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_key bytea not null,
  sealed bytea not null,
  expires_on date not null
);
create index sessions_account on sessions (account_key);
create index sessions_expiry on sessions (expires_on);

create table one_time_codes (
  address_key bytea primary key,
  -- the code's hash and its expiry
  sealed bytea not null,
  attempts smallint not null default 0
);

create table password_resets (
  token_hash bytea primary key,
  account_key bytea not null,
  sealed bytea not null
);
create index password_resets_account on password_resets (account_key);

-- rate-limiter-flexible's own form; keys are keyed hashes whose key changes daily.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

-- What administrators and commands did. It names no author, and no reader.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  happened_on date not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_log_day on audit_log (happened_on);

-- Employers ----------------------------------------------------------------------------------

create table employers (
  id integer generated always as identity primary key,
  -- where the row comes from and its id there; name, city and state are not unique
  source text not null check (source in ('hifld', 'demo', 'user')),
  source_id text,
  name text not null check (name <> ''),
  name_key text not null generated always as (name_key(name)) stored,
  address text,
  city text,
  state text check (state ~ '^[A-Z]{2}$'),
  zip text,
  phone text,
  website text,
  employer_type text not null
    check (employer_type in ('hospital', 'residency', 'fellowship', 'clinic', 'others')),
  specialty text,
  ownership_type text not null default 'Not Specified',
  bed_count integer check (bed_count >= 0),
  staff_count integer check (staff_count >= 0),
  trauma_level text
    check (trauma_level in ('Level I', 'Level II', 'Level III', 'Level IV', 'Level V')),
  has_helipad boolean,
  hospital_status text,
  created_at timestamptz not null default date_trunc('minute', now()),
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', fold(name)), 'A')
    || setweight(to_tsvector('simple', fold(coalesce(city, '') || ' ' || coalesce(state, ''))), 'B')
    || setweight(to_tsvector('simple', fold(coalesce(specialty, ''))), 'C')
    || setweight(to_tsvector('simple', fold(coalesce(address, ''))), 'D')
  ) stored,
  constraint employers_source_unique unique (source, source_id)
);
-- A name typed by a doctor makes one employer, however many type it at once.
create unique index employers_custom_name on employers (name_key) where source = 'user';
create index employers_name_key on employers (name_key);
create index employers_search on employers using gin (search);
create index employers_name_trigrams on employers using gin (fold(name) gin_trgm_ops);
create index employers_by_name on employers (fold(name), id);
create index employers_by_state on employers (state, fold(name), id);
create index employers_by_type on employers (employer_type, fold(name), id);
create index employers_by_beds on employers (bed_count, id);
create index employers_by_beds_desc on employers (bed_count desc nulls last, id);
create index employers_by_created on employers (created_at desc, id);

-- Sums and counts per employer, kept by the trigger below in the transaction that changes a
-- review; averages follow from them.
create table employer_ratings (
  employer_id integer primary key references employers on delete cascade,
  total_reviews integer not null default 0 check (total_reviews >= 0),
  overall_sum integer not null default 0,
  work_life_balance_sum integer not null default 0,
  mentorship_growth_sum integer not null default 0,
  team_collaboration_sum integer not null default 0,
  compensation_benefits_sum integer not null default 0,
  immigration_support_sum integer not null default 0,
  immigration_support_count integer not null default 0 check (immigration_support_count >= 0),
  overall_rating numeric(3, 2) generated always as
    (round(overall_sum::numeric / nullif(total_reviews, 0), 2)) stored
);
create index employer_ratings_by_overall
  on employer_ratings (overall_rating desc nulls last, employer_id);
create index employer_ratings_by_total on employer_ratings (total_reviews desc, employer_id);

create function employer_ratings_begin() returns trigger language plpgsql as $$
begin
  insert into public.employer_ratings (employer_id) values (new.id);
  return null;
end $$;
create trigger employer_ratings_begin after insert on employers
  for each row execute function employer_ratings_begin();

-- Suggestions for the position box; free text becomes one once three authors have used it.
create table position_titles (
  id integer generated always as identity primary key,
  title text not null,
  title_key text not null generated always as (name_key(title)) stored,
  constraint position_titles_key_unique unique (title_key)
);
create index position_titles_trigrams on position_titles using gin (fold(title) gin_trgm_ops);

insert into position_titles (title) values
  ('Attending Physician'), ('Hospitalist'), ('Nocturnist'), ('Emergency Physician'),
  ('Family Physician'), ('Primary Care Physician'), ('Internist'), ('Pediatrician'),
  ('Psychiatrist'), ('Anesthesiologist'), ('Radiologist'), ('Pathologist'), ('Neurologist'),
  ('Cardiologist'), ('Gastroenterologist'), ('Nephrologist'), ('Pulmonologist'),
  ('Endocrinologist'), ('Rheumatologist'), ('Infectious Disease Physician'),
  ('Hematologist/Oncologist'), ('Dermatologist'), ('General Surgeon'), ('Orthopedic Surgeon'),
  ('Neurosurgeon'), ('Cardiothoracic Surgeon'), ('Vascular Surgeon'), ('Plastic Surgeon'),
  ('Urologist'), ('Ophthalmologist'), ('Otolaryngologist'), ('OB/GYN Physician'),
  ('Intensivist'), ('Palliative Care Physician'), ('Physiatrist'), ('Urgent Care Physician'),
  ('Locum Tenens Physician'), ('Telemedicine Physician'), ('Resident Physician'),
  ('Chief Resident'), ('Fellow'), ('Medical Director'), ('Program Director'),
  ('Clinical Instructor'), ('Assistant Professor'), ('Associate Professor'), ('Professor');

-- Reviews ------------------------------------------------------------------------------------

create table reviews (
  id uuid primary key default gen_random_uuid(),
  -- HMAC-SHA-256 of the author's id under a key of its own; random bytes once disowned
  author_key bytea not null check (octet_length(author_key) = 32),
  employer_id integer not null references employers,
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
  specialty text,
  start_year smallint not null,
  end_year smallint check (end_year >= start_year),
  would_recommend boolean not null,
  is_current_employee boolean not null,
  -- set by a moderator: hidden from everyone but the author
  removed_reason text,
  -- the employer's place, kept equal by triggers: filters by place need it in the same index
  -- as the sort order
  employer_state text,
  employer_city text,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', fold(position_title)), 'B')
    || to_tsvector('simple', fold(review_text || ' ' || pros || ' ' || cons))
  ) stored,
  check (is_current_employee = (end_year is null)),
  -- One review per author, employer and position title.
  constraint reviews_once unique (author_key, employer_id, position_key)
);
create index reviews_newest on reviews (created_at desc, id) where removed_reason is null;
create index reviews_by_rating on reviews (overall_rating desc, created_at desc, id)
  where removed_reason is null;
create index reviews_by_employer on reviews (employer_id, created_at desc, id)
  where removed_reason is null;
create index reviews_by_state on reviews (employer_state, created_at desc, id)
  where removed_reason is null;
create index reviews_by_city on reviews (employer_city, created_at desc, id)
  where removed_reason is null;
create index reviews_by_position on reviews (position_key, created_at desc, id)
  where removed_reason is null;
create index reviews_search on reviews using gin (search);

create function employer_ratings_add(review reviews, sign integer) returns void
  language sql as $$
  update public.employer_ratings set
    total_reviews = total_reviews + sign,
    overall_sum = overall_sum + sign * review.overall_rating,
    work_life_balance_sum = work_life_balance_sum + sign * review.work_life_balance_rating,
    mentorship_growth_sum = mentorship_growth_sum + sign * review.mentorship_growth_rating,
    team_collaboration_sum = team_collaboration_sum + sign * review.team_collaboration_rating,
    compensation_benefits_sum =
      compensation_benefits_sum + sign * review.compensation_benefits_rating,
    immigration_support_sum =
      immigration_support_sum + sign * coalesce(review.immigration_support_rating, 0),
    immigration_support_count =
      immigration_support_count + sign * (review.immigration_support_rating is not null)::integer
  where employer_id = review.employer_id
$$;

create function employer_ratings_follow() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.removed_reason is null then
    perform public.employer_ratings_add(old, -1);
  end if;
  if tg_op <> 'DELETE' and new.removed_reason is null then
    perform public.employer_ratings_add(new, 1);
  end if;
  return null;
end $$;
create trigger employer_ratings_follow after insert or update or delete on reviews
  for each row execute function employer_ratings_follow();

create function reviews_take_place() returns trigger language plpgsql as $$
begin
  select state, city into new.employer_state, new.employer_city
    from public.employers where id = new.employer_id;
  return new;
end $$;
create trigger reviews_take_place before insert or update of employer_id on reviews
  for each row execute function reviews_take_place();

create function reviews_follow_place() returns trigger language plpgsql as $$
begin
  update public.reviews set employer_state = new.state, employer_city = new.city
    where employer_id = new.id;
  return null;
end $$;
create trigger reviews_follow_place after update of state, city on employers
  for each row when ((old.state, old.city) is distinct from (new.state, new.city))
  execute function reviews_follow_place();
