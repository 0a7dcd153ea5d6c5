-- PostgreSQL planned each call of these functions anew, which took longer than the work. In PL/pgSQL,
-- with a plan that fits all calls because it looks up each key in an index, a session plans them once.
create or replace function hold_author(author_keys bytea[]) returns setof scheduled_reviews
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

create or replace function
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

create or replace function concerns_by_part(summary text, pros text, cons text) returns text[]
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
