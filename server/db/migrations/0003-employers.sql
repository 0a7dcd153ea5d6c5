-- Employers, their search, and their curation.

create table employers (
  id integer generated always as identity primary key,
  -- the source of the row and its id there; name, city and state are not unique
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
  -- the employer that this one was merged into: the row stays so that old links lead there
  merged_into integer references employers check (merged_into <> id),
  -- what an administrator has set, which imports do not overwrite
  curated_fields text[] not null default '{}',
  -- in "C", so that names sort the same on every server
  sort_name text collate "C" not null generated always as (plain_words(name)) stored,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(name)), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(state_name(state), ''))), 'B')
    || setweight(to_tsvector('simple', plain_words(coalesce(specialty, ''))), 'C')
    || setweight(to_tsvector('simple', plain_words(coalesce(address, ''))), 'D')
    || array_to_tsvector(name_initials(plain_words(name)))
  ) stored,
  constraint employers_source_unique unique (source, source_id)
);
-- A name typed by a doctor creates one employer, however many type it at the same time.
create unique index employers_custom_name on employers (name_key) where source = 'user';
create index employers_name_key on employers (name_key);
create index employers_by_beds on employers (bed_count, id);
create index employers_by_beds_desc on employers (bed_count desc nulls last, id);
create index employers_by_created on employers (created_at desc, id);
create index employers_search on employers using gin (search);
create index employers_by_merge on employers (merged_into) where merged_into is not null;
-- The directory's default order, with the columns that its filters read, for index-only scans.
create index employers_directory on employers (sort_name, id)
  include (state, employer_type, ownership_type, trauma_level, hospital_status, has_helipad,
    bed_count, staff_count)
  where merged_into is null;
create index employers_by_state on employers (state, sort_name, id) where merged_into is null;
create index employers_by_trauma on employers (trauma_level, sort_name, id)
  where merged_into is null and trauma_level is not null;
create index employers_by_staff on employers (staff_count)
  where merged_into is null and staff_count is not null;
-- Residencies, fellowships, and clinics of a specialty.
create index employers_by_specialty on employers (specialty) where merged_into is null;
create index employers_submitted on employers (created_at desc, id)
  where source = 'user' and merged_into is null;

-- The words of employers' names, places and specialties, for correcting searches. Not unique: two
-- transactions that add the same new word do not wait for each other, and so cannot deadlock. The
-- nightly rewrite removes duplicates.
create table employer_words (
  word text collate "C" not null,
  spellings text[] not null generated always as (spellings(word)) stored
);
create index employer_words_word on employer_words (word);
create index employer_words_spellings on employer_words using gin (spellings);
create index employer_words_trigrams on employer_words using gin (word gin_trgm_ops);

create function employer_words_learn() returns trigger language plpgsql as $$
begin
  insert into public.employer_words (word)
    select distinct lexeme from learnt, unnest(search)
      where weights && '{A,B,C}' and lexeme ~ '^[a-z]{4,30}$'
        and not exists (select from public.employer_words known where known.word = lexeme);
  return null;
end $$;
create trigger employer_words_learn after insert on employers
  referencing new table as learnt for each statement execute function employer_words_learn();
create trigger employer_words_learn_again after update on employers
  referencing new table as learnt for each statement execute function employer_words_learn();

create function employer_words_recompute() returns void language plpgsql as $$
begin
  -- One at a time; inserts continue.
  lock table public.employer_words in share update exclusive mode;
  delete from public.employer_words again using public.employer_words first
    where again.word = first.word and again.ctid > first.ctid;
end $$;
