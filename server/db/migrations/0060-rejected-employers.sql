-- Employers that doctors added and a curator rejected. Nothing public lists them, and none of their
-- reviews is public.
alter table employers
  add column rejected_for text
    check (rejected_for in ('unknown', 'person', 'advertising', 'not_employer', 'abusive')),
  add constraint employers_rejected check (rejected_for is null or (source = 'user' and merged_into is null));

-- As before, without rejected employers.
drop index employers_directory, employers_by_state, employers_by_trauma, employers_by_staff,
  employers_by_specialty, employers_by_city, employers_submitted;
create index employers_directory on employers (sort_name, id)
  include (state, employer_type, ownership_type, trauma_level, hospital_status, has_helipad,
    bed_count, staff_count)
  where merged_into is null and rejected_for is null;
create index employers_by_state on employers (state, sort_name, id)
  where merged_into is null and rejected_for is null;
create index employers_by_trauma on employers (trauma_level, sort_name, id)
  where merged_into is null and rejected_for is null and trauma_level is not null;
create index employers_by_staff on employers (staff_count)
  where merged_into is null and rejected_for is null and staff_count is not null;
create index employers_by_specialty on employers (specialty)
  where merged_into is null and rejected_for is null;
create index employers_by_city on employers (plain_words(city), state)
  where merged_into is null and rejected_for is null;
create index employers_submitted on employers (created_at desc, id)
  where source = 'user' and merged_into is null and rejected_for is null;

-- As before, and refuses to make a review of a rejected employer public. A rejection locks `reviews`,
-- so this either sees it, or its review is hidden with the others.
create or replace function reviews_prepare() returns trigger language plpgsql as $$
declare
  kept record;
  is_moved constant boolean := tg_op = 'INSERT' or new.employer_id <> old.employer_id;
begin
  new.settled := false;
  if not is_moved and (new.removed_reason is not null or old.removed_reason is null) then
    return new;
  end if;
  select kept_employer.id, kept_employer.name, kept_employer.state, kept_employer.city,
      kept_employer.rejected_for
    into kept
    from public.employers named
    join public.employers kept_employer on kept_employer.id = coalesce(named.merged_into, named.id)
    where named.id = new.employer_id;
  if new.removed_reason is null and kept.rejected_for is not null then
    raise exception using errcode = 'check_violation', constraint = 'reviews_of_rejected',
      message = 'the employer has been rejected';
  end if;
  if not is_moved then
    return new;
  end if;
  if kept.id <> new.employer_id then
    new.merged_from := coalesce(new.merged_from, new.employer_id);
    new.employer_id := kept.id;
  end if;
  new.employer_name := kept.name;
  new.employer_state := kept.state;
  new.employer_city := kept.city;
  return new;
end $$;

-- A review that was hidden because its employer was rejected.
alter table review_decisions
  drop constraint review_decisions_source_check,
  add constraint review_decisions_source_check
    check (source in ('report', 'screening', 'moderator', 'employer'));
