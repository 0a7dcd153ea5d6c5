-- What files say about employers, and by which numbers they know them.

alter table employers
  drop constraint employers_source_check,
  add constraint employers_source_check
    check (source in ('demo', 'user', 'hifld', 'cms', 'cost_report', 'pos'));

-- A number that a source gives an employer. It never changes, unlike its name and its address.
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

-- Imports of before.
insert into employer_identifiers (scheme, value, employer_id, first_seen, last_seen)
  select 'hifld', source_id, id, created_at::date, created_at::date
  from employers where source = 'hifld' and source_id is not null;
insert into employer_records (source, scheme, value, facts, as_of)
  select 'hifld', 'hifld', source_id, jsonb_strip_nulls(jsonb_build_object(
    'name', name, 'address', address, 'city', city, 'state', state, 'zip', zip, 'phone', phone,
    'website', website, 'specialty', specialty, 'ownership_type', ownership_type,
    'bed_count', bed_count, 'staff_count', staff_count, 'trauma_level', trauma_level,
    'has_helipad', has_helipad, 'hospital_status', hospital_status)), created_at::date
  from employers where source = 'hifld' and source_id is not null;
