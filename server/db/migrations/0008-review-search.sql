-- The words that reviews are made of: what a mistyped word of a search may have meant. Not unique,
-- as employer_words.
create table search_words (word text collate "C" not null);
create index search_words_word on search_words (word);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

create function search_words_learn() returns trigger language plpgsql as $$
declare
  lexemes text[];
begin
  if tg_op = 'INSERT' then
    lexemes := array(select distinct lexeme from new_rows, unnest(search));
  else
    lexemes := array(
      select distinct lexeme from new_rows join old_rows using (id), unnest(new_rows.search)
      where new_rows.search is distinct from old_rows.search);
  end if;
  insert into public.search_words
    select lexeme from unnest(lexemes) lexeme
    where lexeme not like '=%'
      and not exists (select from public.search_words known where known.word = lexeme);
  return null;
end $$;
create trigger search_words_learn_insert after insert on reviews
  referencing new table as new_rows
  for each statement execute function search_words_learn();
create trigger search_words_learn_update after update on reviews
  referencing old table as old_rows new table as new_rows
  for each statement execute function search_words_learn();

-- Forgets the words that no published review has any more, and duplicates; learns those that a bulk
-- load without triggers has brought.
create function search_words_recompute() returns void language plpgsql as $$
begin
  -- One at a time; inserts go on.
  lock table public.search_words in share update exclusive mode;
  create temporary table words_now on commit drop as
    select word collate "C" as word from ts_stat(
      'select search from public.reviews where removed_reason is null')
    where word not like '=%';
  delete from public.search_words
    where not exists (select from words_now where words_now.word = search_words.word);
  delete from public.search_words again using public.search_words first
    where again.word = first.word and again.ctid > first.ctid;
  insert into public.search_words select word from words_now
    where not exists (select from public.search_words known where known.word = words_now.word);
  drop table words_now;
end $$;
-- A search as a query: each word stands for the known words that begin with it or, if there are
-- none, for those most like it. Whole words are found far faster than what begins with something.
-- The first twelve words count.
create function forgiving_query(search text) returns tsquery language plpgsql stable as $$
declare
  given text;
  meant text[];
  whole tsquery;
  part tsquery;
begin
  foreach given in array (string_to_array(public.plain_words(search), ' '))[:12]
  loop
    continue when given = '';
    meant := array(
      select distinct word from public.search_words
        where word like given || '%' order by word limit 31);
    -- A letter that is a word stands for itself: most reviews have some word that begins with it.
    if length(given) = 1 and meant[1] = given then
      meant := array[given];
    end if;
    if cardinality(meant) = 0 and length(given) >= 4 then
      meant := array(
        select word from public.search_words
          where word operator(public.%) given and public.similarity(word, given) >= 0.4
          group by word
          order by public.similarity(word, given) desc, word limit 3);
    end if;
    if cardinality(meant) between 1 and 30 then
      select string_agg(quote_literal(word), ' | ')::tsquery into part from unnest(meant) word;
    else
      part := to_tsquery('simple', quote_literal(given) || ':*');
    end if;
    whole := coalesce(whole && part, part);
  end loop;
  return whole;
end $$;
