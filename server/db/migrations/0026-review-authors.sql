-- What ties an author to a review lives here and nowhere else. The nightly rewrite, and the one after
-- a lock or a departure, write this small table into a new file. `reviews` is too large for that: in
-- its files and indexes, bytes of earlier values would remain (docs/anonymity.md).
create table review_authors (
  -- of a review, published or waiting
  review_id uuid primary key default gen_random_uuid(),
  -- HMAC-SHA-256 of the author's id under a dedicated key; random bytes once disowned
  author_key bytea not null check (octet_length(author_key) = 32),
  -- review_job() of the review. It names the employer that the author named, so a merge of employers
  -- changes no row here.
  job bytea not null check (octet_length(job) = 16),
  -- One review per author, employer, and position, in `reviews` and `scheduled_reviews` together.
  constraint review_authors_once unique (author_key, job)
)
-- The rewrite updates every row. Half-empty pages take the new versions without new index entries,
-- which is five times as fast.
with (fillfactor = 45);
-- Statistics would keep keys that are gone. Queries must be fast without an estimate.
alter table review_authors
  alter column review_id set statistics 0,
  alter column author_key set statistics 0,
  alter column job set statistics 0;

-- A hash of an employer and a position. The employer is an id, or the name of one that a waiting
-- review will create. name_key() leaves only letters and digits, so no two jobs are spelled alike.
create function review_job(employer integer, new_employer text, title text) returns bytea
  language sql stable parallel safe
  return substring(sha256(convert_to(
    coalesce('#' || employer, public.name_key(new_employer)) || '/' || public.name_key(title), 'UTF8'
  )) for 16);

insert into review_authors (review_id, author_key, job)
  select id, author_key, review_job(written_for, null, position_title) from reviews
  union all
  select id, author_key, review_job(employer_id, custom_employer, position_title)
    from scheduled_reviews
  order by id;

alter table reviews drop constraint reviews_once, drop column author_key;
alter table scheduled_reviews drop constraint scheduled_reviews_once, drop column author_key;

-- Checking a foreign key locks the row that it refers to, and the lock's transaction stays in that row.
-- So what is written about an author's reviews must not refer to `reviews`. For the same reason,
-- neither table of reviews refers to this one, or this one to them: the nightly rewrite inserts
-- reviews again.
alter table departing_reviews
  drop constraint departing_reviews_review_id_fkey,
  add constraint departing_reviews_author foreign key (review_id) references review_authors;

-- As before, but finds the reviews through review_authors.
create or replace function hold_author(author_keys bytea[]) returns setof scheduled_reviews
  language plpgsql as $$
declare
  key bytea;
begin
  for key in select distinct k from unnest(author_keys) as k order by k loop
    perform pg_advisory_xact_lock(('x' || encode(substring(key for 8), 'hex'))::bit(64)::bigint);
  end loop;
  -- A new statement, so it sees what the previous holder committed.
  return query select * from public.scheduled_reviews where id = any (array(
    select review_id from public.review_authors where author_key = any (author_keys)));
end $$;

-- The author's row goes with the review, published or waiting.
create function review_authors_drop(ids uuid[]) returns void language plpgsql as $$
begin
  -- In id order, which prevents deadlocks with a key rotation.
  perform from public.review_authors where review_id = any (ids) order by review_id for update;
  delete from public.review_authors where review_id = any (ids);
end $$;
-- One more step of reviews_changed().
do $$
declare
  source text := pg_get_functiondef('reviews_changed'::regproc);
  last text := 'delete from public.review_replies where review_id in (select id from old_rows);';
begin
  if position(last in source) = 0 then raise exception 'reviews_changed() has no such step'; end if;
  execute replace(source, last, last || '
    perform public.review_authors_drop(array(select id from old_rows));');
end $$;
create function scheduled_reviews_deleted() returns trigger language plpgsql as $$
begin
  perform public.review_authors_drop(array(select id from old_rows));
  return null;
end $$;
create trigger scheduled_reviews_deleted after delete on scheduled_reviews
  referencing old table as old_rows
  for each statement execute function scheduled_reviews_deleted();

-- New files: dropping a column leaves its bytes in the old ones.
cluster reviews using reviews_pkey;
cluster scheduled_reviews using scheduled_reviews_pkey;
