-- Employers, their search, their sources, and their curation.

create table employers (
  id integer generated always as identity primary key,
  -- the source of the row and its id there; name, city and state are not unique
  source text not null check (source in ('demo', 'user', 'hifld', 'cms', 'cost_report', 'pos')),
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
  -- from imports and curators, as people know them: 'MGH'
  aliases text[] not null default '{}' check (cardinality(aliases) <= 20),
  alias_keys text[] not null generated always as (name_keys(aliases)) stored,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(name || ' ' || joined(aliases))), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(state_name(state), '')
      || ' ' || coalesce(substring(zip for 5), ''))), 'B')
    || setweight(to_tsvector('simple', plain_words(coalesce(specialty, ''))), 'C')
    || setweight(to_tsvector('simple', plain_words(coalesce(address, ''))), 'D')
    || array_to_tsvector(name_initials(plain_words(name)))
  ) stored,
  -- Why a curator rejected an employer that a doctor added. Nothing public lists it, and none of its
  -- reviews is public.
  rejected_for text
    check (rejected_for in ('unknown', 'person', 'advertising', 'not_employer', 'abusive')),
  constraint employers_source_unique unique (source, source_id),
  constraint employers_rejected
    check (rejected_for is null or (source = 'user' and merged_into is null))
);
-- There may be employers of one name at several places. A doctor may add one per name, city, and
-- state, however many type it at the same time.
create unique index employers_custom_name
  on employers (name_key, name_key(coalesce(city, '')), coalesce(state, '')) where source = 'user';
create index employers_name_key on employers (name_key);
create index employers_by_alias on employers using gin (alias_keys) where alias_keys <> '{}';
create index employers_by_beds on employers (bed_count, id);
create index employers_by_beds_desc on employers (bed_count desc nulls last, id);
create index employers_by_created on employers (created_at desc, id);
create index employers_search on employers using gin (search);
create index employers_by_merge on employers (merged_into) where merged_into is not null;
-- The directory's default order, with the columns that its filters read, for index-only scans.
create index employers_directory on employers (sort_name, id)
  include (state, employer_type, ownership_type, trauma_level, hospital_status, has_helipad,
    bed_count, staff_count)
  where merged_into is null and rejected_for is null;
create index employers_by_state on employers (state, sort_name, id)
  where merged_into is null and rejected_for is null;
-- The city that a search names.
create index employers_by_city on employers (plain_words(city), state)
  where merged_into is null and rejected_for is null;
create index employers_by_trauma on employers (trauma_level, sort_name, id)
  where merged_into is null and rejected_for is null and trauma_level is not null;
create index employers_by_staff on employers (staff_count)
  where merged_into is null and rejected_for is null and staff_count is not null;
-- Residencies, fellowships, and clinics of a specialty.
create index employers_by_specialty on employers (specialty)
  where merged_into is null and rejected_for is null;
create index employers_submitted on employers (created_at desc, id)
  where source = 'user' and merged_into is null and rejected_for is null;

-- The employer itself, or the one that it was merged into.
create function current_employer(named integer) returns integer
  language sql stable parallel safe
  return (select coalesce(merged_into, id) from public.employers where id = named);

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

-- Numbers by which files of employers know them. A number never changes, unlike its employer's name
-- and address.
create table employer_identifiers (
  -- 'ccn' is CMS's certification number, 'hifld' the ID of the HIFLD hospitals file
  scheme text not null check (scheme in ('ccn', 'hifld')),
  value text not null,
  -- also of an employer that was merged: it then belongs to the remaining one
  employer_id integer not null references employers,
  first_seen date not null,
  last_seen date not null,
  primary key (scheme, value)
);
create index employer_identifiers_by_employer on employer_identifiers (employer_id);

-- The newest row of each source about an employer.
create table employer_records (
  source text not null check (source in ('cms', 'cost_report', 'pos', 'hifld')),
  scheme text not null,
  value text not null,
  facts jsonb not null,
  -- the date of the file that has it
  as_of date not null,
  -- the date of the first file that no longer has it
  gone_on date,
  -- pages look up the records of an employer's numbers
  primary key (value, source),
  foreign key (scheme, value) references employer_identifiers on delete cascade
);

create table employer_imports (
  id integer primary key generated always as identity,
  source text not null,
  as_of date not null,
  previous_as_of date,
  undone boolean not null default false
);
create index employer_imports_by_source on employer_imports (source, id);

-- What undoing an import needs: what the changed records were before.
create table employer_import_changes (
  import_id integer not null references employer_imports on delete cascade,
  value text not null,
  -- null for a new record
  before jsonb,
  before_as_of date,
  before_gone_on date,
  -- whether the import added the identifier, and the employer
  added_identifier boolean not null,
  added_employer integer,
  primary key (import_id, value)
);

-- Corrections of an employer's facts that wait for a curator, one per fact. The proposer is not
-- stored: it would show who works there. The employer is the one that was named, even after a
-- merge, so that undoing the merge changes nothing here.
create table employer_corrections (
  id uuid primary key default gen_random_uuid(),
  employer_id integer not null references employers on delete cascade,
  -- a key of EMPLOYER_FACTS in contract/employers/employer-facts.ts
  field text not null,
  -- null, as JSON, if the fact is not known
  value jsonb not null,
  source text not null check (source <> ''),
  constraint employer_corrections_once unique (employer_id, field)
)
with (toast_tuple_target = 8160);
alter table employer_corrections alter column id set statistics 0;

-- Merges that can still be undone. reviews.merged_from already shows which reviews move back:
-- nothing more is stored per review.
create table employer_merges (
  -- the employer that was merged into another one
  employer_id integer primary key references employers on delete cascade,
  merged_on date not null,
  -- employers that had been merged into this one, and followed it
  followed integer[] not null
);
