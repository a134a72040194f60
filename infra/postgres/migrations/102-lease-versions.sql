-- Which version of the program has followed the log last: an older one would pass over what it does not know (infra/postgres/lease.ts).
alter table app.job_checkpoint add column version integer not null default 0;
alter table app.hook_follower add column version integer not null default 0;
