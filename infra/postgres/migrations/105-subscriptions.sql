-- How far each subscription has handled the log, and which process does (infra/subscriptions): one table for all of them.
alter table app.job_checkpoint rename to subscription;
alter index app.job_checkpoint_pkey rename to subscription_pkey;

-- Otherwise what a program commits meanwhile would be missing in the copy.
lock table app.hook_follower in access exclusive mode;
insert into app.subscription (name, log_id, position, holder, lease_until, version)
select 'webhooks', coalesce(log_id, ''), coalesce(position, ''), holder, lease_until, version from app.hook_follower;
drop table app.hook_follower;

-- A program of the former release, beside this one or in its place again, has the same rows under the former names: the same leases and
-- positions, so that nothing is handled twice.
create view app.job_checkpoint as
select name, log_id, position, holder, lease_until, version from app.subscription where name = 'jobs';
create view app.hook_follower as
select log_id, position, holder, lease_until, version from app.subscription where name = 'webhooks';
