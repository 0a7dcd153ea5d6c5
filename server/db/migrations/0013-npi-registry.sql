-- A copy of the public NPPES file, so that verification queries no outside service. It is public
-- data and the same on every server. Nothing here says which numbers were looked up.

-- Physicians, and deactivated numbers of all kinds. An import fills a new table and swaps it in.
create table registry_physicians (
  npi bigint primary key,
  -- if so, the file has nothing but the number
  deactivated boolean not null,
  first_name text,
  last_name text,
  other_first_name text,
  other_last_name text,
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
