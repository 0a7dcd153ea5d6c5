-- Every server hears of every committed change to what the public reads.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('curbside_changed', tg_argv[0]);
  return null;
end $$;
create trigger changed after insert or update or delete or truncate on employers
  for each statement execute function notify_changed('employers');
create trigger changed after insert or update or delete or truncate on position_titles
  for each statement execute function notify_changed('position_titles');
create trigger changed after insert or delete or truncate
  or update of employer_id, employer_name, employer_state, employer_city, overall_rating,
    work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
    compensation_benefits_rating, immigration_support_rating, review_text, pros, cons,
    overall_experience, position_title, specialty, start_year, end_year, would_recommend,
    is_current_employee, removed_reason
  on reviews for each statement execute function notify_changed('reviews');
create trigger changed after insert or delete or truncate or update of helpful on review_votes
  for each statement execute function notify_changed('votes');
