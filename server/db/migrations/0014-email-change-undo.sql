-- Links in the old mailbox that stop a change of the email address, and undo it for 7 days after it
-- was confirmed. The account and the old address are named by keyed hashes that join to no other
-- table, the link by a keyed hash of its token. The account, address, and password are sealed.
create table email_undos (
  token_hash bytea primary key,
  account_key bytea not null,
  -- while the link is valid, no other account may take the address
  address_key bytea not null,
  sealed bytea not null,
  -- 1 for the first address of the account; addresses that were replaced later rank higher
  rank smallint not null,
  expires_on date not null
);
create index email_undos_account on email_undos (account_key);
create index email_undos_address on email_undos (address_key);
create index email_undos_expiry on email_undos (expires_on);

-- The old link ends on confirmation. Changes that are already waiting have no such link: they must
-- be requested again, so that none takes effect without a way to undo it.
delete from email_changes;
alter table email_changes drop column stop_hash;
