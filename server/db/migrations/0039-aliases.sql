-- Other names of employers, and ZIP codes in their search.

-- array_to_string() is only stable, because of types whose text depends on settings.
create function joined(parts text[]) returns text language sql immutable strict parallel safe
  return array_to_string(parts, ' ');
create function name_keys(names text[]) returns text[] language sql immutable strict parallel safe
  return array(select public.name_key(name) from unnest(names) as name);

alter table employers
  -- from imports and curators, as people know them: 'MGH'
  add column aliases text[] not null default '{}' check (cardinality(aliases) <= 20),
  add column alias_keys text[] not null generated always as (name_keys(aliases)) stored,
  drop column search;
alter table employers
  add column search tsvector not null generated always as (
    setweight(to_tsvector('simple', plain_words(name || ' ' || joined(aliases))), 'A')
    || setweight(to_tsvector('simple', plain_words(
      coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(state_name(state), '')
      || ' ' || coalesce(substring(zip for 5), ''))), 'B')
    || setweight(to_tsvector('simple', plain_words(coalesce(specialty, ''))), 'C')
    || setweight(to_tsvector('simple', plain_words(coalesce(address, ''))), 'D')
    || array_to_tsvector(name_initials(plain_words(name)))
  ) stored;
create index employers_search on employers using gin (search);
create index employers_by_alias on employers using gin (alias_keys) where alias_keys <> '{}';
