-- Where reviews mention a concern.

-- The concerns that a review mentions, and each again with the part that does: 'call' and 'cons-call'
-- (contract/concerns.ts). The summary includes an older review's overall experience.
create function concerns_by_part(summary text, pros text, cons text) returns text[]
  language sql immutable parallel safe
begin atomic
  select array(
    select distinct term
    from (values ('summary', concerns_of(summary)), ('pros', concerns_of(pros)),
        ('cons', concerns_of(cons))) parts (part, found),
      unnest(found) concern,
      lateral (values (concern), (part || '-' || concern)) terms (term)
    order by term);
end;

-- This also drops reviews_by_employer, which includes it.
alter table reviews drop column concerns;
alter table reviews add column concerns text[] not null generated always as (concerns_by_part(
  review_text || ' ' || coalesce(overall_experience, ''), pros, cons)) stored;
create index reviews_by_employer on reviews (employer_id, position_key, created_at desc, id)
  include (position_title, specialty, overall_rating, helpful_score, concerns)
  where removed_reason is null;
select employer_ratings_recompute();
