-- Ratings of employers: averages and sums over their published reviews. A change to reviews recomputes
-- those of its employers (employer_ratings_recompute in 0006-changes.sql).

-- Every employer has a row, so that the directory can be sorted by it.
create table employer_ratings (
  employer_id integer primary key references employers on delete cascade,
  total_reviews integer not null default 0 check (total_reviews >= 0),
  overall_rating numeric(5, 4),
  -- The score of the order "Best established": a Bayesian average of the overall ratings, not
  -- rounded, so that only equal scores tie. Null without reviews.
  established double precision,
  avg_work_life_balance_rating numeric(5, 4),
  avg_mentorship_growth_rating numeric(5, 4),
  avg_team_collaboration_rating numeric(5, 4),
  avg_compensation_benefits_rating numeric(5, 4),
  avg_immigration_support_rating numeric(5, 4)
);
create index employer_ratings_by_overall
  on employer_ratings (overall_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_established
  on employer_ratings (established desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_total on employer_ratings (total_reviews desc, employer_id);
-- The directory's orders by one category.
create index employer_ratings_by_work_life_balance on employer_ratings
  (avg_work_life_balance_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_mentorship_growth on employer_ratings
  (avg_mentorship_growth_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_team_collaboration on employer_ratings
  (avg_team_collaboration_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_compensation_benefits on employer_ratings
  (avg_compensation_benefits_rating desc nulls last, total_reviews desc, employer_id);
create index employer_ratings_by_immigration_support on employer_ratings
  (avg_immigration_support_rating desc nulls last, total_reviews desc, employer_id);

-- For a specialty's averages, and to find employers with reviews of a specialty.
create table employer_specialties (
  employer_id integer not null references employers on delete cascade,
  specialty text not null,
  total integer not null,
  recommended integer not null,
  overall integer not null,
  work_life_balance integer not null,
  mentorship_growth integer not null,
  team_collaboration integer not null,
  compensation_benefits integer not null,
  immigration_support integer not null,
  -- reviews that rate immigration support
  immigration_answers integer not null,
  primary key (employer_id, specialty)
);
create index employer_specialties_by_specialty on employer_specialties (specialty, employer_id);
