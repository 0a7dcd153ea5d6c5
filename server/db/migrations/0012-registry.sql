-- A copy of the public NPPES file, so that verification queries no outside service. It is public
-- data and the same on every server. Nothing here says which numbers were looked up.

-- Physicians, and deactivated numbers of all kinds. An import fills a new table and swaps it in.
create table registry_physicians (
  npi bigint primary key,
  -- if so, the file has nothing but the number
  deactivated boolean not null,
  first_name text,
  middle_name text,
  last_name text,
  suffix text,
  other_first_name text,
  other_middle_name text,
  other_last_name text,
  other_suffix text,
  taxonomies text[] not null,
  -- the taxonomy that physician_counts counts the physician under
  specialty text,
  -- the practice address; null unless it is a complete US address
  street text[],
  city text,
  state text,
  postal_code text,
  reactivated_on date
);

-- The rows of a file being imported, batch by batch.
create table registry_staging (
  like registry_physicians including defaults,
  line integer not null,
  -- false: an update says that this number does not (or no longer) belong to a physician
  kept boolean not null
);

-- How far the file in registry_staging has been read. At most one row.
create table registry_progress (
  only_one boolean primary key default true check (only_one),
  fingerprint text not null,
  file_name text not null,
  -- where to resume, in the unpacked file
  next_byte bigint not null,
  total_bytes bigint not null,
  lines integer not null,
  skipped integer not null
);

-- The files that registry_physicians comes from. No row: no registry is imported.
create table registry_files (
  id integer primary key generated always as identity,
  file_name text not null,
  kind text not null check (kind in ('full', 'update', 'deactivations')),
  -- the last day that the file covers, if its name says so
  as_of date,
  imported_on date not null,
  lines integer not null,
  skipped integer not null
);

-- Active physicians by place and specialty. Names no person.
create table physician_counts (
  state text not null,
  city text not null,
  specialty text not null,
  physicians integer not null,
  primary key (state, city, specialty)
);
