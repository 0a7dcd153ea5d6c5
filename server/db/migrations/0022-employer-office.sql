-- Corrections of an employer's facts that wait for a curator, one for each fact. Who proposed one is
-- stored nowhere: it would say who works there. The employer is the one that was named, also after a
-- merge, so that undoing the merge changes nothing here.
create table employer_corrections (
  id uuid primary key default gen_random_uuid(),
  employer_id integer not null references employers on delete cascade,
  -- a key of EMPLOYER_FACTS in contract/employer-facts.ts
  field text not null,
  -- null, as JSON, if the fact is not known
  value jsonb not null,
  source text not null check (source <> ''),
  constraint employer_corrections_once unique (employer_id, field)
);

-- Merges that can still be undone. Which reviews go back is in reviews.merged_from already: nothing
-- more is stored for each review.
create table employer_merges (
  -- the employer that was merged into another one
  employer_id integer primary key references employers on delete cascade,
  merged_on date not null,
  -- employers that were merged into this one before, and followed it
  followed integer[] not null
);
