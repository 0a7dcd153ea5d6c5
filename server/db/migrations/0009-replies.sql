-- Employers' representatives, and their replies to reviews.

-- Such an account has no doctor profile and no roles. Name, work title, and mailbox are sealed in
-- users.sealed, like those of every account.
create table representatives (
  user_id uuid primary key references users on delete cascade,
  -- may have been merged into another one since
  employer_id integer not null references employers,
  -- decided by a curator
  state text not null default 'pending' check (state in ('pending', 'approved', 'refused')),
  -- for the representative: why it was refused
  reason text not null default ''
)
with (toast_tuple_target = 8160);
alter table representatives alter column user_id set statistics 0;
create index representatives_by_employer on representatives (employer_id);

-- Nobody may both review employers and represent one.
create function representatives_apart() returns trigger language plpgsql as $$
begin
  if exists (select from doctors where user_id = new.user_id)
    and exists (select from representatives where user_id = new.user_id)
  then
    raise exception using errcode = 'check_violation', constraint = 'representatives_apart',
      message = 'an account is a doctor''s or a representative''s';
  end if;
  return null;
end
$$;
create trigger representatives_apart after insert on representatives
  for each row execute function representatives_apart();
create trigger doctors_apart after insert on doctors
  for each row execute function representatives_apart();

-- An employer's reply to a review, at most one. It is deleted with the review (reviews_changed), and
-- shown while the review is of the employer that wrote it, or of the one that this employer was merged
-- into. Checked at commit: the nightly rewrite deletes a review and inserts it again.
create table review_replies (
  review_id uuid primary key references reviews on delete no action deferrable initially deferred,
  employer_id integer not null references employers,
  -- the representative's account. No foreign key: the reply is the employer's and stays when the
  -- account is deleted, and a curator may still find that it represented nobody.
  written_by uuid not null,
  text text not null check (text <> ''),
  -- the day of the last change
  replied_on date not null,
  -- by the employer, or because the account was never approved: only moderators still see it
  deleted boolean not null default false,
  -- a moderator's last decision about it, and the reason, for the employer
  removed boolean not null default false,
  decided_on date,
  rule text,
  note text not null default '',
  check (not removed or (decided_on is not null and rule is not null))
)
with (toast_tuple_target = 8160);
alter table review_replies alter column written_by set statistics 0;
create index review_replies_by_employer on review_replies (employer_id);
create index review_replies_by_writer on review_replies (written_by);

-- Reports of replies. The reporter is an HMAC bound to one review, under a dedicated key.
create table reply_reports (
  review_id uuid not null references review_replies on delete cascade,
  reporter_key bytea not null check (octet_length(reporter_key) = 32),
  reason text not null,
  note text not null default '',
  reported_on date not null,
  -- answered by a moderator: when, and how, for the reporter
  closed boolean not null default false,
  closed_on date,
  outcome text check (outcome in ('keep', 'remove')),
  rule text,
  primary key (review_id, reporter_key),
  check (closed = (closed_on is not null and outcome is not null and rule is not null))
)
with (toast_tuple_target = 8160);
alter table reply_reports alter column reporter_key set statistics 0;
create index reply_reports_answered on reply_reports (closed_on, review_id)
  where closed_on is not null;

-- Deleting a reply and writing it again must not undo reports and decisions: one that was reported
-- or decided about stays as long as its review, and a removed reply keeps its text. Another
-- employer, after an undone merge, may replace it with its own reply.
create function review_replies_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if (old.decided_on is not null
        or exists (select from public.reply_reports where review_id = old.review_id))
      and exists (select from public.reviews where id = old.review_id)
    then
      raise exception using errcode = 'check_violation', constraint = 'review_replies_stay',
        message = 'a reply that was reported or decided about goes only with its review';
    end if;
    return old;
  end if;
  if old.removed and (new.text <> old.text or new.decided_on is null)
    and public.current_employer(new.employer_id) = public.current_employer(old.employer_id)
  then
    raise exception using errcode = 'check_violation', constraint = 'review_replies_stay',
      message = 'a removed reply cannot be changed';
  end if;
  return new;
end
$$;
create trigger review_replies_stay before delete or update on review_replies
  for each row execute function review_replies_stay();
