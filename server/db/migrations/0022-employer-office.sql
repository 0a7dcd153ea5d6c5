-- Corrections of an employer's facts that wait for a curator, one per fact. The proposer is not
-- stored: it would show who works there. The employer is the one that was named, even after a
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

-- Merges that can still be undone. reviews.merged_from already shows which reviews move back:
-- nothing more is stored per review.
create table employer_merges (
  -- the employer that was merged into another one
  employer_id integer primary key references employers on delete cascade,
  merged_on date not null,
  -- employers that had been merged into this one, and followed it
  followed integer[] not null
);
