-- The words of reviews, for correcting searches, in the shape of `employer_words`.
create table search_words (
  word text collate "C" not null,
  -- only for words that a search may be corrected to: the number of spellings grows with the length
  spellings text[] not null generated always as
    (case when word ~ '^[a-z]{4,30}$' then spellings(word) else '{}' end) stored
);
create index search_words_word on search_words (word);
create index search_words_spellings on search_words using gin (spellings);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

create function search_words_add(lexemes text[]) returns void language plpgsql as $$
begin
  insert into public.search_words (word)
    select lexeme from unnest(lexemes) lexeme
    where lexeme not like '=%'
      and not exists (select from public.search_words known where known.word = lexeme);
end $$;

-- Deletes words that no published review has anymore, and duplicates; adds those from a bulk load
-- without triggers.
create function search_words_recompute() returns void language plpgsql as $$
begin
  -- One at a time; inserts continue.
  lock table public.search_words in share update exclusive mode;
  create temporary table words_now on commit drop as
    select word collate "C" as word from ts_stat(
      'select search from public.reviews where removed_reason is null')
    where word not like '=%';
  delete from public.search_words
    where not exists (select from words_now where words_now.word = search_words.word);
  delete from public.search_words again using public.search_words first
    where again.word = first.word and again.ctid > first.ctid;
  insert into public.search_words (word) select word from words_now
    where not exists (select from public.search_words known where known.word = words_now.word);
  drop table words_now;
end $$;
