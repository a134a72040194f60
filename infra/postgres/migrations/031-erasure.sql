-- Erasures that were asked for. The address's claim can be found no more once the key is gone, so its id waits here until it is released.
create table app.erasure (
  account_id uuid primary key,
  email_id text,
  asked_by uuid,
  asked_at timestamptz not null,
  done_at timestamptz
);
create index erasure_open on app.erasure (asked_at) where done_at is null;
