-- Changes of e-mail addresses that wait for the link in the new mailbox: one per account. The
-- account is named by a keyed hash that joins to no other table, the links by keyed hashes of
-- their tokens. Who, which address and until when is sealed.
create table email_changes (
  account_key bytea primary key,
  confirm_hash bytea not null,
  stop_hash bytea not null,
  sealed bytea not null,
  constraint email_changes_confirm unique (confirm_hash),
  constraint email_changes_stop unique (stop_hash)
);
