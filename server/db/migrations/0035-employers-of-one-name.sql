-- Employers of one name at several places. A doctor may add one per name, city, and state, however many
-- type it at the same time.
drop index employers_custom_name;
create unique index employers_custom_name
  on employers (name_key, name_key(coalesce(city, '')), coalesce(state, '')) where source = 'user';

-- Where the employer is that a waiting review will create. Null: not given. Empty: not known.
alter table scheduled_reviews
  add column custom_city text,
  add column custom_state text check (custom_state ~ '^([A-Z]{2})?$'),
  add check (custom_employer is not null or num_nonnulls(custom_city, custom_state) = 0);

-- As before, with the place of a new employer. Without one, the hash is the same.
drop function review_job(integer, text, text);
create function review_job(employer integer, new_employer text, city text, state text, title text)
  returns bytea
  language sql stable parallel safe
  return substring(sha256(convert_to(
    coalesce(
      '#' || employer,
      public.name_key(new_employer) || coalesce('@' || public.name_key(city), '')
        || coalesce(':' || state, ''))
    || '/' || public.name_key(title), 'UTF8'
  )) for 16);
