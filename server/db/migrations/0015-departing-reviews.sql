-- Reviews whose author has deleted the account and wants them gone one at a time. A row names a
-- review and the minute in which it goes, and nobody. Checked at commit: the nightly rewrite takes a
-- review out and puts it back.
create table departing_reviews (
  review_id uuid primary key references reviews on delete no action deferrable initially deferred,
  leaves_at timestamptz not null check (leaves_at = date_trunc('minute', leaves_at))
);
create index departing_reviews_due on departing_reviews (leaves_at);

create function departing_reviews_go() returns trigger language plpgsql as $$
begin
  delete from public.departing_reviews where review_id in (select id from gone);
  return null;
end $$;
create trigger departing_reviews_go after delete on reviews
  referencing old table as gone for each statement execute function departing_reviews_go();
