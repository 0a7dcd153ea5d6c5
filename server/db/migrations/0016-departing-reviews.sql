-- Reviews whose author has deleted the account and wants them deleted one at a time. A row names a
-- review and the minute of its deletion, and nobody. Checked at commit: the nightly rewrite deletes
-- a review and inserts it again.
create table departing_reviews (
  review_id uuid primary key references reviews on delete no action deferrable initially deferred,
  leaves_at timestamptz not null check (leaves_at = date_trunc('minute', leaves_at))
);
create index departing_reviews_due on departing_reviews (leaves_at);
