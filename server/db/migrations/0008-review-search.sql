-- The words that reviews are made of: what a mistyped word of a search may have meant.
create table search_words (word text collate "C" primary key);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

create function search_words_learn() returns trigger language plpgsql as $$
begin
  -- Sorted, so that two who bring the same new words do not wait for each other.
  insert into public.search_words
    select lexeme from unnest(new.search) where lexeme not like '=%' order by lexeme
    on conflict do nothing;
  return null;
end $$;
create trigger search_words_learn after insert or update of employer_name, employer_state,
    employer_city, position_title, specialty, review_text, pros, cons, overall_experience
  on reviews for each row execute function search_words_learn();

-- Forgets the words that no published review has any more, and learns those that a bulk load
-- without triggers has brought.
create function search_words_recompute() returns void language plpgsql as $$
begin
  create temporary table words_now on commit drop as
    select word collate "C" as word from ts_stat(
      'select search from public.reviews where removed_reason is null')
    where word not like '=%';
  delete from public.search_words
    where not exists (select from words_now where words_now.word = search_words.word);
  insert into public.search_words select word from words_now order by word
    on conflict do nothing;
  drop table words_now;
end $$;
-- A search as a query: each word stands for the known words that begin with it or, if there are
-- none, for those most like it. Whole words are found far faster than what begins with something.
create function forgiving_query(search text) returns tsquery language plpgsql stable as $$
declare
  given text;
  meant text[];
  whole tsquery;
  part tsquery;
begin
  foreach given in array string_to_array(public.plain_words(search), ' ')
  loop
    continue when given = '';
    meant := array(
      select word from public.search_words where word like given || '%' order by word limit 31);
    -- A letter that is a word stands for itself: most reviews have some word that begins with it.
    if length(given) = 1 and meant[1] = given then
      meant := array[given];
    end if;
    if cardinality(meant) = 0 and length(given) >= 4 then
      meant := array(
        select word from public.search_words
          where word operator(public.%) given and public.similarity(word, given) >= 0.4
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
