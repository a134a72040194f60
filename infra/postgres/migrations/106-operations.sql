-- Long operations with progress, asked for and run by a projector: rebuilds of the read models, comparisons of the log with its tree.
create table app.operation (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('check', 'build', 'switch', 'replace', 'switch-back', 'retry-parked', 'compare-log')),
  asked_at timestamptz not null default clock_timestamp(),
  asked_by text not null,
  started_at timestamptz,
  -- Written while it runs: an operation that has reported nothing for long was interrupted.
  told_at timestamptz,
  ended_at timestamptz,
  phase text,
  events bigint,
  -- Events in all, where known.
  size bigint,
  seconds double precision,
  fraction double precision,
  outcome text,
  failed boolean not null default false,
  findings jsonb
);
create index operation_unfinished on app.operation (id) where ended_at is null;

-- Otherwise what a program commits meanwhile would be missing in the copy.
lock table app.projection_work, app.tree_check in access exclusive mode;
insert into app.operation (id, kind, asked_at, asked_by, started_at, told_at, ended_at, phase, events, seconds, fraction, outcome, failed)
overriding system value
select id, kind, asked_at, asked_by, started_at, told_at, ended_at, phase, events, seconds, fraction, outcome, failed
  from app.projection_work;
-- Above all ids so far: a program that is comparing right now finds its row no more, and the comparison is made again.
insert into app.operation (id, kind, asked_at, asked_by, started_at, told_at, ended_at, events, size, outcome, failed, findings)
overriding system value
select id + (select coalesce(max(id), 0) from (select id from app.projection_work union all select id from app.tree_check) ids),
       'compare-log', asked_at, asked_by, started_at, started_at, done_at, compared, size, error, error is not null, findings
  from app.tree_check;
select setval(pg_get_serial_sequence('app.operation', 'id'), (select coalesce(max(id), 0) + 1 from app.operation), false);
drop table app.projection_work, app.tree_check;

-- One of the read models at a time: another request is refused meanwhile.
create unique index operation_of_read_models on app.operation ((true)) where ended_at is null and kind <> 'compare-log';

-- A program of the former release, beside this one or in its place again, has the same rows under the former names.
create view app.projection_work as
select id, kind, asked_at, asked_by, started_at, told_at, ended_at, phase, events, seconds, fraction, outcome, failed
  from app.operation where kind <> 'compare-log';
create view app.tree_check as
select id, kind, asked_at, asked_by, started_at, ended_at as done_at, events as compared, size, findings, outcome as error
  from app.operation where kind = 'compare-log';
alter view app.tree_check alter column kind set default 'compare-log', alter column compared set default 0;
