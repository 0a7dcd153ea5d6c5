-- What belongs to no feature: the audit log, rate limits, the keys and the identity of this database,
-- and notifications between servers.

-- What administrators and commands did. It names no author and no reader.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  happened_on date not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'
)
with (toast_tuple_target = 8160);
alter table audit_log
  alter column id set statistics 0,
  alter column actor set statistics 0,
  alter column subject set statistics 0;
create index audit_log_day on audit_log (happened_on, id);
-- Who decided about a subject, and when.
create index audit_log_subject on audit_log (subject, happened_on);
-- Whether there has ever been a legal demand, for the public record.
create index audit_log_demands on audit_log (happened_on) where action = 'legal.receive';

-- Rate limits. A window ends on the hour or at midnight. Its salt is deleted with it, so nobody can
-- recompute the keys of its counters. Unlogged: neither the write-ahead log nor a base backup has
-- any of it.
create unlogged table rate_limit_salts (
  window_length text not null check (window_length in ('hour', 'day')),
  ends_at timestamptz not null,
  salt bytea not null,
  primary key (window_length, ends_at)
)
with (toast_tuple_target = 8160);
alter table rate_limit_salts
  alter column window_length set statistics 0,
  alter column ends_at set statistics 0,
  alter column salt set statistics 0;

create unlogged table rate_limits (
  -- HMAC of the window's salt, the limit's name, and the subject
  key bytea primary key,
  points integer not null,
  -- rounded up to five minutes; only if a limit backs off and its points are used up
  blocked_until timestamptz,
  ends_at timestamptz not null
)
with (toast_tuple_target = 8160);
alter table rate_limits
  alter column key set statistics 0,
  alter column points set statistics 0,
  alter column blocked_until set statistics 0,
  alter column ends_at set statistics 0;
create index rate_limits_end on rate_limits (ends_at);

-- Which keys this database was used with: a server with others could neither find nor read what is
-- in it. A print is a keyed hash of a random salt, so it shows nothing of its key, and cannot be
-- compared with the prints of another database.
create table key_prints (
  setting text not null check (setting in ('SEALING_KEYS', 'INDEX_KEY', 'AUTHORSHIP_KEY', 'SESSION_KEY')),
  salt bytea not null check (octet_length(salt) = 16),
  print bytea not null check (octet_length(print) = 32),
  primary key (setting, print)
);
alter table key_prints
  alter column salt set statistics 0,
  alter column print set statistics 0;

-- The identity of this database: a random id that its backups carry, and that a restored copy
-- keeps. An inventory (server/backup/inventory.ts) counts only for backups of the same database.
create table lineage (
  id uuid primary key default gen_random_uuid()
);
create unique index lineage_only_one on lineage ((true));
insert into lineage default values;

-- Every server is notified of every committed change to what the public reads.
-- server/db/topics.ts has the triggers that call this, one per topic.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('curbside_changed', tg_argv[0]);
  return null;
end $$;

