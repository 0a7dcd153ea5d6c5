-- The city that a search names.
create index employers_by_city on employers (plain_words(city), state) where merged_into is null;
