-- Every server is notified of every committed change to what the public reads.
-- server/cache/topics.ts has the triggers that call this, one per topic.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('curbside_changed', tg_argv[0]);
  return null;
end $$;
