-- The two tables with a row per review or more, in parts: the nightly rewrite writes one part after
-- another, so that a request waits for one of them at most (docs/scale.md).

-- By the job, which only an edit changes, so that a rotation moves no row to another part.
alter table departing_reviews drop constraint departing_reviews_author;
alter table review_authors rename to former;
alter table former rename constraint review_authors_pkey to former_pkey;
alter table former rename constraint review_authors_once to former_once;
create table review_authors (
  -- of a review, published or waiting
  review_id uuid not null default gen_random_uuid(),
  -- HMAC-SHA-256 of the author's id under a dedicated key; random bytes once disowned
  author_key bytea not null check (octet_length(author_key) = 32),
  -- review_job() of the review. It names the employer that the author named, so a merge of employers
  -- changes no row here.
  job bytea not null check (octet_length(job) = 16)
) partition by hash (job);
do $$
begin
  for part in 0..3 loop
    -- The rewrite updates every row. Half-empty pages take the new versions without new index
    -- entries, which is five times as fast.
    execute format('create table review_authors_%s partition of review_authors
      for values with (modulus 4, remainder %s) with (fillfactor = 45)', part, part);
  end loop;
end $$;
-- Statistics would keep keys that are gone. Queries must be fast without an estimate.
alter table review_authors
  alter column review_id set statistics 0,
  alter column author_key set statistics 0,
  alter column job set statistics 0;
insert into review_authors (review_id, author_key, job)
  select review_id, author_key, job from former order by review_id;
drop table former;
alter table review_authors
  -- Not of the review alone: a key must include the column that tells the part. Ids are random.
  add primary key (review_id, job),
  -- One review per author, employer, and position, in `reviews` and `scheduled_reviews` together.
  add constraint review_authors_once unique (author_key, job);

alter table review_votes rename to former;
alter table former rename constraint review_votes_pkey to former_pkey;
create table review_votes (
  review_id uuid not null,
  voter_key bytea not null check (octet_length(voter_key) = 32),
  -- or not helpful
  helpful boolean not null
) partition by hash (review_id);
do $$
begin
  for part in 0..3 loop
    execute format('create table review_votes_%s partition of review_votes
      for values with (modulus 4, remainder %s) with (toast_tuple_target = 8160)', part, part);
  end loop;
end $$;
alter table review_votes alter column voter_key set statistics 0;
insert into review_votes (review_id, voter_key, helpful)
  select review_id, voter_key, helpful from former order by review_id, voter_key;
drop table former;
alter table review_votes
  add primary key (review_id, voter_key),
  -- Checked at commit: the nightly rewrite deletes a review and inserts it again.
  add foreign key (review_id) references reviews on delete no action deferrable initially deferred;
create trigger helpful_counts_follow_insert after insert on review_votes
  referencing new table as votes
  for each statement execute function helpful_counts_follow();
create trigger helpful_counts_follow_delete after delete on review_votes
  referencing old table as votes
  for each statement execute function helpful_counts_follow();
create trigger helpful_counts_turn after update of helpful on review_votes
  for each row when (old.helpful <> new.helpful) execute function helpful_counts_turn();
