-- The identity of this database: a random id that its backups carry, and that a restored copy
-- keeps. An inventory (server/backup/inventory.ts) counts only for backups of the same database.
create table lineage (
  id uuid primary key default gen_random_uuid()
);
create unique index lineage_only_one on lineage ((true));
insert into lineage default values;
