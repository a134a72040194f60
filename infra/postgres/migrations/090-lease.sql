-- As every table with a lease calls it.
alter table app.job_checkpoint rename column leased_until to lease_until;
