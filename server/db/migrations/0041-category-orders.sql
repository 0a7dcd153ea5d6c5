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
