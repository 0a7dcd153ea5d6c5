-- The number of published reviews for each combination of the common filters: a few rows to add up
-- instead of counting reviews.
create table review_counts (
  -- '*' for all positions combined: no key has punctuation
  position_key text not null,
  -- '*' for all specialties combined, and '' for none
  specialty text not null,
  state text not null,
  overall_rating smallint not null,
  would_recommend boolean not null,
  is_current_employee boolean not null,
  total integer not null,
  primary key (position_key, specialty, state, overall_rating, would_recommend, is_current_employee)
);

-- In key order, which prevents deadlocks. Titles without reviews are deleted.
create function review_counts_add(changes review_counts[]) returns void language plpgsql as $$
begin
  insert into public.review_counts as kept
    select position_key, specialty, state, overall_rating, would_recommend, is_current_employee,
      sum(total)
    from unnest(changes)
    group by 1, 2, 3, 4, 5, 6 having sum(total) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict
      (position_key, specialty, state, overall_rating, would_recommend, is_current_employee)
    do update set total = kept.total + excluded.total;
  if exists (select from unnest(changes) where total < 0) then
    delete from public.review_counts kept using unnest(changes) change
      where kept.total = 0
        and (kept.position_key, kept.specialty, kept.state, kept.overall_rating,
          kept.would_recommend, kept.is_current_employee)
        = (change.position_key, change.specialty, change.state, change.overall_rating,
          change.would_recommend, change.is_current_employee);
  end if;
end $$;

-- All counts from the reviews themselves, after a bulk load without triggers.
create function review_counts_recompute() returns void language plpgsql as $$
begin
  truncate public.review_counts;
  insert into public.review_counts
    select one_title, one_field, coalesce(employer_state, ''), overall_rating, would_recommend,
      is_current_employee, count(*)
    from public.reviews, unnest(array[position_key, '*']) one_title,
      unnest(array[coalesce(specialty, ''), '*']) one_field
    where removed_reason is null group by 1, 2, 3, 4, 5, 6;
end $$;
