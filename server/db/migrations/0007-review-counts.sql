-- How many published reviews there are of each kind that the common filters tell apart: a few
-- rows to add up, where counting would read the table.
create table review_counts (
  -- '*' for all of them together: no key of a title has punctuation
  position_key text not null,
  state text not null,
  overall_rating smallint not null,
  would_recommend boolean not null,
  is_current_employee boolean not null,
  total integer not null check (total >= 0),
  primary key (position_key, state, overall_rating, would_recommend, is_current_employee)
);

-- What one review adds to the count of its kind (sign 1), or takes away (-1).
create type review_kind as (
  position_key text,
  state text,
  overall_rating smallint,
  would_recommend boolean,
  is_current_employee boolean,
  sign integer
);

-- A statement's changes together, in one order for all: two who change the same kinds wait for each
-- other's end, and never in a circle.
create function review_counts_follow() returns trigger language plpgsql as $$
declare
  changes public.review_kind[] := '{}';
  change record;
begin
  if tg_op <> 'INSERT' then
    changes := array(
      select row(one_or_all, coalesce(employer_state, ''), overall_rating, would_recommend,
        is_current_employee, -1)::public.review_kind
      from old_rows, unnest(array[position_key, '*']) one_or_all where removed_reason is null);
  end if;
  if tg_op <> 'DELETE' then
    changes := changes || array(
      select row(one_or_all, coalesce(employer_state, ''), overall_rating, would_recommend,
        is_current_employee, 1)::public.review_kind
      from new_rows, unnest(array[position_key, '*']) one_or_all where removed_reason is null);
  end if;
  for change in
    select position_key, state, overall_rating, would_recommend, is_current_employee,
      sum(sign) as more
    from unnest(changes) group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
  loop
    update public.review_counts kept set total = total + change.more
      where (kept.position_key, kept.state, kept.overall_rating, kept.would_recommend,
          kept.is_current_employee)
        = (change.position_key, change.state, change.overall_rating, change.would_recommend,
          change.is_current_employee);
    if not found then
      insert into public.review_counts
        values (change.position_key, change.state, change.overall_rating,
          change.would_recommend, change.is_current_employee, change.more)
        on conflict (position_key, state, overall_rating, would_recommend, is_current_employee)
        do update set total = review_counts.total + excluded.total;
    end if;
    -- A title that nobody has written any more is not kept.
    if change.more < 0 then
      delete from public.review_counts kept
        where (kept.position_key, kept.state, kept.overall_rating, kept.would_recommend,
            kept.is_current_employee, kept.total)
          = (change.position_key, change.state, change.overall_rating, change.would_recommend,
            change.is_current_employee, 0);
    end if;
  end loop;
  return null;
end $$;
create trigger review_counts_follow_insert after insert on reviews
  referencing new table as new_rows
  for each statement execute function review_counts_follow();
create trigger review_counts_follow_update after update on reviews
  referencing old table as old_rows new table as new_rows
  for each statement execute function review_counts_follow();
create trigger review_counts_follow_delete after delete on reviews
  referencing old table as old_rows
  for each statement execute function review_counts_follow();

-- All counts from the reviews themselves: after a bulk load without triggers.
create function review_counts_recompute() returns void language plpgsql as $$
begin
  truncate public.review_counts;
  insert into public.review_counts
    select one_or_all, coalesce(employer_state, ''), overall_rating, would_recommend,
      is_current_employee, count(*)
    from public.reviews, unnest(array[position_key, '*']) one_or_all
    where removed_reason is null group by 1, 2, 3, 4, 5;
end $$;
