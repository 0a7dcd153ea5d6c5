-- What outlives an account, one row per NPI: found by a keyed hash of it, and sealed, so that the
-- index key can be rotated.
create table npi_tombstones (
  npi_index bytea primary key,
  -- the NPI
  sealed bytea not null,
  kind text not null check (kind in ('banned', 'left_reviews')),
  -- the first day of a month; a ban has no end
  ends_on date check (ends_on = date_trunc('month', ends_on)),
  check ((kind = 'banned') = (ends_on is null))
);

-- Accounts that lost their NPI to someone who proved that it is theirs. The account, since when,
-- and how far its reviews have been held are sealed under the authorship key: no other key may name
-- the account whose reviews are held.
create table npi_disputes (
  id uuid primary key default gen_random_uuid(),
  sealed bytea not null
);
