-- The reported text has changed since the report. Set once, so that later edits write nothing.
alter table cases add column edited boolean not null default false;
