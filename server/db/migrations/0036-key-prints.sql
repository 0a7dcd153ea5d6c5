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
